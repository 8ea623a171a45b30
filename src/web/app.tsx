import { useEffect } from 'preact/hooks';
import { LoginPage } from '#web/account/login-page.tsx';
import { SetupPage } from '#web/welcome/setup-page.tsx';
import { HomePage } from '#web/home/home-page.tsx';
import { QuestionDialog } from '#web/parts/confirm-dialog.tsx';
import { MessageList } from '#web/parts/message-list.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead, usePageTitle } from '#web/parts/page-head.tsx';
import { refusedPageWords, type Right } from '#web/state/account/rights.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Away, Shell } from './shell.tsx';
import { useHub } from './hub.ts';
import { LoadedPage, PAGES } from './loaded-page.tsx';
import { type Place, RIGHT_OF_PAGE } from './router.ts';

/** Shows the page for the phase (setup, login, signed in) and then for the address. */
export function App() {
  const { account } = useHub();
  return (
    <>
      <Face phase={account.phase.value} />
      <QuestionDialog />
      <MessageList>
        <Away />
      </MessageList>
    </>
  );
}

function Face({ phase }: { readonly phase: string }) {
  const { router, account } = useHub();
  const place = router.place.value;
  useEffect(() => {
    // The phase decides about login and setup; a signed-in person goes home.
    const isGate = place.name === 'login' || place.name === 'setup';
    if (phase === 'signed_in' && isGate) router.go('/', 'replace');
  }, [phase, place.name, router]);
  switch (phase) {
    case 'unclaimed':
      return <SetupPage />;
    case 'signed_out':
      return <LoginPage />;
    case 'unreachable':
      return <Unreachable />;
    case 'signed_in':
      // A hub that was just claimed: nothing of the home leads away from its first steps.
      if (place.name === 'welcome' && account.can('hub:manage')) return <Current place={place} />;
      return (
        <Shell>
          <Current place={place} />
        </Shell>
      );
    default:
      return null;
  }
}

function Current({ place }: { readonly place: Place }) {
  const { account } = useHub();
  const { name, params, path } = place;
  if (name === 'home' || name === 'login' || name === 'setup') return <HomePage />;
  const load = name === null ? undefined : PAGES[name];
  if (name === null || load === undefined) return <NothingHere />;
  const needs = RIGHT_OF_PAGE[name];
  if (needs !== undefined && !account.can(needs)) {
    // The role is known within a moment.
    return account.me.value === null ? <div class="page" aria-busy="true" /> : <KeptFor right={needs} />;
  }
  // Each address gets a new page that keeps nothing of the one before.
  return <LoadedPage key={path} load={load} params={params} />;
}

/** Shown while no one is signed in and the hub does not answer. The page continues by itself. */
function Unreachable() {
  const { account } = useHub();
  usePageTitle(pageWords.hub.unreachableTitle);
  return (
    <main class="gate">
      <div class="gate-card">
        <Icon name="offline" size={40} />
        <h1>{pageWords.hub.unreachableTitle}</h1>
        <p class="soft">{pageWords.hub.unreachableText}</p>
        <button type="button" class="button button-wide" onClick={() => void account.look()}>
          {pageWords.retry}
        </button>
      </div>
    </main>
  );
}

function NothingHere() {
  return (
    <div class="page blank">
      <PageHead title={pageWords.notFound.title} />
      <p class="soft">{pageWords.notFound.text}</p>
      <a class="button" href="/">
        {pageWords.device.toHome}
      </a>
    </div>
  );
}

/** Shown instead of a page that this person may not see. */
function KeptFor({ right }: { readonly right: Right }) {
  return (
    <div class="page narrow">
      <PageHead title={refusedPageWords(right)} back={{ href: '/settings', label: pageWords.nav.settings }} />
    </div>
  );
}
