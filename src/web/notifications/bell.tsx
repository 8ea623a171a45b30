import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';

type Sheet = ComponentType<{ readonly onClose: () => void }>;
type Banner = ComponentType;

const LOAD_MS = 8_000;
const load = () => within(LOAD_MS, () => import('./notification-sheet.tsx'));

/** The number of what needs attention. The list is loaded when somebody opens it. */
export function Bell() {
  const { attention, messages } = useHub();
  const [sheet, setSheet] = useState<{ readonly Sheet: Sheet } | null>(null);
  const count = attention.list.value.length;
  const open = (): void => {
    load().then(
      ({ NotificationSheet }) => setSheet({ Sheet: NotificationSheet }),
      () => messages.show(pageWords.problem.network, 'danger'),
    );
  };
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
      {sheet === null ? null : <sheet.Sheet onClose={() => setSheet(null)} />}
    </>
  );
}

/** What is critical stands above every page until somebody acknowledges it. */
export function CriticalBanner() {
  const { attention } = useHub();
  const [banner, setBanner] = useState<{ readonly Banner: Banner } | null>(null);
  const isNeeded = attention.list.value.some(({ severity }) => severity === 'critical');
  useEffect(() => {
    if (!isNeeded || banner !== null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = (): void => {
      load().then(
        ({ CriticalList }) => !isOver && setBanner({ Banner: CriticalList }),
        () => (timer = setTimeout(attempt, LOAD_MS)),
      );
    };
    attempt();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isNeeded, banner]);
  return isNeeded && banner !== null ? <banner.Banner /> : null;
}
