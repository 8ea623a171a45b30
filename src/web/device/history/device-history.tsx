import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { within } from '#web/client/within.ts';
import style from '#web/history/history.loaded.css';
import { chartOf } from '#web/history/stretches.ts';
import { loadStyle } from '#web/parts/loaded-style.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

type Props = { readonly device: Device };
type State = { readonly panel: ComponentType<Props> } | 'loading' | 'failed';

const LOAD_MS = 8_000;

/** The history of a device that has one. What it needs is loaded with the first of them. */
export function DeviceHistory({ device }: Props) {
  const [state, setState] = useState<State>('loading');
  const hasHistory = device.features.some((feature) => chartOf(feature) !== null);
  useEffect(() => {
    if (!hasHistory || state !== 'loading') return;
    within(LOAD_MS, async () => {
      const [{ HistoryPanel }] = await Promise.all([import('#web/history/history-panel.tsx'), loadStyle(style)]);
      return HistoryPanel;
    }).then(
      (panel) => setState({ panel }),
      () => setState('failed'),
    );
  }, [hasHistory, state]);
  if (!hasHistory) return null;
  if (typeof state === 'object') return <state.panel key={device.id} device={device} />;
  return (
    <section class="panel" aria-busy={state === 'loading'}>
      {state === 'loading' ? (
        <p class="soft">{pageWords.loading}</p>
      ) : (
        <div role="alert">
          <p>{pageWords.problem.network}</p>
          <button type="button" class="button" onClick={() => setState('loading')}>
            {pageWords.retry}
          </button>
        </div>
      )}
    </section>
  );
}
