import { useCallback, useEffect, useId, useRef } from 'preact/hooks';
import { KINDS } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { useRovingFocus, useSearchKey } from '#web/parts/keyboard.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { type HomeFilter, NO_ROOM, type Shown } from '#web/state/device/home-filter.ts';

/** The search field and the filters. An address with an empty search leads into the field. */
export function HomeToolbar({ filter }: { readonly filter: HomeFilter }) {
  const { home, router } = useHub();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const chips = useRef<HTMLDivElement>(null);
  useRovingFocus(chips, 'button');
  const toField = useCallback(() => field.current?.focus(), []);
  useSearchKey(toField);
  const { query } = router.place.value;
  useEffect(() => {
    if (new URLSearchParams(query).get('search') === '') toField();
  }, [query, toField]);
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
