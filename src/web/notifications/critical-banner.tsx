import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';

const LOAD_MS = 8_000;
/** There are seldom any, so their code is not part of the first load. */
export const loadNotificationParts = () => within(LOAD_MS, () => import('./notification-sheet.tsx'));

/** Shows critical notifications above every page until somebody acknowledges them. */
export function CriticalBanner() {
  const { attention } = useHub();
  const [Banner, setBanner] = useState<ComponentType | null>(null);
  const isNeeded = attention.list.value.some(({ severity }) => severity === 'critical');
  useEffect(() => {
    if (!isNeeded || Banner !== null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = (): void => {
      loadNotificationParts().then(
        ({ CriticalList }) => !isOver && setBanner(() => CriticalList),
        () => (timer = setTimeout(attempt, LOAD_MS)),
      );
    };
    attempt();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isNeeded, Banner]);
  return isNeeded && Banner !== null ? <Banner /> : null;
}
