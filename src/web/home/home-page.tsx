import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import type { HomeState } from '#web/state/home-state.ts';
import { useLasting } from '#web/state/live.ts';
import { t } from '#web/strings/strings.ts';
import { createHomeFilter, type HomeFilter } from './home-filter.ts';
import { HomeToolbar } from './home-toolbar.tsx';
import { RoomSection } from './room-section.tsx';
import { useDrawnCount } from './use-drawn-count.ts';

const LOST_MS = 5_000;
/** Keeps the search for when one comes back from a device. */
const filters = new WeakMap<HomeState, HomeFilter>();

export function HomePage() {
  const { home, account, live } = useHub();
  const filter = filters.get(home) ?? createHomeFilter(home);
  filters.set(home, filter);
  usePageTitle(account.hub.value?.name ?? t.home.title);
  const isLost = useLasting(live.isConnected.value === false, LOST_MS);
  const isLoaded = home.isLoaded.value;
  if (!isLoaded && isLost) return <NoHub />;
  if (isLoaded && home.entries.value.length === 0) return <EmptyHome />;
  return (
    <div class="page home" aria-busy={!isLoaded}>
      <h1 class="unseen">{isLoaded ? t.home.title : t.loading}</h1>
      <Troubles />
      {isLoaded ? (
        <>
          <HomeToolbar filter={filter} />
          <Rooms filter={filter} />
        </>
      ) : (
        <Skeleton />
      )}
    </div>
  );
}

/**
 * There are seldom any, so their code is not part of the first load. It is loaded beside the home, so that the cards
 * seldom move, and tried again with each connection until it is there.
 */
function Troubles() {
  const { live } = useHub();
  const [part, setPart] = useState<{ readonly View: ComponentType } | null>(null);
  const isConnected = live.isConnected.value;
  useEffect(() => {
    if (part !== null || isConnected === false) return;
    import('./home-troubles.tsx').then(
      ({ HomeTroubles }) => setPart({ View: HomeTroubles }),
      () => setPart(null),
    );
  }, [part, isConnected]);
  return part === null ? null : <part.View />;
}

function Rooms({ filter }: { readonly filter: HomeFilter }) {
  const sections = filter.sections.value;
  const isFiltered = filter.isOn.value;
  const end = useRef<HTMLDivElement>(null);
  const wanted = `${filter.kind.value} ${filter.room.value} ${filter.search.value}`;
  const drawn = useDrawnCount(filter.found.value, wanted, end);
  let left = drawn.value;
  return (
    <>
      <p class="unseen" role="status">
        {isFiltered ? t.home.found(filter.found.value) : ''}
      </p>
      <p class="unseen">{t.home.cardKeys}</p>
      {sections.length === 0 ? <NothingFound filter={filter} /> : null}
      <div class="rooms">
        {sections.map((section) => {
          const own = Math.max(0, Math.min(left, section.entries.length));
          left -= section.entries.length;
          if (own === 0) return null;
          return <RoomSection key={section.room?.id ?? ''} section={section} drawn={own} isFiltered={isFiltered} />;
        })}
      </div>
      <div ref={end} />
    </>
  );
}

function NothingFound({ filter }: { readonly filter: HomeFilter }) {
  return (
    <div class="blank">
      <p class="soft">{t.home.nothingFound}</p>
      <button type="button" class="button" onClick={filter.clear}>
        {t.home.showAll}
      </button>
    </div>
  );
}

function NoHub() {
  return (
    <div class="page blank" role="alert">
      <Icon name="offline" size={48} />
      <h1>{t.hub.unreachableTitle}</h1>
      <p class="soft">{t.hub.unreachableText}</p>
    </div>
  );
}

function emptyText({ can, me }: ReturnType<typeof useHub>['account']): string {
  if (can('device:manage')) return t.home.emptyText;
  return (me.value?.rooms ?? null) === null ? t.home.emptyGuest : t.home.emptyLimited;
}

function EmptyHome() {
  const { account } = useHub();
  return (
    <div class="page blank">
      <Icon name="hearth" size={56} />
      <h1>{t.home.emptyTitle}</h1>
      <p class="soft">{emptyText(account)}</p>
      {account.can('device:manage') ? (
        <a class="button button-main" href="/add">
          {t.home.emptyAdd}
        </a>
      ) : null}
    </div>
  );
}

/** The shape of the home while it loads, so that nothing moves afterwards. */
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
