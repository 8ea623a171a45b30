import { useEffect, useRef, useState } from 'preact/hooks';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { formatLocale } from '#web/strings/formats.ts';
import type { Lines } from './line-plot.ts';

const LOAD_MS = 8_000;
/** These change the colors besides the choice of a theme. */
const MEDIA = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'];

/** Lines over time. The code that draws is loaded with the first one. */
export function LineChart({ tracks, range, marks, isPercent }: Lines) {
  const { appearance } = useHub();
  const host = useRef<HTMLDivElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [theme, setTheme] = useState(0);
  const look = appearance.look.value;

  useEffect(() => {
    if (hasFailed) return undefined;
    let isOver = false;
    let erase = (): void => undefined;
    within(LOAD_MS, () => import('./line-plot.ts')).then(
      ({ startPlot }) => {
        if (!isOver && host.current !== null)
          erase = startPlot(host.current, { tracks, range, marks, isPercent, locale: formatLocale() });
      },
      () => isOver || setHasFailed(true),
    );
    return () => {
      isOver = true;
      erase();
    };
    // Another theme has other colors, another size of text another axis.
  }, [tracks, range, marks, isPercent, look, theme, hasFailed]);
  useEffect(() => {
    const queries = MEDIA.map((media) => matchMedia(media));
    const drawAgain = (): void => setTheme((count) => count + 1);
    for (const query of queries) query.addEventListener('change', drawAgain);
    return () => queries.forEach((query) => query.removeEventListener('change', drawAgain));
  }, []);
  return (
    <div ref={host} class="line-chart">
      {hasFailed ? (
        <div role="alert">
          <p>{pageWords.problem.network}</p>
          <button type="button" class="button" onClick={() => setHasFailed(false)}>
            {pageWords.retry}
          </button>
        </div>
      ) : null}
    </div>
  );
}
