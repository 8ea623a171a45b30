import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useHub } from './hub.ts';
import { useLasting } from '#web/state/live.ts';
import type { Right } from '#web/state/account/rights.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { timeWords } from '#web/strings/formats.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from './icon-lines.ts';
import { Notice } from '#web/parts/notice.tsx';
import { useSearchKey } from '#web/parts/keyboard.ts';
import { type LoadSheet, useSheet } from '#web/parts/loaded.tsx';
import { CriticalBanner, loadNotificationParts } from '#web/notifications/critical-banner.tsx';

const QUIET_MS = 1_500;
const AWAY_MS = 5_000;

/** Frames every page of the home: its name, the way to the settings, and whether the hub is there. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { account, router, time } = useHub();
  const isHome = router.place.value.name === 'home';
  const apart = time.apartMinutes.value;
  const zone = time.zoneApart.value;
  // What a person may use is shown at once: another place or tool later would move the others.
  const isKnown = account.me.value !== null;
  return (
    <div class="shell">
      <a class="skip button" href="#content" onClick={toContent}>
        {pageWords.skipToContent}
      </a>
      <header class="bar">
        <a class="bar-home" href="/" aria-current={isHome ? 'page' : undefined}>
          <Icon name="hearth" size={28} />
          <bdi class="bar-name">{account.hub.value?.name ?? pageWords.nav.home}</bdi>
        </a>
        <Connection />
        <div class="bar-tools">
          {isKnown ? (
            <>
              <Bell />
              <Search />
            </>
          ) : null}
          {account.can('device:manage') ? (
            <a
              class="button button-plain button-icon bar-add"
              href="/add"
              aria-label={pageWords.pairing.title}
              aria-current={router.place.value.name === 'add' ? 'page' : undefined}
            >
              <Icon name="plus" />
            </a>
          ) : null}
        </div>
      </header>
      <Places />
      <main id="content" tabIndex={-1}>
        <CriticalBanner />
        {apart === null ? null : (
          <div class="page-notice">
            <Notice tone="warn" text={pageWords.hub.clockApart(pageWords.time.apart(apart))} />
          </div>
        )}
        {zone === null ? null : (
          <p class="page-notice zone-note">{pageWords.hub.zoneApart(zone, timeWords(time.nowMs.value, 'clock'))}</p>
        )}
        {children}
      </main>
    </div>
  );
}

type Target = {
  readonly href: string;
  readonly icon: IconName;
  readonly words: string;
  /** What the paths of its pages begin with. */
  readonly paths: readonly string[];
  readonly right?: Right;
};

const places = (): readonly Target[] => [
  { href: '/', icon: 'room', words: pageWords.nav.home, paths: [] },
  { href: '/room', icon: 'sofa', words: pageWords.room.title, paths: ['/room', '/device'] },
  { href: '/rule', icon: 'clock', words: pageWords.nav.rules, paths: ['/rule', '/scene'], right: 'automation:read' },
  { href: '/history', icon: 'chart', words: pageWords.nav.history, paths: ['/history'], right: 'history:read' },
  { href: '/settings', icon: 'settings', words: pageWords.nav.settings, paths: ['/settings', '/add'] },
];

/** The five places of the page: under the thumb on a phone, at the side of a desk. */
function Places() {
  const { account, router } = useHub();
  const { path } = router.place.value;
  const known = account.me.value === null ? [] : places();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => style.setProperty('--places', `${nav.current?.offsetHeight ?? 0}px`));
    if (nav.current !== null) sizes.observe(nav.current);
    return () => {
      sizes.disconnect();
      style.removeProperty('--places');
    };
  }, []);
  return (
    <nav ref={nav} class="nav-places" aria-label={pageWords.nav.label}>
      {known
        .filter(({ right }) => right === undefined || account.can(right))
        .map(({ href, icon, words, paths }) => (
          <a
            key={href}
            class="nav-place"
            href={href}
            aria-current={path === href ? 'page' : paths.some((start) => path.startsWith(start)) ? 'true' : undefined}
          >
            <Icon name={icon} size={24} />
            <span>{words}</span>
          </a>
        ))}
    </nav>
  );
}

function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Shows that the connection is lost: at once after a request without an answer, otherwise after a moment. */
function Connection() {
  const { live } = useHub();
  const isConnected = live.isConnected.value;
  const isAway = useIsAway();
  const isLate = useLasting(isConnected !== true, QUIET_MS) || live.isDoubted.value;
  const words = isConnected === null ? pageWords.hub.connecting : pageWords.hub.reconnecting;
  return (
    <div class="connection" role="status">
      {isLate && !isAway ? (
        <span class="connection-pill">
          <span class="connection-dot pulse" />
          {words}
        </span>
      ) : null}
    </div>
  );
}

function useIsAway(): boolean {
  const { live, home } = useHub();
  return useLasting(live.isConnected.value !== true, AWAY_MS) && home.isLoaded.value;
}

/** Says that what the page shows is old; the word about the connection would hang over it. Among the messages, where it moves nothing. */
export function Away() {
  const { account, time } = useHub();
  if (!useIsAway() || account.phase.value !== 'signed_in') return null;
  return <Notice tone="warn" text={pageWords.hub.away(time.lastHeard())} />;
}

const loadNotifications: LoadSheet = async () => (await loadNotificationParts()).NotificationSheet;
const loadSearch: LoadSheet = async () => (await import('#web/find/search-sheet.tsx')).SearchSheet;

/** Searches everything, by its button or key. */
function Search() {
  const { router } = useHub();
  const { open, sheet } = useSheet(loadSearch);
  // The devices have a search field, which takes the key itself.
  const onKey = useCallback(() => {
    if (router.place.peek().path !== '/room') open();
  }, [router, open]);
  useSearchKey(onKey);
  return (
    <>
      <button
        type="button"
        class="button button-plain button-icon"
        aria-label={homeWords.search}
        aria-haspopup="dialog"
        aria-keyshortcuts={pageWords.home.searchKey}
        title={`${homeWords.search} (${pageWords.home.searchKey})`}
        onClick={open}
      >
        <Icon name="search" />
      </button>
      {sheet}
    </>
  );
}

/** The number of what needs attention. The list is loaded when somebody opens it. */
function Bell() {
  const { attention } = useHub();
  const { open, sheet } = useSheet(loadNotifications);
  const count = attention.list.value.length;
  return (
    <>
      <button
        type="button"
        class="button button-plain button-icon bell"
        aria-label={pageWords.nav.notifications(count)}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon name="bell" />
        {count === 0 ? null : (
          <span class="bell-count" aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </button>
      {sheet}
    </>
  );
}
