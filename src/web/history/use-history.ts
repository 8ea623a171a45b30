import { useCallback, useEffect, useState } from 'preact/hooks';
import type { HistoryAnswer, HistorySeries } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { problemWords } from '#web/strings/problem-words.ts';
import { SERIES_MOST } from './csv.ts';
import type { Range } from './stretches.ts';
import { type Span, spanOf } from './time-axis.ts';

/** The page wants to read this: `from` and `to` as the API takes them. Without `to` the range goes on with the time. */
type Wanted = {
  /** Features by `device/key`. */
  readonly points: readonly string[];
  /** Counters by `device/key`: each part of the range has what it counted. */
  readonly counters: readonly string[];
  readonly from: string;
  readonly to: string | null;
  readonly span: Span;
};
export type ShownHistory = {
  readonly span: Span;
  readonly range: Range;
  readonly timeZone: string;
  /** By `seriesId`. */
  readonly series: ReadonlyMap<string, HistorySeries>;
};
type State = { readonly shown?: ShownHistory & { readonly asked: string }; readonly fault?: string };

/** Charts have no more columns of pixels than this makes. */
const POINTS = 400;
const EVERY_MS = 60_000;
/** The parts of a range in which a counter is shown. */
const PARTS: Readonly<Record<Span, string>> = {
  hours: '1h',
  night: '1h',
  day: '1h',
  week: '1d',
  month: '1d',
  year: '1mo',
};

/** The history of features, read anew each minute if it goes on. What was read last stays while the hub is silent. */
export function useHistory(wanted: Wanted): State & { readonly retry: () => void } {
  const { client } = useHub();
  const [state, setState] = useState<State>({});
  const [tries, setTries] = useState(0);
  const { from, to } = wanted;
  const asked = JSON.stringify(wanted);
  const range = `${from} ${to ?? ''}`;
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      try {
        const shown = await readShown(client.call, JSON.parse(asked) as Wanted);
        if (!isOver) setState({ shown: { ...shown, asked: range } });
      } catch (cause) {
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
        if (!isOver) setState(({ shown }) => ({ ...(shown && { shown }), fault: problemWords(cause) }));
      }
    };
    void read();
    const timer = to === null ? setInterval(() => document.hidden || void read(), EVERY_MS) : undefined;
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, asked, range, to, tries]);
  const retry = useCallback(() => setTries((count) => count + 1), []);
  // Never the values of one time under the name of another.
  return {
    ...(state.shown?.asked === range && { shown: state.shown }),
    ...(state.fault && { fault: state.fault }),
    retry,
  };
}

type Call = <Json>(method: string, path: string) => Promise<Json>;

/** Features, by `device/key`, as a parameter of a query takes them. */
export function seriesList(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(name)).join(',');
}

/** A name that survives a new selector of its device. Series of no device have one name. */
export function seriesId({ device, key, series }: Pick<HistorySeries, 'device' | 'key' | 'series'>): string {
  return device === null ? series : `${device.id}/${key}`;
}

async function readShown(call: Call, { points, counters, from, to, span }: Wanted): Promise<ShownHistory> {
  const answers: HistoryAnswer[] = [];
  const until = to === null ? '' : `&to=${encodeURIComponent(to)}`;
  const read = async (names: readonly string[], how: string): Promise<void> => {
    // One after the other: the hub answers few questions about the past at a time.
    for (let start = 0; start < names.length; start += SERIES_MOST) {
      const series = seriesList(names.slice(start, start + SERIES_MOST));
      const range = `from=${encodeURIComponent(from)}${until}`;
      answers.push(await call<HistoryAnswer>('GET', `/history?series=${series}&${range}&${how}&times=ms`));
    }
  };
  await read(points, `points=${POINTS}`);
  await read(counters, `resolution=${PARTS[span]}`);
  const [first] = answers;
  const range = { fromMs: Date.parse(first?.from ?? ''), toMs: Date.parse(first?.to ?? '') };
  return {
    span: spanOf(range),
    range,
    timeZone: first?.time_zone ?? 'UTC',
    series: new Map(answers.flatMap(({ series }) => series).map((one) => [seriesId(one), one])),
  };
}
