import type { JsonValue } from '#base/json.ts';
import { GRACE_S, type ThresholdTrigger, type Trigger, type ValueMatch } from '#core/automation/document/trigger.ts';
import type { OracleFacts } from './oracle-condition.ts';
import { isSame, type OracleWorld, type Sight } from './oracle-world.ts';

/** A trigger that somebody watches since an input, and the moments at which it was looked at by the clock. */
export type Watch = {
  readonly trigger: Trigger;
  readonly sinceSeq: number;
  readonly sinceMs: number;
  readonly isWait: boolean;
  readonly looks: { readonly seq: number; readonly atMs: number }[];
};

type Firing = { readonly seq: number; readonly facts: OracleFacts };
type Past = { readonly firings: readonly Firing[]; readonly nextMs: number | undefined };
type Hold = { readonly sinceMs: number; unknownSinceMs: number | undefined; readonly facts: OracleFacts };

/** The thing that a trigger watches, by its name in `told`. */
export function watchedName(trigger: Trigger): string | undefined {
  if ((trigger.type === 'feature' || trigger.type === 'threshold') && 'device' in trigger)
    return `${trigger.device} ${trigger.key}`;
  if (trigger.type === 'availability' && 'device' in trigger) return `availability/${trigger.device}`;
  if (trigger.type === 'mode') return `mode/${trigger.mode}`;
  if (trigger.type === 'variable') return `variable/${trigger.variable}`;
  if (trigger.type === 'presence') return `presence/${trigger.person}/${trigger.to}`;
  if (trigger.type === 'occurrence' && 'device' in trigger) return `occurrence/${trigger.device} ${trigger.key ?? ''}`;
  return undefined;
}

const read = new WeakMap<Watch, { readonly told: number; readonly looks: number; readonly past: Past }>();

/** Goes through all that the trigger has seen, from the beginning, and says when it fired and when it needs a look. */
export function readPast(watch: Watch, world: OracleWorld): Past {
  const told = world.told.get(watchedName(watch.trigger) ?? '') ?? [];
  const known = read.get(watch);
  // Both only grow, so nothing is new.
  if (known?.told === told.length && known.looks === watch.looks.length) return known.past;
  const past = pastFrom(watch, told);
  read.set(watch, { told: told.length, looks: watch.looks.length, past });
  return past;
}

function pastFrom(watch: Watch, told: readonly Sight[]): Past {
  const { trigger, sinceSeq, isWait, looks } = watch;
  const begin = told.findLast(({ seq }) => seq <= sinceSeq);
  const forMs = 'for_s' in trigger && trigger.for_s !== undefined ? trigger.for_s * 1000 : undefined;
  const graceMs = ('grace_s' in trigger && trigger.grace_s !== undefined ? trigger.grace_s : GRACE_S) * 1000;
  const moves = moveOf(trigger);
  const firings: Firing[] = [];
  let hold: Hold | undefined;
  const edge = moves(begin);
  if (isWait && forMs !== undefined && begin !== undefined && edge.isSoNow())
    hold = {
      // Nobody notes since when a mode, a variable or a person is as it is, so they count from the beginning of the wait.
      sinceMs: ['mode', 'variable', 'presence'].includes(trigger.type) ? watch.sinceMs : begin.changedAtMs,
      unknownSinceMs: begin.isKnown ? undefined : watch.sinceMs,
      facts: { id: trigger.id, from: begin.value, value: begin.value, depth: begin.depth },
    };
  const lookAt = (seq: number, atMs: number): void => {
    if (hold === undefined || forMs === undefined) return;
    if (hold.unknownSinceMs !== undefined) {
      if (atMs >= hold.unknownSinceMs + graceMs) hold = undefined;
    } else if (atMs >= hold.sinceMs + forMs) {
      firings.push({ seq, facts: hold.facts });
      hold = undefined;
    }
  };
  const see = (sight: Sight): void => {
    if (!sight.isKnown) {
      if (hold !== undefined) hold.unknownSinceMs ??= sight.atMs;
      return;
    }
    if (hold?.unknownSinceMs !== undefined) {
      if (sight.atMs - hold.unknownSinceMs > graceMs) hold = undefined;
      else hold.unknownSinceMs = undefined;
    }
    const { crossed, isSo, from } = edge.next(sight);
    if (!isSo) hold = undefined;
    if (crossed) {
      const before = trigger.type === 'availability' || trigger.type === 'presence' ? undefined : from;
      const value = trigger.type === 'presence' ? trigger.to : sight.value;
      const facts = { id: trigger.id, from: before, value, depth: sight.depth };
      if (forMs === undefined) firings.push({ seq: sight.seq, facts });
      else hold = { sinceMs: sight.changedAtMs, unknownSinceMs: undefined, facts };
    }
    lookAt(sight.seq, sight.atMs);
  };
  if (trigger.type === 'occurrence') {
    const { action } = trigger;
    const fitting = told.filter(
      ({ seq, value }) => seq > sinceSeq && (action === undefined || [action].flat().includes(value as string)),
    );
    return {
      firings: fitting.map(({ seq, depth, value }) => ({
        seq,
        facts: { id: trigger.id, from: undefined, value, depth },
      })),
      nextMs: undefined,
    };
  }
  const later = told.filter(({ seq }) => seq > sinceSeq).map((sight) => ({ seq: sight.seq, run: () => see(sight) }));
  const seen = looks.map(({ seq, atMs }) => ({ seq, run: () => lookAt(seq, atMs) }));
  for (const { run } of [...later, ...seen].toSorted((left, right) => left.seq - right.seq)) run();
  if (hold === undefined || forMs === undefined) return { firings, nextMs: undefined };
  const { unknownSinceMs, sinceMs } = hold;
  return { firings, nextMs: unknownSinceMs === undefined ? sinceMs + forMs : unknownSinceMs + graceMs };
}

type Move = { readonly crossed: boolean; readonly isSo: boolean; readonly from: JsonValue | undefined };
type Edge = { readonly isSoNow: () => boolean; readonly next: (sight: Sight) => Move };

function moveOf(trigger: Trigger): (begin: Sight | undefined) => Edge {
  return trigger.type === 'threshold' ? (begin) => crossingOf(trigger, begin) : (begin) => changeOf(trigger, begin);
}

/** Another value than the last known one. The first value that ever was is no change. */
function changeOf(trigger: Trigger, begin: Sight | undefined): Edge {
  const { to, from } =
    trigger.type === 'presence'
      ? { to: true, from: undefined }
      : (trigger as { readonly to?: ValueMatch; readonly from?: ValueMatch });
  let last = begin?.value;
  return {
    isSoNow: () => last !== undefined && to !== undefined && fits(to, last),
    next: ({ value }) => {
      const before = last;
      last = value;
      if (isSame(before, value)) return { crossed: false, isSo: true, from: before };
      const crossed = before !== undefined && fits(from, before) && fits(to, value);
      return { crossed, isSo: crossed, from: before };
    },
  };
}

function fits(match: ValueMatch | undefined, value: JsonValue | undefined): boolean {
  return match === undefined || match === '*' || [match].flat().some((one) => isSame(one, value));
}

/** Armed again beyond the hysteresis; unknown keeps that. The first value is no crossing. */
function crossingOf({ above, below, hysteresis = 0 }: ThresholdTrigger, begin: Sight | undefined): Edge {
  const isIn = (value: JsonValue | undefined): boolean =>
    typeof value === 'number' &&
    (above === undefined || value > Number(above)) &&
    (below === undefined || value < Number(below));
  const isBeyond = (value: JsonValue | undefined): boolean =>
    typeof value === 'number' &&
    ((above !== undefined && value < Number(above) - hysteresis) ||
      (below !== undefined && value > Number(below) + hysteresis));
  let last = begin?.isKnown === true ? begin.value : undefined;
  let armed = last === undefined ? undefined : !isIn(last);
  return {
    isSoNow: () => isIn(last),
    next: ({ value }) => {
      const from = last;
      last = value;
      const crossed = armed === true && isIn(value);
      if (isBeyond(value)) armed = true;
      else if (isIn(value)) armed = false;
      // Hysteresis begins with a crossing: the first value between the limits has none behind it.
      else armed ??= true;
      return { crossed, isSo: !armed, from };
    },
  };
}
