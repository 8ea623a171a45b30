import { Icon } from '#web/parts/icon.tsx';
import { PageHead, usePageTitle } from '#web/parts/page-head.tsx';
import { refusedPageWords, type Right } from '#web/state/account/rights.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { useHub } from './hub.ts';

/** Shown while no one is signed in and the hub does not answer. The page continues by itself. */
export function Unreachable() {
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

export function NothingHere() {
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
export function KeptFor({ right }: { readonly right: Right }) {
  return (
    <div class="page narrow">
      <PageHead title={refusedPageWords(right)} back={{ href: '/settings', label: pageWords.nav.settings }} />
    </div>
  );
}
