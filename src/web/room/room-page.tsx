import { useState } from 'preact/hooks';
import type { Room } from '#web/client/api.ts';
import { DeviceCard } from '#web/home/device-card.tsx';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import type { PageProps } from '#web/router.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';
import { MoveHere } from './move-here.tsx';
import { RoomName } from './room-name.tsx';

const toRooms = () => ({ href: '/room', label: t.room.title });

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
      <PageHead title={t.room.notFound} back={toRooms()} />
      <p class="soft">{t.room.notFoundText}</p>
    </div>
  );
}

function OneRoom({ room }: { readonly room: Room }) {
  const { home, account, client } = useHub();
  const [isEditing, setIsEditing] = useState(false);
  const canManage = account.can('room:manage');
  const entries = home.entries.value.filter(({ device }) => device.peek().room?.id === room.id);
  return (
    <div class="page room-page">
      <PageHead title={room.name} back={toRooms()}>
        {canManage ? (
          <button
            type="button"
            class="button button-plain button-icon"
            aria-label={t.room.rename}
            onClick={() => setIsEditing(true)}
          >
            <Icon name="edit" />
          </button>
        ) : null}
      </PageHead>
      {entries.length === 0 ? <p class="soft">{t.room.empty}</p> : null}
      <h2 class="unseen">{t.room.devices}</h2>
      <ul class="cards">
        {entries.map((entry) => (
          <li key={entry.id}>
            <DeviceCard entry={entry} />
          </li>
        ))}
      </ul>
      {canManage ? (
        <div class="room-tools">
          {account.can('device:manage') ? <MoveHere room={room} /> : null}
          <RemoveRoom room={room} />
        </div>
      ) : null}
      {isEditing ? (
        <Dialog title={t.room.rename} onClose={() => setIsEditing(false)}>
          {(close) => (
            <RoomName
              name={room.name}
              submit={t.edit.save}
              save={(name) => client.call('PATCH', `/room/${room.id}`, { name })}
              onSaved={close}
              onCancel={close}
            />
          )}
        </Dialog>
      ) : null}
    </div>
  );
}

function RemoveRoom({ room }: { readonly room: Room }) {
  const { client, messages, router } = useHub();
  const [isAsking, setIsAsking] = useState(false);
  const remove = async (): Promise<void> => {
    const words = await wordsIfRefused(() => client.call('DELETE', `/room/${room.id}`));
    messages.show(words ?? t.room.removed(room.name), words === undefined ? 'plain' : 'danger');
    if (words === undefined) router.go('/room');
  };
  return (
    <>
      <button type="button" class="button button-danger" onClick={() => setIsAsking(true)}>
        <Icon name="trash" size={20} />
        {t.room.remove}
      </button>
      {isAsking ? (
        <ConfirmDialog
          title={t.room.removeQuestion(room.name)}
          text={t.room.removeText}
          confirm={t.room.remove}
          tone="danger"
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}
