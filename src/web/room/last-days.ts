import { type Signal, signal } from '@preact/signals';
import type { HistoryAnswer, HistorySeries } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import type { Range, Stretch } from '#web/history/stretches.ts';

type Day = { readonly series: HistorySeries; readonly range: Range };

export const [WIDTH, HEIGHT] = [96, 24];
/** A room that keeps its temperature is a flat line, not a mountain range. */
const LEAST_SPAN = 2;

/** A step for each value; nothing where nothing is known. */
export function pathOf(
  stretches: readonly Stretch[],
  { fromMs, toMs }: Range,
  { min, max }: { readonly min: number; readonly max: number },
): string {
  const span = Math.max(LEAST_SPAN, max - min);
  const base = (min + max - span) / 2;
  const x = (atMs: number): number => round(((atMs - fromMs) / (toMs - fromMs)) * WIDTH);
  let path = '';
  let endMs: number | undefined;
  for (const stretch of stretches) {
    if (!('value' in stretch) || typeof stretch.value !== 'number') continue;
    const y = round(HEIGHT - 1 - ((stretch.value - base) / span) * (HEIGHT - 2));
    path += endMs === stretch.fromMs ? `V${y}` : `M${x(stretch.fromMs)} ${y}`;
    path += `H${x(stretch.toMs)}`;
    endMs = stretch.toMs;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export type Days = {
  readonly of: (series: string) => Signal<Day | undefined>;
  /** Reads it together with the others, and again every ten minutes, until the returned function is called. */
  readonly want: (series: string) => () => void;
};

/** The hub answers so many series in one question. */
const MOST = 50;
const POINTS = 60;
const EVERY_MS = 600_000;
/** The rooms of a page come within this time, so that they are one question. */
const GATHER_MS = 50;

/** Nothing is read while nobody sees the page. */
export function createDays(client: Pick<HubClient, 'call'>, isHidden: () => boolean): Days {
  const signals = new Map<string, Signal<Day | undefined>>();
  const wanted = new Map<string, number>();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let readAtMs = -Infinity;
  const of: Days['of'] = (series) => {
    const found = signals.get(series) ?? signal<Day | undefined>(undefined);
    signals.set(series, found);
    return found;
  };
  const readSome = async (some: readonly string[]): Promise<void> => {
    const series = some.map((name) => encodeURIComponent(name)).join(',');
    const answer = await client.call<HistoryAnswer>('GET', `/history?series=${series}&points=${POINTS}&times=ms`);
    const range = { fromMs: Date.parse(answer.from), toMs: Date.parse(answer.to) };
    for (const one of answer.series) of(`${one.device?.id ?? ''}/${one.key}`).value = { series: one, range };
  };
  const read = async (): Promise<void> => {
    readAtMs = performance.now();
    const names = [...wanted.keys()];
    try {
      for (let start = 0; start < names.length; start += MOST) await readSome(names.slice(start, start + MOST));
    } catch (cause) {
      // The lines are an extra: the next reading tries again.
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
    }
  };
  setInterval(() => {
    if (wanted.size > 0 && !isHidden()) void read();
  }, EVERY_MS);
  return {
    of,
    want: (series) => {
      wanted.set(series, (wanted.get(series) ?? 0) + 1);
      const isFresh = of(series).peek() !== undefined && performance.now() - readAtMs < EVERY_MS;
      if (!isFresh && gathering === undefined) {
        gathering = setTimeout(() => {
          gathering = undefined;
          void read();
        }, GATHER_MS);
      }
      return () => {
        const left = (wanted.get(series) ?? 1) - 1;
        if (left > 0) wanted.set(series, left);
        else wanted.delete(series);
      };
    },
  };
}
