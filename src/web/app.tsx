import { useEffect } from 'preact/hooks';
import { LoginPage } from '#web/account/login-page.tsx';
import { SetupPage } from '#web/welcome/setup-page.tsx';
import { HomePage } from '#web/home/home-page.tsx';
import { QuestionDialog } from '#web/parts/confirm-dialog.tsx';
import { MessageList } from '#web/parts/message-list.tsx';
import { Shell } from './shell.tsx';
import { useHub } from './hub.ts';
import { LoadedPage, PAGES } from './loaded-page.tsx';
import { KeptFor, NothingHere, Unreachable } from './plain-pages.tsx';
import { type Place, RIGHT_OF_PAGE } from './router.ts';

/** Shows the page for the phase (setup, login, signed in) and then for the address. */
export function App() {
  const { account } = useHub();
  return (
    <>
      <Face phase={account.phase.value} />
      <QuestionDialog />
      <MessageList />
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
