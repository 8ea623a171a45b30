import { useEffect, useId, useRef } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { KINDS } from '#web/state/device-facts.ts';
import { t } from '#web/strings/strings.ts';
import type { HomeFilter, Shown } from './home-filter.ts';

const ORDER: readonly Shown[] = ['all', 'attention', ...KINDS];

/** Search, and what to show. The key / goes to the search. */
export function HomeToolbar({ filter }: { readonly filter: HomeFilter }) {
  const { home } = useHub();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const kinds = filter.kinds.value;
  const rooms = home.rooms.value;
  return (
    <div class="toolbar">
      <search class="search">
        <Icon name="search" size={20} />
        <input
          ref={field}
          class="input"
          type="search"
          aria-label={t.home.search}
          placeholder={t.home.search}
          value={filter.search.value}
          onInput={({ currentTarget }) => (filter.search.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') filter.search.value = '';
          }}
          autocomplete="off"
          enterkeyhint="search"
        />
      </search>
      <div class="chips" role="group" aria-label={t.home.filter}>
        {rooms.length > 1 ? (
          <span class="chip chip-select" data-on={filter.room.value !== ''}>
            <label class="unseen" for={id}>
              {t.home.room}
            </label>
            <select
              id={id}
              value={filter.room.value}
              onChange={({ currentTarget }) => (filter.room.value = currentTarget.value)}
            >
              <option value="">{t.home.allRooms}</option>
              {rooms.map((room) => (
                <option key={room.id} value={room.id}>
                  {room.name}
                </option>
              ))}
            </select>
            <Icon name="down" size={16} />
          </span>
        ) : null}
        {ORDER.filter((kind) => kinds.has(kind)).map((kind) => (
          <button
            key={kind}
            type="button"
            class="chip"
            data-kind={kind}
            aria-pressed={filter.kind.value === kind}
            onClick={() => (filter.kind.value = kind)}
          >
            {t.home.kinds[kind]}
            {kind === 'attention' ? <span class="chip-count">{kinds.get(kind)}</span> : null}
          </button>
        ))}
      </div>
    </div>
  );
}
