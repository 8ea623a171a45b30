import { useCallback, useEffect, useState } from 'preact/hooks';
import type { HistoryAnswer, HistorySeries } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { problemWords } from '#web/strings/problem-words.ts';
import { SERIES_MOST } from './csv.ts';
import type { Range } from './stretches.ts';
import { type Span, SPANS } from './time-axis.ts';

export type ShownHistory = {
  readonly span: Span;
  readonly range: Range;
  readonly timeZone: string;
  readonly series: ReadonlyMap<string, HistorySeries>;
};
type State = { readonly shown?: ShownHistory; readonly fault?: string };

/** Charts have no more columns of pixels than this makes. */
const POINTS = 400;
const EVERY_MS = 60_000;

/** The history of features of a device, read anew each minute. What was read last stays while the hub is silent. */
export function useHistory(
  device: string,
  keys: readonly string[],
  span: Span,
): State & { readonly retry: () => void } {
  const { client } = useHub();
  const [state, setState] = useState<State>({});
  const [tries, setTries] = useState(0);
  const wanted = keys.join(',');
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      try {
        const shown = await readShown(client.call, { device, keys: wanted.split(','), span });
        if (!isOver) setState({ shown });
      } catch (cause) {
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
        if (!isOver) setState(({ shown }) => ({ ...(shown && { shown }), fault: problemWords(cause) }));
      }
    };
    void read();
    const timer = setInterval(() => document.hidden || void read(), EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, device, wanted, span, tries]);
  const retry = useCallback(() => setTries((count) => count + 1), []);
  // Never the values of one time under the name of another.
  return {
    ...(state.shown?.span === span && { shown: state.shown }),
    ...(state.fault && { fault: state.fault }),
    retry,
  };
}

type Call = <Json>(method: string, path: string) => Promise<Json>;
type Wanted = { readonly device: string; readonly keys: readonly string[]; readonly span: Span };

/** The series of these features, as a parameter of a query takes them. */
export function seriesList(device: string, keys: readonly string[]): string {
  return keys.map((key) => encodeURIComponent(`${device}/${key}`)).join(',');
}

async function readShown(call: Call, { device, keys, span }: Wanted): Promise<ShownHistory> {
  const answers: HistoryAnswer[] = [];
  // One after the other: the hub answers few questions about the past at a time.
  for (let start = 0; start < keys.length; start += SERIES_MOST) {
    const series = seriesList(device, keys.slice(start, start + SERIES_MOST));
    answers.push(
      await call<HistoryAnswer>('GET', `/history?series=${series}&from=${SPANS[span].ago}&points=${POINTS}&times=ms`),
    );
  }
  const [first] = answers;
  return {
    span,
    range: { fromMs: Number(first?.from), toMs: Number(first?.to) },
    timeZone: first?.time_zone ?? 'UTC',
    series: new Map(answers.flatMap(({ series }) => series).map((one) => [one.key, one])),
  };
}
