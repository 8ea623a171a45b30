import { useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { t } from '#web/strings/strings.ts';
import { RoomName } from './room-name.tsx';

/** The rooms of the home, and a new one. */
export function RoomsPage() {
  const { home, client, account } = useHub();
  // A new form after each added room, so that it is empty.
  const [added, setAdded] = useState(0);
  const rooms = home.rooms.value;
  const isLoaded = home.isLoaded.value;
  const counts = new Map<string, number>();
  for (const { device } of home.entries.value) {
    const id = device.peek().room?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return (
    <div class="page narrow" aria-busy={!isLoaded}>
      <PageHead title={t.room.title} back={{ href: '/', label: t.device.toHome }} />
      {isLoaded && rooms.length === 0 ? <p class="soft">{t.room.none}</p> : null}
      <ul class="rows">
        {rooms.map((room) => (
          <li key={room.id}>
            <a class="row" href={`/room/${room.selector}`}>
              <Icon name="room" />
              <span class="row-text">
                <bdi class="row-title">{room.name}</bdi>
                <span class="row-note">{t.home.count(counts.get(room.id) ?? 0)}</span>
              </span>
              <Icon name="forward" size={18} />
            </a>
          </li>
        ))}
      </ul>
      {account.can('room:manage') ? (
        <section class="panel">
          <h2 class="panel-title">{t.room.add}</h2>
          <RoomName
            key={added}
            submit={t.room.addIt}
            save={(name) => client.call('POST', '/room', { name })}
            onSaved={() => setAdded(added + 1)}
          />
        </section>
      ) : null}
    </div>
  );
}
