import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { KeptNearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import { type AutomationRun, isDull } from '#core/automation-run/trace/trace.ts';
import { findApproach, type ValuesSeen } from './approach.ts';
import { toldOfMiss, toldOfRun, verdictOfMiss, verdictOfRun } from './told.ts';
import type { Wording } from '#words/texts.ts';
import type { Span, Why, WhyLine, Window } from './verdict.ts';

/** All that is known of the time in question. All times are hub time. */
export type WhyFacts = {
  readonly automation: AutomationId;
  readonly atMs: number;
  readonly window: Window;
  /** The triggers of the version that counted then; `undefined` before there was one. */
  readonly triggers: readonly Trigger[] | undefined;
  readonly runs: readonly AutomationRun[];
  readonly nearMisses: readonly KeptNearMiss[];
  readonly source: 'kept' | 'replay';
  /** Whether nothing of the window is missing in `runs` and `nearMisses`. */
  readonly isComplete: boolean;
  /** For the whole window. */
  readonly idle: { readonly verdict: 'disabled' | 'suspended' | 'broken'; readonly reason?: Wording } | undefined;
  readonly hubOff: readonly Span[];
  /** When devices of triggers could not be reached. */
  readonly offline: readonly (Span & { readonly device: DeviceId })[];
  /** What features of triggers were in the window. */
  readonly values: ValuesSeen;
};

/** Finds what tells most: a start that did something, then one that came to nothing, then what kept it from starting. */
export function explainWhy(facts: WhyFacts): Why {
  const runs = facts.runs.filter((run) => overlaps(momentsOfRun(run), facts.window));
  const misses = facts.nearMisses.filter((miss) => overlaps(momentsOfMiss(miss), facts.window));
  const found = decide(facts, runs, misses);
  return { ...found, timeline: timelineOf(facts, runs, misses) };
}

const MAX_LINES = 200;

function timelineOf(
  { hubOff, offline }: WhyFacts,
  runs: readonly AutomationRun[],
  misses: readonly KeptNearMiss[],
): readonly WhyLine[] {
  const lines: WhyLine[] = [
    ...runs.map((run) => ({ ...toldOfRun(run), atMs: momentsOfRun(run).fromMs })),
    ...misses.map((miss) => ({ ...toldOfMiss(miss), atMs: momentsOfMiss(miss).fromMs })),
    ...hubOff.map((span) => ({ code: 'hub_off' as const, fields: span, atMs: span.fromMs })),
    ...offline.map((span) => ({ code: 'device_offline' as const, fields: span, atMs: span.fromMs })),
  ];
  return lines.toSorted((left, right) => left.atMs - right.atMs).slice(-MAX_LINES);
}

type Decision = Omit<Why, 'timeline'>;

function decide(facts: WhyFacts, runs: readonly AutomationRun[], misses: readonly KeptNearMiss[]): Decision {
  const { source } = facts;
  const { atMs } = facts;
  const telling = closest(
    atMs,
    runs.filter((run) => !isDull(run)),
    momentsOfRun,
  );
  const isNear = telling !== undefined && distance(atMs, momentsOfRun(telling)) <= NEAR_MS;
  // One that did something long before does not answer for the moment at which another came to nothing.
  const run = isNear ? telling : closest(atMs, runs, momentsOfRun);
  if (run !== undefined) return { source, verdict: verdictOfRun(run), ...toldOfRun(run) };
  const stopped = closest(
    facts.atMs,
    misses.filter((miss) => verdictOfMiss(miss) !== 'trigger_never_happened'),
    momentsOfMiss,
  );
  const off = facts.hubOff.find((span) => span.fromMs <= facts.atMs && facts.atMs < span.toMs);
  if (off !== undefined) return { source, verdict: 'hub_off', code: 'hub_off', fields: off };
  if (stopped !== undefined) return { source, verdict: verdictOfMiss(stopped), ...toldOfMiss(stopped) };
  if (facts.triggers === undefined) {
    return { source: 'none', verdict: 'no_data', code: 'not_there_yet', fields: {} };
  }
  const { idle } = facts;
  if (idle !== undefined) {
    const fields = idle.reason === undefined ? {} : { reason: idle.reason };
    return { source, verdict: idle.verdict, code: idle.verdict, fields };
  }
  const away = facts.offline.find((span) => span.fromMs <= facts.window.fromMs && span.toMs >= facts.window.toMs);
  if (away !== undefined && misses.length === 0) {
    return { source, verdict: 'device_unknown', code: 'device_offline', fields: away };
  }
  if (facts.isComplete || misses.length > 0) {
    return { source, verdict: 'trigger_never_happened', ...findApproach(facts, facts.triggers, misses) };
  }
  return { source: 'none', verdict: 'no_data', code: 'nothing_kept', fields: {} };
}

function overlaps(moments: Span, { fromMs, toMs }: Window): boolean {
  return moments.fromMs <= toMs && moments.toMs >= fromMs;
}

/** From the moment that it is for on: one that was made up for is for the time at which it should have been. */
function momentsOfRun({ trigger, startedAtMs, finishedAtMs, merged }: AutomationRun): Span {
  const fromMs = trigger.lateMs > 0 ? Math.min(startedAtMs - trigger.lateMs, startedAtMs) : startedAtMs;
  return { fromMs, toMs: merged > 0 ? (finishedAtMs ?? startedAtMs) : startedAtMs };
}

function momentsOfMiss({ reason, atMs, lastAtMs }: KeptNearMiss): Span {
  return { fromMs: reason.why === 'missed' ? atMs - reason.lateMs : atMs, toMs: lastAtMs };
}

function closest<Item>(atMs: number, items: readonly Item[], momentsOf: (item: Item) => Span): Item | undefined {
  return items.toSorted((left, right) => distance(atMs, momentsOf(left)) - distance(atMs, momentsOf(right)))[0];
}

function distance(atMs: number, { fromMs, toMs }: Span): number {
  return atMs < fromMs ? fromMs - atMs : Math.max(0, atMs - toMs);
}
const NEAR_MS = 60_000;
