import { useRef, useState } from 'preact/hooks';
import type { Room, Scene } from '#web/client/api.ts';
import { iconOf, natureOf } from '#web/state/device/device-facts.ts';
import { nameInRoom } from '#web/device/room-words.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { useRovingFocus } from '#web/parts/keyboard.ts';
import type { PageProps } from '#web/router.ts';
import { CaptureButton } from '#web/scene/capture-dialog.tsx';
import { SceneChips } from '#web/scene/scene-chips.tsx';
import { useScenes } from '#web/readings/use-scenes.ts';
import { inOrder } from '#web/state/home-view.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { arrange as arrangeWords } from '#web/strings/en/home/arrange.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { ArrangeList } from './arrange-list.tsx';
import { RoomLevel } from './room-lights.tsx';
import { RoomName } from './room-name.tsx';
import { RoomDevices } from '#web/room/list/room-devices.tsx';
import { RoomTemperature } from './room-temperature.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';

const toRooms = () => ({ href: '/room', label: pageWords.room.title });

/** One room with its devices. */
export function RoomPage({ params }: PageProps) {
  const { home } = useHub();
  if (!home.isLoaded.value) return <div class="page" aria-busy="true" />;
  const room = home.rooms.value.find(
    ({ selector, id }) => selector === params['selector'] || id === params['selector'],
  );
  if (room !== undefined) return <OneRoom room={room} />;
  return (
    <div class="page narrow">
      <PageHead title={pageWords.room.notFound} back={toRooms()} />
      <p class="soft">{pageWords.room.notFoundText}</p>
    </div>
  );
}

function OneRoom({ room }: { readonly room: Room }) {
  const { home, own, account, client } = useHub();
  const [isEditing, setIsEditing] = useState(false);
  const canManage = account.can('room:manage');
  const { device_order: order = [], hidden = [] } = own.view.value ?? {};
  const all = inOrder(
    home.entries.value.filter(({ device }) => device.peek().room?.id === room.id),
    order,
  );
  const entries = all.filter(({ id }) => !hidden.includes(id));
  return (
    <div class="page room-page">
      <PageHead title={room.name} back={toRooms()}>
        {canManage ? (
          <button
            type="button"
            class="button button-plain button-icon"
            aria-label={pageWords.room.rename}
            onClick={() => setIsEditing(true)}
          >
            <Icon name="edit" />
          </button>
        ) : null}
      </PageHead>
      <RoomTemperature entries={all} />
      <RoomLevel room={room} entries={all} label={pageWords.room.allLights} least={2} />
      <RoomScenes room={room} />
      {all.length === 0 ? <p class="soft">{pageWords.room.empty}</p> : null}
      <h2 class="unseen">{pageWords.room.devices}</h2>
      <RoomDevices entries={entries} room={room.name} />
      {all.length === 0 ? null : <Arrange entries={all} room={room.name} hidden={all.length - entries.length} />}
      {canManage ? (
        <div class="room-tools">
          {account.can('device:manage') ? <MoveHere room={room} /> : null}
          <RemoveRoom room={room} />
        </div>
      ) : null}
      {isEditing ? (
        <Dialog title={pageWords.room.rename} onClose={() => setIsEditing(false)}>
          {(close) => (
            <RoomName
              name={room.name}
              submit={pageWords.edit.save}
              icon={room.icon}
              save={(name, icon) => client.call('PATCH', `/room/${room.id}`, { name, icon })}
              onSaved={close}
              onCancel={close}
            />
          )}
        </Dialog>
      ) : null}
    </div>
  );
}

type ArrangeProps = { readonly entries: readonly DeviceEntry[]; readonly room: string; readonly hidden: number };

/** The person's own order of the devices, and what of them is hidden. */
function Arrange({ entries, room, hidden }: ArrangeProps) {
  return (
    <details class="fold">
      <summary>
        {hidden === 0 ? arrangeWords.devices : `${arrangeWords.devices} · ${arrangeWords.hidden(hidden)}`}
      </summary>
      <ArrangeList
        items={entries.map(({ id, device: { value: device } }) => ({
          id,
          name: nameInRoom(device.name, room),
          icon: iconOf(device),
          href: `/device/${device.selector}`,
        }))}
        list="device_order"
      />
    </details>
  );
}

/** The scenes of a room, and a button that saves the room as it is now. */
function RoomScenes({ room }: { readonly room: Room }) {
  const own = (useScenes().value.value ?? []).filter((scene) => scene.room?.id === room.id);
  return (
    <div class="room-scenes">
      {own.length === 0 ? null : <SceneGroup scenes={own} />}
      <CaptureButton room={room.id} />
    </div>
  );
}

/** A component of its own: the arrow keys are listened to from its first drawing on. */
function SceneGroup({ scenes }: { readonly scenes: readonly Scene[] }) {
  const chips = useRef<HTMLDivElement>(null);
  useRovingFocus(chips, 'button');
  return (
    <div ref={chips} class="chips" role="group" aria-label={homeWords.scene.scenes}>
      <SceneChips scenes={scenes} />
    </div>
  );
}

function RemoveRoom({ room }: { readonly room: Room }) {
  const { router } = useHub();
  return (
    <RemoveButton
      path={`/room/${room.id}`}
      label={pageWords.room.remove}
      question={pageWords.room.removeQuestion(room.name)}
      text={pageWords.room.removeText}
      removed={pageWords.room.removed(room.name)}
      onRemoved={() => router.go('/room')}
    >
      <Icon name="trash" size={20} />
    </RemoveButton>
  );
}

/** Moves devices from other rooms, or without a room, into this one. */
function MoveHere({ room }: { readonly room: Room }) {
  const { home } = useHub();
  const [isOpen, setIsOpen] = useState(false);
  const others = home.entries.value.filter(({ device }) => device.peek().room?.id !== room.id);
  // Devices without a room come first.
  const sorted = [...others].sort(
    (one, other) => Number(one.device.peek().room !== null) - Number(other.device.peek().room !== null),
  );
  return (
    <>
      <button type="button" class="button" disabled={others.length === 0} onClick={() => setIsOpen(true)}>
        <Icon name="plus" size={20} />
        {pageWords.room.move}
      </button>
      {isOpen ? (
        <Dialog title={pageWords.room.moveTitle(room.name)} onClose={() => setIsOpen(false)}>
          {() => (
            <ul class="rows picker">
              {sorted.map((entry) => (
                <li key={entry.id}>
                  <Pick entry={entry} room={room} />
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function Pick({ entry, room }: { readonly entry: DeviceEntry; readonly room: Room }) {
  const { client } = useHub();
  const device = entry.device.value;
  const move = useReportedTask(() => client.call('PATCH', `/device/${entry.id}`, { room: room.id }));
  return (
    <button type="button" class="row" onClick={move.run}>
      <Icon name={natureOf(device).icon} />
      <span class="row-text">
        <bdi class="row-title">{device.name}</bdi>
        <bdi class="row-note">{device.room?.name ?? pageWords.home.noRoom}</bdi>
      </span>
      <Icon name="plus" size={18} />
    </button>
  );
}
