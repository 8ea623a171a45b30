import { isJsonObject } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { AutomationId, FeatureRef, HistoryQuestion } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { pastValue, spanOf } from '#core/automation-replay/recorded/past-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { HistoryStore, MovedSample } from '#core/past/history/history-store.ts';
import type { HeardSamples } from '#core/past/history/sample-sender.ts';
import { type HeldSeries, holdSeries } from './held-series.ts';

/** The past was recorded, and goes on being recorded. */
export type PastSource = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly heard: HeardSamples;
  /** Calls the listener when somebody changed what was recorded of these series; `null`: of any. */
  readonly onPastChange: (listener: (series: ReadonlySet<string> | null) => void) => () => void;
  /** Calls the listener with samples that were heard and did not keep their times when they were stored. */
  readonly onMoved: (listener: (moved: readonly MovedSample[]) => void) => () => void;
};

/**
 * The samples that `history` operands of automations look at. They are read once and then kept up to date with each
 * sample that is made, so that a decision gets the answer that a replay of this moment would get, and waits for none.
 */
export type RecentPast = ReturnType<typeof createRecentPast>;

type RecentPastDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly past: PastSource;
  readonly findFeature: (ref: FeatureRef) => Feature | undefined;
  /** Hub time as samples have it; `undefined` while nobody knows how long ago something was. */
  readonly nowMs: () => number | undefined;
};

const RETRY_MS = 60_000;
/** A person who starts an automation waits no longer. */
const READY_MS = 2_000;
/** All series together may take this: 200,000 numbers, or fewer texts. */
const MOST_BYTES = 3_200_000;

export function createRecentPast({ past, findFeature, nowMs, startTimer, log }: RecentPastDeps) {
  const asked = new Map<AutomationId, ReadonlyMap<string, number>>();
  const shelf = new Map<string, { readonly one: HeldSeries; readonly done: Promise<void> }>();
  const inTurn = createTurnQueue();
  const { wait, stop: stopWaiting } = createWaits(startTimer);

  const hold = (series: string, spanMs: number): void => {
    shelf.get(series)?.one.end('over');
    const one = holdSeries({ ...past, nowMs, wait, inTurn, onGrown, onStale: renewOne }, { series, spanMs });
    const done = one.read().catch((cause: unknown) => {
      log.error('what automations look at of the past cannot be read, and is tried again', { series, cause });
      if (one.state() !== 'reading') return;
      one.end('unknown');
      void wait(RETRY_MS).then(() => renewOne(one));
    });
    shelf.set(series, { one, done });
  };
  const renewOne = (one: HeldSeries): void => {
    if (one.state() !== 'over') hold(one.series, one.spanMs);
  };
  const onGrown = (one: HeldSeries): void => {
    if ([...shelf.values()].reduce((sum, { one: each }) => sum + each.bytes(), 0) <= MOST_BYTES) return;
    one.end('unknown');
    log.warn('automations look at more of the past than fits into the memory', { series: one.series });
  };
  const renew = (series: ReadonlySet<string> | null): void => {
    for (const { one } of shelf.values()) if (series === null || series.has(one.series)) renewOne(one);
  };
  const review = (): void => {
    const spans = new Map<string, number>();
    for (const ofOne of asked.values()) {
      for (const [series, ms] of ofOne) spans.set(series, Math.max(ms, spans.get(series) ?? 0));
    }
    for (const [series, { one }] of shelf) {
      if (spans.has(series)) continue;
      one.end('over');
      shelf.delete(series);
    }
    for (const [series, ms] of spans) {
      const one = shelf.get(series)?.one;
      if (one === undefined || one.state() === 'unknown' || one.spanMs < ms) hold(series, ms);
    }
  };
  const ends = [
    past.heard.subscribe((sample) => shelf.get(sample.series)?.one.hear(sample)),
    past.onPastChange(renew),
    // The last one first: the others may come to stand right before it.
    past.onMoved((moved) => moved.toReversed().forEach((sample) => shelf.get(sample.series)?.one.move(sample))),
  ];

  return {
    /** `undefined`: it is not known, not read yet, or more than fits. */
    answer: (question: HistoryQuestion): number | undefined => {
      const one = shelf.get(seriesOf(question))?.one;
      const samples = one !== undefined && spanOf(question) <= one.spanMs ? one.samples() : undefined;
      const presentMs = nowMs();
      if (samples === undefined || presentMs === undefined) return undefined;
      return pastValue(samples, question, { nowMs: presentMs, feature: findFeature(question) });
    },
    /** What the automation asks takes the place of what it asked before; all its versions that still run are meant. */
    put: (id: AutomationId, definitions: readonly Definition[]): void => {
      const spans = spansIn(definitions);
      if (spans.size === 0 && !asked.has(id)) return;
      if (spans.size === 0) asked.delete(id);
      else asked.set(id, spans);
      review();
    },
    /** Resolves once what the automation asks is read, or that takes too long; `undefined` if there is nothing to wait for. */
    ready: (id: AutomationId): Promise<void> | undefined => {
      const waiting = [...(asked.get(id)?.keys() ?? [])].flatMap((series) => {
        const found = shelf.get(series);
        return found?.one.state() === 'reading' ? [found.done] : [];
      });
      if (waiting.length === 0) return undefined;
      return Promise.race([Promise.all(waiting).then(() => undefined), wait(READY_MS)]);
    },
    /** The clock was set: the times of all samples are others now. */
    renew: (): void => renew(null),
    stop: (): void => {
      for (const end of ends) end();
      stopWaiting();
      for (const { one } of shelf.values()) one.end('over');
      shelf.clear();
    },
  };
}

function createWaits(startTimer: StartTimer) {
  const timers = new Set<() => void>();
  return {
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const stop = startTimer(ms, () => {
          timers.delete(stop);
          resolve();
        });
        timers.add(stop);
      }),
    stop: (): void => {
      for (const stop of timers) stop();
    },
  };
}

function seriesOf({ device, key }: Pick<HistoryQuestion, 'device' | 'key'>): string {
  return `${device}/${key}`;
}

/** How far back the definitions look, by series. A value that only looks like a question leads to one too many. */
function spansIn(definitions: readonly Definition[]): ReadonlyMap<string, number> {
  const spans = new Map<string, number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isJsonObject(node)) return;
    const { history } = node;
    if (isJsonObject(history) && typeof history['over_s'] === 'number') {
      const question = history as unknown as HistoryQuestion;
      const series = seriesOf(question);
      spans.set(series, Math.max(spanOf(question), spans.get(series) ?? 0));
    }
    for (const one of Object.values(node)) if (one !== undefined) visit(one);
  };
  for (const definition of definitions) visit(definition);
  return spans;
}
