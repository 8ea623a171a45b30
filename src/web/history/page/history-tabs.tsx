import type { ComponentChildren } from 'preact';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import type { PageName } from '#web/router.ts';
import { history as historyWords } from '#web/strings/en/history.ts';

/** The views of the history, in their order: a page each. */
const TABS = [
  { page: 'history', href: '/history', words: () => historyWords.tabs.charts },
  { page: 'energy', href: '/history/energy', words: () => historyWords.tabs.energy },
  { page: 'historyLog', href: '/history/log', words: () => historyWords.tabs.log },
] as const satisfies readonly { readonly page: PageName; readonly href: string; readonly words: () => string }[];

type Props = { readonly title?: string; readonly children?: ComponentChildren };

/** The heading of each page of the history, with the way to the others. */
export function HistoryHead({ title = historyWords.title, children }: Props) {
  const { router } = useHub();
  const { name } = router.place.value;
  const present = TABS.find(({ page }) => page === name);
  return (
    <>
      <PageHead title={title}>{children}</PageHead>
      <nav class="choices history-tabs" aria-label={historyWords.tabs.label}>
        {TABS.map(({ page, href, words }) => (
          <a key={page} href={href} aria-current={page === present?.page ? 'page' : undefined}>
            {words()}
          </a>
        ))}
      </nav>
    </>
  );
}
