import type { ComponentChildren } from 'preact';
import { useHub } from '#web/hub.ts';
import { useLasting } from '#web/state/live.ts';
import { t } from '#web/strings/strings.ts';
import { Bell, CriticalBanner } from '#web/notifications/bell.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';

const QUIET_MS = 1_500;
const AWAY_MS = 5_000;

/** What is around every page of the home: its name, the way to the settings, and whether the hub is there. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { account, router, time } = useHub();
  const isHome = router.place.value.name === 'home';
  const apart = time.apartMinutes.value;
  return (
    <div class="shell">
      <a class="skip button" href="#content" onClick={toContent}>
        {t.skipToContent}
      </a>
      <header class="bar">
        <a class="bar-home" href="/" aria-current={isHome ? 'page' : undefined}>
          <Icon name="hearth" size={28} />
          <bdi class="bar-name">{account.hub.value?.name ?? t.nav.home}</bdi>
        </a>
        <Connection />
        <nav class="bar-nav" aria-label={t.nav.label}>
          <Bell />
          {account.can('device:manage') ? (
            <a
              class="button button-plain button-icon"
              href="/add"
              aria-label={t.pairing.title}
              aria-current={router.place.value.name === 'add' ? 'page' : undefined}
            >
              <Icon name="plus" />
            </a>
          ) : null}
          <a
            class="button button-plain button-icon"
            href="/settings"
            aria-label={t.nav.settings}
            aria-current={router.place.value.name?.startsWith('settings') === true ? 'page' : undefined}
          >
            <Icon name="settings" />
          </a>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        <CriticalBanner />
        <Away />
        {apart === null ? null : (
          <div class="page-notice">
            <Notice tone="warn" text={t.hub.clockApart(t.time.apart(apart))} />
          </div>
        )}
        {children}
      </main>
    </div>
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
  const isLate = useLasting(isConnected !== true, QUIET_MS) || live.isDoubted.value;
  const words = isConnected === null ? t.hub.connecting : t.hub.reconnecting;
  return (
    <div class="connection" role="status">
      {isLate ? (
        <span class="connection-pill">
          <span class="connection-dot pulse" />
          {words}
        </span>
      ) : null}
    </div>
  );
}

/** Says that what the page shows is old. */
function Away() {
  const { live, time, home } = useHub();
  const isAway = useLasting(live.isConnected.value !== true, AWAY_MS);
  if (!isAway || !home.isLoaded.value) return null;
  return (
    <div class="page-notice">
      <Notice tone="warn" text={t.hub.away(time.lastHeard())} />
    </div>
  );
}
