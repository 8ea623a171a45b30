import { computed, type ReadonlySignal, type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useRef, useCallback, useId } from 'preact/hooks';
import { KINDS } from '#web/state/device/device-facts.ts';
import { createHomeFilter, type HomeFilter, type Shown, NO_ROOM } from '#web/state/device/home-filter.ts';
import { RoomSection } from '#web/room/list/room-section.tsx';
import { type Hub, useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import { inOrder, toggled } from '#web/state/home-view.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import type { RefObject } from 'preact';
import { useRovingFocus, useSearchKey } from '#web/parts/keyboard.ts';

/** Keeps the search, and which rooms are folded, for when one comes back from a device. */
const views = new WeakMap<Hub['home'], View>();
type View = {
  readonly filter: HomeFilter;
  /** The rooms, by id, that are not as the others: open in a large home, folded in a small one. */
  readonly turned: Signal<ReadonlySet<string>>;
};
const FIRST_DRAWN = 20;
/** A person sees so many devices at a glance, on a phone and on a desk: with more, the rooms are folded. */
const FEW = [20, 80] as const;
const isDesk = (): boolean => matchMedia('(min-width: 56.25rem)').matches;
/** Few enough that an old phone can respond to a finger in between. */
const MORE_DRAWN = 10;
const MORE_ON_SCROLL = 30;
/** Draws this far ahead of what is visible. */
const AHEAD_PX = 1_600;

/** Every device of the home, room by room, to search and to filter: also what a person has hidden elsewhere. */
export function RoomsPage() {
  const hub = useHub();
  const { home, own, router } = hub;
  const { filter, turned } = viewOf(hub);
  usePageTitle(homeWords.rooms);
  const { query } = router.place.value;
  useEffect(() => {
    const asked = new URLSearchParams(query);
    if (query === '') return;
    filter.clear();
    filter.room.value = asked.get('room') ?? '';
    filter.search.value = asked.get('search') ?? '';
    filter.kind.value = kindFrom(asked.get('kind'));
  }, [query, filter]);
  const isLoaded = home.isLoaded.value && own.view.value !== null;
  return (
    <div class="page home" aria-busy={!isLoaded}>
      <div class="home-head">
        <h1 class="page-title">{homeWords.rooms}</h1>
        <a class="button button-plain button-icon" href="/settings/rooms" aria-label={homeWords.arrange}>
          <Icon name="edit" />
        </a>
      </div>
      {isLoaded ? (
        <>
          <HomeToolbar filter={filter} />
          <Rooms filter={filter} turned={turned} />
        </>
      ) : (
        <Skeleton />
      )}
    </div>
  );
}

function viewOf({ home, own }: Pick<Hub, 'home' | 'own'>): View {
  const view = views.get(home) ?? {
    filter: createHomeFilter({
      entries: computed(() => inOrder(home.entries.value, own.view.value?.device_order ?? [])),
      rooms: computed(() => inOrder(home.rooms.value, own.view.value?.room_order ?? [])),
    }),
    turned: signal<ReadonlySet<string>>(new Set()),
  };
  views.set(home, view);
  return view;
}

function kindFrom(asked: string | null): Shown {
  return asked === 'attention' ? asked : (KINDS.find((kind) => kind === asked) ?? 'all');
}

function Rooms({ filter, turned }: View) {
  const { home } = useHub();
  const sections = filter.sections.value;
  const isFiltered = filter.isOn.value;
  const isLarge = home.entries.value.length > FEW[isDesk() ? 1 : 0];
  const end = useRef<HTMLDivElement>(null);
  const wanted = `${filter.kind.value} ${filter.room.value} ${filter.search.value}`;
  const drawn = useDrawnCount(filter.count.value, wanted, end);
  let left = drawn.value;
  return (
    <>
      <p class="unseen" role="status">
        {isFiltered ? pageWords.home.found(filter.count.value) : ''}
      </p>
      <p class="unseen">{pageWords.home.cardKeys}</p>
      {sections.length === 0 ? <NothingFound filter={filter} /> : null}
      <div class="rooms">
        {sections.map((section) => {
          const id = section.room?.id ?? '';
          const isOpen = isFiltered || turned.value.has(id) === isLarge;
          const own = isOpen ? Math.max(0, Math.min(left, section.entries.length)) : 0;
          left -= isOpen ? section.entries.length : 0;
          if (isOpen && own === 0) return null;
          const onFold = (): void => void (turned.value = new Set(toggled([...turned.value], id, isOpen !== isLarge)));
          return <RoomSection key={id} drawn={own} {...{ section, isOpen, isFiltered, onFold }} />;
        })}
      </div>
      <div ref={end} />
    </>
  );
}

function NothingFound({ filter }: { readonly filter: HomeFilter }) {
  const { account, home } = useHub();
  if (home.entries.value.length === 0) {
    return (
      <div class="blank">
        <p class="soft">{pageWords.home.emptyTitle}</p>
        {account.can('device:manage') ? (
          <a class="button button-main" href="/add">
            {pageWords.home.emptyAdd}
          </a>
        ) : null}
      </div>
    );
  }
  return (
    <div class="blank">
      <p class="soft">{pageWords.home.nothingFound}</p>
      <button type="button" class="button" onClick={filter.clear}>
        {pageWords.home.showAll}
      </button>
    </div>
  );
}

/** The shape of the page while it loads, so that nothing moves afterwards. */
function Skeleton() {
  return (
    <>
      <div class="toolbar toolbar-skeleton" />
      <div class="room">
        <div class="room-head room-head-skeleton" />
        <div class="cards" aria-hidden="true">
          {Array.from({ length: 8 }, (_, index) => (
            <div key={index} class="card card-skeleton" />
          ))}
        </div>
      </div>
    </>
  );
}

/**
 * How many cards are drawn: a screenful at once, then more whenever the browser has time or their end comes near, until
 * all are there. A home of a thousand devices is there to be used before its last card is.
 */
function useDrawnCount(total: number, anew: unknown, end: RefObject<HTMLElement | null>): ReadonlySignal<number> {
  const drawn = useSignal(FIRST_DRAWN);
  useEffect(() => {
    drawn.value = Math.min(drawn.peek(), FIRST_DRAWN);
  }, [anew, drawn]);
  useEffect(() => {
    let stop: (() => void) | undefined;
    const grow = (): void => {
      if (drawn.peek() >= total) return;
      drawn.value += MORE_DRAWN;
      stop = whenIdle(grow);
    };
    stop = whenIdle(grow);
    return () => stop?.();
  }, [total, anew, drawn]);
  useEffect(() => {
    const isNear = (): boolean => (end.current?.getBoundingClientRect().top ?? Infinity) < innerHeight + AHEAD_PX;
    const onScroll = (): void => {
      if (drawn.peek() < total && isNear()) drawn.value += MORE_ON_SCROLL;
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [total, end, drawn]);
  return drawn;
}

function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 500 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(task, 60);
  return () => clearTimeout(handle);
}

/** The search field and the filters. */
function HomeToolbar({ filter }: { readonly filter: HomeFilter }) {
  const { home } = useHub();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const chips = useRef<HTMLDivElement>(null);
  useRovingFocus(chips, 'button');
  const toField = useCallback(() => field.current?.focus(), []);
  useSearchKey(toField);
  const kinds = filter.kinds.value;
  const rooms = home.rooms.value;
  const hasLoose = home.entries.value.some(({ device }) => device.peek().room === null);
  return (
    <div class="toolbar">
      <search class="search">
        <Icon name="search" size={20} />
        <input
          ref={field}
          class="input"
          type="search"
          aria-label={pageWords.home.search}
          aria-keyshortcuts={pageWords.home.searchKey}
          placeholder={pageWords.home.search}
          value={filter.search.value}
          onInput={({ currentTarget }) => (filter.search.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') filter.search.value = '';
          }}
          autocomplete="off"
          enterkeyhint="search"
        />
        <kbd class="search-key" aria-hidden="true">
          {pageWords.home.searchKey}
        </kbd>
      </search>
      <div ref={chips} class="chips" role="group" aria-label={pageWords.home.filter}>
        {rooms.length > 1 ? (
          <span class="chip chip-select" data-on={filter.room.value !== ''}>
            <label class="unseen" for={id}>
              {pageWords.home.room}
            </label>
            <select
              id={id}
              value={filter.room.value}
              onChange={({ currentTarget }) => (filter.room.value = currentTarget.value)}
            >
              <option value="">{pageWords.home.allRooms}</option>
              {rooms.map((room) => (
                <option key={room.id} value={room.id}>
                  {room.name}
                </option>
              ))}
              {hasLoose ? <option value={NO_ROOM}>{pageWords.home.noRoom}</option> : null}
            </select>
            <Icon name="down" size={16} />
          </span>
        ) : null}
        <KindChip filter={filter} kind="all" />
        <NeedChip filter={filter} />
        {KINDS.filter((kind) => kinds.has(kind)).map((kind) => (
          <KindChip key={kind} filter={filter} kind={kind} />
        ))}
      </div>
    </div>
  );
}

type ChipProps = { readonly filter: HomeFilter; readonly kind: Shown; readonly count?: number };

function KindChip({ filter, kind, count }: ChipProps) {
  return (
    <button
      type="button"
      class="chip"
      data-kind={kind}
      aria-pressed={filter.kind.value === kind}
      onClick={() => (filter.kind.value = kind)}
    >
      {pageWords.home.kinds[kind]}
      {count === undefined ? null : <span class="chip-count">{count}</span>}
    </button>
  );
}

/** Stays while it is chosen, even if no device needs attention any more. */
function NeedChip({ filter }: { readonly filter: HomeFilter }) {
  const count = filter.inNeed.value;
  if (count === 0 && filter.kind.value !== 'attention') return null;
  return <KindChip filter={filter} kind="attention" count={count} />;
}
