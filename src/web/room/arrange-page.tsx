import { useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { roomIcon } from '#web/icon-lines.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { inOrder } from '#web/state/home-view.ts';
import { arrange as arrangeWords } from '#web/strings/en/home/arrange.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { iconOf } from '#web/state/device/device-facts.ts';
import { ArrangeList } from './arrange-list.tsx';
import { RoomName } from './room-name.tsx';

/** In which order a person sees the home, and what not at first. Those who may, add rooms here. */
export function ArrangePage() {
  const { home, own, client, account } = useHub();
  // A new form after each added room, so that it is empty.
  const [added, setAdded] = useState(0);
  const view = own.view.value;
  const isLoaded = home.isLoaded.value && view !== null;
  const counts = new Map<string, number>();
  for (const { device } of home.entries.value) {
    const id = device.peek().room?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const { favorites = [], room_order: order = [] } = view ?? {};
  const rooms = inOrder(home.rooms.value, order);
  const starred = favorites.flatMap((id) => home.find(id) ?? []);
  return (
    <div class="page narrow" aria-busy={!isLoaded}>
      <PageHead title={arrangeWords.title} back={{ href: '/', label: pageWords.nav.home }} />
      <p class="soft">{arrangeWords.text}</p>
      {isLoaded ? (
        <>
          <section>
            <h2 class="rows-title">{arrangeWords.favorites}</h2>
            {starred.length === 0 ? <p class="soft">{arrangeWords.noFavorites}</p> : null}
            <ArrangeList
              items={starred.map(({ id, device }) => ({
                id,
                name: device.value.name,
                icon: iconOf(device.value),
                href: `/device/${device.value.selector}`,
              }))}
              list="favorites"
            />
          </section>
          <section>
            <h2 class="rows-title">{pageWords.room.title}</h2>
            {rooms.length === 0 ? <p class="soft">{pageWords.room.none}</p> : null}
            <ArrangeList
              items={rooms.map(({ id, name, icon, selector }) => ({
                id,
                name,
                icon: roomIcon(icon),
                note: pageWords.home.count(counts.get(id) ?? 0),
                href: `/room/${selector}`,
              }))}
              list="room_order"
            />
          </section>
        </>
      ) : null}
      {account.can('room:manage') ? (
        <section class="panel">
          <h2 class="panel-title">{pageWords.room.add}</h2>
          <RoomName
            key={added}
            submit={pageWords.room.addIt}
            save={(name) => client.call('POST', '/room', { name })}
            onSaved={() => setAdded(added + 1)}
          />
        </section>
      ) : null}
    </div>
  );
}
