import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { JsonValue } from '#base/json.ts';
import type { Step, WaitStep } from '#core/automation/document/step.ts';
import type { Truth } from '#core/automation/view.ts';
import { evaluate, judge, namesIn, needsPolls, type OracleFacts } from './oracle-condition.ts';
import { type CivilWatch, isCivil } from './oracle-clock.ts';
import type { Watch } from './oracle-trigger.ts';
import { isSame, type OracleWorld } from './oracle-world.ts';

export type OracleEffect =
  | { readonly kind: 'command'; readonly devices: readonly string[]; readonly set: Readonly<Record<string, JsonValue>> }
  | { readonly kind: 'set_mode' | 'set_variable'; readonly key: string; readonly value: JsonValue };

/** What a step of a run waits for. */
export type Pause = {
  /** Where the step is in the document. */
  readonly pointer: string;
  readonly untilMs: number;
  readonly watches: readonly Watch[];
  /** Those of the clock among what it waits for. */
  readonly civil: readonly CivilWatch[];
  /** The time of the clock that it waits for, in place of `untilMs`. */
  readonly untilTime?: string;
  readonly sinceMs: number;
  /** What the clock is said to have shown then. */
  beganMs: number | undefined;
  readonly isMet: (() => boolean) | undefined;
  /** The things of which news means another look, by their names. */
  readonly names: readonly string[];
  /** When it was last looked at, which is each second; `undefined`: only what happens can change it. */
  pollFromMs: number | undefined;
};
export type End = { readonly outcome: RunOutcome; readonly reason: string | null };
/** A decision, as a trace shows it. */
export type Looked = { readonly pointer: string; readonly result: Truth };

export type OracleRun = {
  readonly automation: string;
  readonly facts: OracleFacts;
  readonly startedAtMs: number;
  finishedAtMs: number | null;
  outcome: RunOutcome;
  reason: string | null;
  /** The conditions of its start and, while it goes on, of the ways that it takes. */
  readonly looked: Looked[];
};

/** A run that is not over. `pause`: `undefined` while it queues. */
export type Live = {
  readonly run: OracleRun;
  readonly number: number;
  readonly performing: Performing;
  /** Of the version that it began with. */
  readonly steps: readonly Step[];
  pause: Pause | undefined;
};

export function lookedOf(leaves: ReadonlyMap<string, Truth>): readonly Looked[] {
  return [...leaves].map(([pointer, result]) => ({ pointer, result }));
}

export type Performing = Generator<Pause, End | undefined, 'came' | 'timed out'>;
export type StepWork = {
  readonly world: OracleWorld;
  readonly facts: OracleFacts;
  readonly timedOut: Map<string, boolean>;
  readonly isRunning: (automation: string) => boolean;
  readonly give: (effect: OracleEffect) => void;
  readonly look: (looked: ReadonlyMap<string, Truth>) => void;
};

/** Does the steps one after the other, and stops at each wait until it is called again. */
export function* perform(steps: readonly Step[], pointer: string, work: StepWork): Performing {
  for (const [at, step] of steps.entries()) {
    const end = yield* performOne(step, `${pointer}/${at}`, work);
    if (end !== undefined) return end;
  }
  return undefined;
}

function* performOne(step: Step, pointer: string, work: StepWork): Performing {
  const { world, give } = work;
  if ('command' in step) {
    const { targets, set = {}, skip_if_same = true } = step.command;
    const values = Object.entries(set).map(([key, operand]) => [key, evaluate(operand, work)] as const);
    if (values.some(([, value]) => value === undefined)) return undefined;
    const wish = Object.fromEntries(values) as Readonly<Record<string, JsonValue>>;
    const devices = (targets.devices ?? []).filter((device) => !skip_if_same || !hasReported(world, device, wish));
    if (devices.length > 0) give({ kind: 'command', devices, set: wish });
  } else if ('mode' in step) give({ kind: 'set_mode', key: step.mode.mode, value: step.mode.value });
  else if ('variable' in step) {
    const value = evaluate(step.variable.value, work);
    if (value !== undefined) give({ kind: 'set_variable', key: step.variable.variable, value });
  } else if ('stop' in step) return { outcome: step.stop.outcome, reason: step.stop.reason ?? null };
  else if ('delay' in step) {
    const quiet = {
      pointer,
      sinceMs: world.nowMs,
      beganMs: world.wallMs(),
      watches: [],
      civil: [],
      isMet: undefined,
      names: [],
      pollFromMs: undefined,
    };
    if ('until' in step.delay) {
      yield { ...quiet, untilMs: Infinity, untilTime: step.delay.until };
      return undefined;
    }
    const seconds = evaluate(step.delay.s, work);
    if (typeof seconds !== 'number') return { outcome: 'failed', reason: 'unknown' };
    yield { ...quiet, untilMs: world.nowMs + seconds * 1000 };
  } else if ('wait_for' in step)
    return yield* wait(step.wait_for, { id: step.id, pointer: `${pointer}/wait_for` }, work);
  else if ('choose' in step) {
    const { cases, else: rest = [] } = step.choose;
    for (const [at, { if: condition, then: body }] of cases.entries()) {
      const place = `${pointer}/choose/cases/${at}`;
      if (decide(condition, `${place}/if`, work)) return yield* perform(body, `${place}/then`, work);
    }
    return yield* perform(rest, `${pointer}/choose/else`, work);
  } else if ('repeat' in step) return yield* repeat(step.repeat, `${pointer}/repeat`, work);
  else throw new Error(`the oracle does not know ${JSON.stringify(step)}`);
  return undefined;
}

function decide(condition: Parameters<typeof judge>[0], pointer: string, work: StepWork): boolean {
  const leaves = new Map<string, Truth>();
  const truth = judge(condition, pointer, { ...work, leaves });
  work.look(leaves);
  return truth === true;
}

function* wait(
  step: WaitStep,
  { id, pointer }: { readonly id: string; readonly pointer: string },
  work: StepWork,
): Performing {
  const { world } = work;
  const condition = 'condition' in step ? step.condition : undefined;
  const isMet = condition && ((): boolean => judge(condition, `${pointer}/condition`, work) === true);
  const triggers = 'triggers' in step ? step.triggers : [];
  const watches = triggers
    .filter((trigger) => !isCivil(trigger))
    .map((trigger) => ({
      trigger,
      sinceSeq: world.seq,
      sinceMs: world.nowMs,
      isWait: true,
      looks: [],
    }));
  const civil = triggers
    .filter(isCivil)
    .map((trigger): CivilWatch => ({ trigger, afterMs: world.wallMs(), past: { signedMs: 0, dealt: [] } }));
  const pollFromMs = condition !== undefined && needsPolls(condition) ? world.nowMs : undefined;
  const untilMs = world.nowMs + step.timeout_s * 1000;
  const place = pointer.slice(0, -'/wait_for'.length);
  const names = namesIn(condition);
  const how =
    isMet?.() === true
      ? 'came'
      : yield {
          pointer: place,
          sinceMs: world.nowMs,
          beganMs: world.wallMs(),
          untilMs,
          watches,
          civil,
          isMet,
          names,
          pollFromMs,
        };
  work.timedOut.set(id, how === 'timed out');
  return how === 'timed out' && step.then === 'stop' ? { outcome: 'stopped', reason: 'timed out' } : undefined;
}

function* repeat(
  { times, while: during, until, max, steps }: Extract<Step, { readonly repeat: unknown }>['repeat'],
  pointer: string,
  work: StepWork,
): Performing {
  const asked = times === undefined ? max : evaluate(times, work);
  const rounds = typeof asked === 'number' ? Math.min(asked, max) : 0;
  for (let round = 0; round < rounds; round += 1) {
    if (during !== undefined && !decide(during, `${pointer}/while`, work)) return undefined;
    const end = yield* perform(steps, `${pointer}/steps`, work);
    if (end !== undefined) return end;
    if (until !== undefined && decide(until, `${pointer}/until`, work)) return undefined;
  }
  return undefined;
}

function hasReported(world: OracleWorld, device: string, wish: Readonly<Record<string, JsonValue>>): boolean {
  if (world.availability.get(device) === 'offline') return false;
  return Object.entries(wish).every(([key, value]) => {
    const state = world.values.get(`${device} ${key}`);
    return state?.quality === 'confirmed' && isSame(state.value, value);
  });
}

/** A pointer such as `/steps/0/choose/else/1`, in the steps of a definition. */
export function stepAt(steps: readonly Step[], pointer: string): JsonValue | undefined {
  let found: unknown = { steps };
  for (const part of pointer.split('/').slice(1))
    found = (found as Readonly<Record<string, unknown>> | undefined)?.[part];
  return found as JsonValue | undefined;
}

/** All objects of a definition, those in others too: steps are among them, each with its id. */
export function stepsIn(part: unknown): readonly JsonValue[] {
  if (typeof part !== 'object' || part === null) return [];
  return [part as JsonValue, ...Object.values(part).flatMap(stepsIn)];
}
