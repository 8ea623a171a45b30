import { useRef } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { inOrder } from '#web/state/home-view.ts';
import { useLasting } from '#web/state/live.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { DeviceCard } from '#web/device/card/device-card.tsx';
import { HomeMode, HomeScenes } from '#web/house/house-line.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { longUndecided, mayChoose, switchable } from '#web/scene/all-off.ts';
import { HomeTroubles } from './home-troubles.tsx';
import { StatusLine } from './status-line.tsx';
import type { Room } from '#web/client/api.ts';
import { roomIcon } from '#web/icon-lines.ts';
import { useRovingFocus } from '#web/parts/keyboard.ts';
import { RoomLine } from '#web/room/room-line.tsx';
import { RoomLevel, RoomSwitch } from '#web/room/room-lights.tsx';
import { timeWords } from '#web/strings/formats.ts';
import { localTime } from '#web/strings/hub-zone.ts';

const LOST_MS = 5_000;

/** The home at a glance: what is wrong, how it is, what is done often, and a card for each room. */
export function HomePage() {
  const { home, own, account, live, time } = useHub();
  usePageTitle(account.hub.value?.name ?? pageWords.home.title);
  const isLost = useLasting(live.isConnected.value === false, LOST_MS);
  // The name of the person and their rights too: what comes after the first cards would move them.
  const isLoaded = home.isLoaded.value && own.view.value !== null && account.me.value !== null;
  if (!isLoaded && isLost) return <NoHub />;
  if (isLoaded && home.entries.value.length === 0) return <EmptyHome />;
  return (
    <div class="page home" aria-busy={!isLoaded}>
      <div class="home-head">
        <h1 class="page-title">
          {isLoaded ? greeting(account.me.value?.name ?? '', time.nowMs.value) : pageWords.loading}
        </h1>
        <div class="home-troubles">
          <HomeTroubles />
        </div>
        <div class="home-mode">
          <HomeMode />
        </div>
      </div>
      <OwnEnd />
      {isLoaded ? <StatusLine /> : <div class="status-line" />}
      <div class="house-place">
        <HomeScenes />
      </div>
      {isLoaded ? <AllOffPlace /> : null}
      {isLoaded ? <HomeBlocks canArrange /> : <Skeleton />}
    </div>
  );
}

const [MORNING, DAY, EVENING] = [5, 12, 18];

function greeting(name: string, nowMs: number): string {
  const hour = Number(localTime(nowMs).slice(11, 13));
  if (hour < MORNING) return homeWords.greeting.night(name);
  if (hour < DAY) return homeWords.greeting.morning(name);
  return hour < EVENING ? homeWords.greeting.day(name) : homeWords.greeting.evening(name);
}

const loadAllOff = async () => (await import('#web/scene/all-off-choice.tsx')).AllOffCard;

/** Homes from before get the card once. Its place is there from the start, or it would move the rooms. */
function AllOffPlace() {
  const hub = useHub();
  const left = mayChoose(hub) ? longUndecided(switchable(hub), hub.time.nowMs.value) : [];
  return left.length === 0 ? null : (
    <div class="all-off-place">
      <Loaded load={loadAllOff}>{(AllOffCard) => <AllOffCard />}</Loaded>
    </div>
  );
}

/** Guests read until when the home is theirs. */
function OwnEnd() {
  const until = useHub().account.me.value?.valid_until ?? null;
  return until === null ? null : <p class="soft">{homeWords.stay(timeWords(until, 'dayAndClock'))}</p>;
}

/** The favorites of the person, and a card for each room. What hangs on a wall is arranged elsewhere. */
export function HomeBlocks({ canArrange = false }: { readonly canArrange?: boolean }) {
  const { home, own } = useHub();
  const { favorites = [], room_order: order = [], hidden = [] } = own.view.value ?? {};
  const entries = home.entries.value;
  const favorite = favorites.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);
  const byRoom = new Map<string, DeviceEntry[]>();
  for (const entry of entries) {
    if (hidden.includes(entry.id)) continue;
    const id = entry.device.peek().room?.id ?? '';
    const own = byRoom.get(id);
    if (own === undefined) byRoom.set(id, [entry]);
    else own.push(entry);
  }
  const rooms = inOrder(home.rooms.value, order).filter(({ id }) => !hidden.includes(id) && byRoom.has(id));
  return (
    <>
      <p class="unseen">{pageWords.home.cardKeys}</p>
      {favorite.length === 0 ? null : (
        <section class="home-block" aria-labelledby="favorites">
          <h2 id="favorites">{homeWords.favorites}</h2>
          <ul class="cards">
            {favorite.map((entry) => (
              <li key={entry.id}>
                <DeviceCard entry={entry} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="home-block" aria-labelledby="rooms">
        <div class="home-block-head">
          <h2 id="rooms">{homeWords.rooms}</h2>
          {canArrange ? (
            <a class="button button-plain button-icon" href="/settings/rooms" aria-label={homeWords.arrange}>
              <Icon name="edit" />
            </a>
          ) : null}
        </div>
        <ul class="room-cards">
          {[...rooms, null].map((room) => {
            const own = byRoom.get(room?.id ?? '');
            if (own === undefined) return null;
            return (
              <li key={room?.id ?? ''}>
                <RoomCard room={room} entries={own} />
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

function NoHub() {
  return (
    <div class="page blank" role="alert">
      <Icon name="offline" size={48} />
      <h1>{pageWords.hub.unreachableTitle}</h1>
      <p class="soft">{pageWords.hub.unreachableText}</p>
    </div>
  );
}

function emptyText({ can, me }: ReturnType<typeof useHub>['account']): string {
  if (can('device:manage')) return pageWords.home.emptyText;
  return (me.value?.rooms ?? null) === null ? pageWords.home.emptyGuest : pageWords.home.emptyLimited;
}

function EmptyHome() {
  const { account } = useHub();
  return (
    <div class="page blank">
      <Icon name="hearth" size={56} />
      <h1>{pageWords.home.emptyTitle}</h1>
      <p class="soft">{emptyText(account)}</p>
      {account.can('device:manage') ? (
        <a class="button button-main" href="/add">
          {pageWords.home.emptyAdd}
        </a>
      ) : null}
    </div>
  );
}

/** The shape of the home while it loads, so that nothing moves afterwards. */
function Skeleton() {
  return (
    <section class="home-block">
      <div class="home-block-head">
        <h2>{homeWords.rooms}</h2>
      </div>
      <div class="room-cards" aria-hidden="true">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} class="room-card room-card-skeleton" />
        ))}
      </div>
    </section>
  );
}

type RoomCardProps = {
  /** `null`: of the devices without a room. */
  readonly room: Room | null;
  readonly entries: readonly DeviceEntry[];
};

/** One room: its temperature and warnings, and one control for all of its lamps. */
function RoomCard({ room, entries }: RoomCardProps) {
  const card = useRef<HTMLElement>(null);
  useRovingFocus(card, 'a, button, input');
  const name = room?.name ?? pageWords.home.noRoom;
  const lit = entries.filter(({ isLit }) => isLit.value).length;
  const shown = { name };
  return (
    <article ref={card} class="room-card" data-lit={lit > 0}>
      <RoomSwitch room={shown} entries={entries} icon={roomIcon(room?.icon)} />
      <div class="room-card-text">
        <h3 class="card-name">
          <a href={room === null ? '/room?room=none' : `/room/${room.selector}`}>
            <bdi>{name}</bdi>
          </a>
        </h3>
        <RoomLine entries={entries} />
      </div>
      <RoomLevel room={shown} entries={entries} label={homeWords.roomLevel(name)} />
    </article>
  );
}
