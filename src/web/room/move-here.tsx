import { useState } from 'preact/hooks';
import type { Room } from '#web/client/api.ts';
import { natureOf } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** Moves devices from other rooms, or without a room, into this one. */
export function MoveHere({ room }: { readonly room: Room }) {
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
          {(close) => (
            <>
              <ul class="rows picker">
                {sorted.map((entry) => (
                  <li key={entry.id}>
                    <Pick entry={entry} room={room} />
                  </li>
                ))}
              </ul>
              <div class="dialog-buttons">
                <button type="button" class="button button-main" onClick={close}>
                  {pageWords.room.moveDone}
                </button>
              </div>
            </>
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
