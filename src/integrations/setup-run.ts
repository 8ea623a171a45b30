import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { faultOf } from '#base/network/connection-failure.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import {
  type Setup,
  type SetupAnswer,
  SetupFailure,
  type SetupStep,
  type SetupSteps,
} from '#core/integration/setup-step.ts';
import type { SetupResult } from './kind.ts';
import type { StartedInstance } from './ports.ts';
import { faultWords } from '#words/faults.ts';

/** A set-up shows this while it lives and afterwards. */
type SetupState = Pick<Setup, 'status' | 'step' | 'instance' | 'isRenewal' | 'error'>;

type Kept = { readonly instance: string; readonly isRenewal: boolean };

/** The one checker of settings. The values have each field of the shape, secrets included. */
export type CheckForm = (
  fields: SettingsShape,
  answer: JsonObject,
) => { readonly values: JsonObject } | { readonly errors: readonly FieldError[] };

export type Conversation = SetupSteps<SetupResult>;

export type SetupRunDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  /** Loads the code of the kind and begins. */
  readonly open: (signal: AbortSignal) => Promise<Conversation>;
  readonly checkForm: CheckForm;
  /** Throws once the person who began may not go on. Called before and after each step. */
  readonly authorize: () => void;
  /** Makes the instance or renews the one of this unique id. Calls `authorize` right before it writes. */
  readonly keep: (result: SetupResult, authorize: () => void) => Promise<Kept>;
  /** What the rest of the set-up has of the instance, until the signal aborts. */
  readonly startedInstance: (instance: string, signal: AbortSignal) => StartedInstance;
  /** Removes the new instance, unless it has a device by now. False if it stays. */
  readonly takeBack: (instance: string) => Promise<boolean>;
  /** Must not throw. */
  readonly onChange: () => void;
};

/** One conversation, from its first step to its instance or its undo. */
export type SetupRun = ReturnType<typeof startSetupRun>;

/** A kind that goes on from step to step without a person must come to an end. */
const MAX_STEPS = 2_000;
/** How long the undo of a kind may take before the set-up counts as ended without it. */
const UNDO_MS = 10_000;
const WORKING: SetupState = { status: 'running', step: null, instance: null, isRenewal: false, error: null };

export function startSetupRun(deps: SetupRunDeps) {
  const ending = new AbortController();
  const { signal } = ending;
  const ended = rejectionOf(signal);
  let state = WORKING;
  let shownStep: SetupStep | undefined;
  let takeAnswer: ((answer: SetupAnswer) => void) | undefined;
  const waiters = createWaiters(deps.startTimer);

  const show = (next: SetupState): void => {
    state = next;
    shownStep = undefined;
    deps.onChange();
    if (next !== WORKING) waiters.release();
  };
  /** The answer to a step that waits for a person; nothing for the others. */
  const answerTo = async (step: SetupStep): Promise<SetupAnswer> => {
    // A kind that asks a bridge each second says each second what the person has to do.
    if (shownStep === undefined || !isSameStep(step, shownStep)) show({ ...WORKING, step: visible(step, deps.clock) });
    shownStep = step;
    // The next turn of the event loop: a kind that shows progress without ever waiting must not stop the hub.
    if (step.type === 'act' || step.type === 'busy') return nextTurn(deps.startTimer);
    try {
      return await Promise.race([new Promise<SetupAnswer>((resolve) => (takeAnswer = resolve)), ended]);
    } finally {
      takeAnswer = undefined;
    }
  };
  const converse = async <Result>(conversation: SetupSteps<Result>): Promise<Result> => {
    let answer: SetupAnswer = {};
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      signal.throwIfAborted();
      deps.authorize();
      const turn = await Promise.race([conversation.next(answer), ended]);
      deps.authorize();
      if (turn.done === true) return turn.value;
      answer = await answerTo(turn.value);
    }
    throw new Error(`a set-up with more than ${MAX_STEPS} steps`);
  };
  const goOn = (rest: SetupSteps<void>, kept: Kept): Promise<void> =>
    converse(rest).catch((cause: unknown) => leave(rest, kept, { ...deps, ending, cause }));
  const run = async (): Promise<void> => {
    const conversation = await Promise.race([deps.open(signal), ended]);
    try {
      const result = await converse(conversation);
      show(WORKING);
      const kept = await deps.keep(result, () => {
        signal.throwIfAborted();
        deps.authorize();
      });
      if (result.goOn !== undefined) await goOn(result.goOn(deps.startedInstance(kept.instance, signal)), kept);
      show({ ...WORKING, ...kept, status: 'done' });
    } finally {
      // Tells a kind whose own failure ended the set-up, too.
      ending.abort(new SetupFailure('ended', 'The set-up is over.'));
      await undo(conversation, deps);
    }
  };
  const finished = run().catch((cause: unknown) => {
    show({ ...WORKING, status: 'failed', error: errorFrom(cause, deps.log) });
  });

  return {
    state: (): SetupState => state,
    /** Throws HubError SETUP_NOT_WAITING and VALIDATION_FAILED. Wrong fields of a form come back in its step instead. */
    answer: (answer: SetupAnswer): void => {
      const { step } = state;
      if (takeAnswer === undefined || step === null || signal.aborted) throw notWaiting(state);
      const read = readAnswer(step, answer, deps.checkForm);
      if ('again' in read) return show({ ...WORKING, step: read.again });
      const go = takeAnswer;
      takeAnswer = undefined;
      show(WORKING);
      go(read.answer);
    },
    /** Ends it, with this failure if it is still running. Resolves once its undo is done, or has taken too long. */
    end: (why: SetupFailure): Promise<void> => {
      ending.abort(why);
      return finished;
    },
    /** Resolves once it shows a step or has ended, at the latest after this long. */
    settled: (maxMs: number): Promise<void> => (state === WORKING ? waiters.wait(maxMs) : Promise.resolve()),
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as SetupFailure), { once: true });
  });
  ended.catch(() => undefined);
  return ended;
}

/** Callers that wait for something that happens again and again, each for a limited time. */
function createWaiters(startTimer: StartTimer): {
  readonly wait: (maxMs: number) => Promise<void>;
  readonly release: () => void;
} {
  let waiting: (() => void)[] = [];
  return {
    wait: (maxMs) =>
      new Promise((resolve) => {
        const stopTimer = startTimer(maxMs, resolve);
        waiting.push(() => {
          stopTimer();
          resolve();
        });
      }),
    release: () => {
      for (const go of waiting) go();
      waiting = [];
    },
  };
}

function nextTurn(startTimer: StartTimer): Promise<SetupAnswer> {
  return new Promise((resolve) => void startTimer(0, () => resolve({})));
}

type Left = SetupRunDeps & { readonly ending: AbortController; readonly cause: unknown };

/**
 * Leaves nothing of an instance whose set-up does not come to its end, and throws the cause. One that has a device by
 * now stays, and its set-up is done.
 */
async function leave(rest: SetupSteps<void>, { instance, isRenewal }: Kept, left: Left): Promise<void> {
  left.ending.abort(left.cause);
  await undo(rest, left);
  if (isRenewal || (await left.takeBack(instance))) throw left.cause;
}

/** Runs the `finally` of the kind. `return()` waits until the kind has reached its next `yield` or its end. */
async function undo(conversation: SetupSteps<unknown>, { startTimer, log }: SetupRunDeps): Promise<void> {
  const closing = (async (): Promise<void> => {
    // The result is thrown away: only a kind that yields inside its `finally` needs a second call.
    for (let calls = 0; calls < 10; calls += 1) {
      const { done } = await conversation.return(undefined);
      if (done === true) return;
    }
    throw new Error('it goes on after its end');
  })();
  await new Promise<void>((resolve) => {
    const stopTimer = startTimer(UNDO_MS, () => {
      log.error('a set-up does not end', { waited_ms: UNDO_MS });
      resolve();
    });
    closing
      .catch((cause: unknown) => log.error('the undo of a set-up failed', { cause }))
      .finally(() => {
        stopTimer();
        resolve();
      });
  });
}

function notWaiting({ status }: SetupState): HubError {
  const why = status === 'running' ? 'The set-up does not wait for an answer now.' : 'The set-up is over.';
  return new HubError('SETUP_NOT_WAITING', why);
}

/** The answer as the kind gets it, or the same form with what is wrong. Throws VALIDATION_FAILED. */
function readAnswer(
  step: SetupStep,
  answer: SetupAnswer,
  checkForm: CheckForm,
): { readonly answer: SetupAnswer } | { readonly again: SetupStep } {
  if (step.type === 'form') {
    const checked = checkForm(step.fields, answer);
    if ('values' in checked) return { answer: checked.values };
    const values = Object.entries(answer).filter(([name, value]) => Object.hasOwn(step.fields, name) && isShort(value));
    return { again: withoutSecrets({ ...step, values: Object.fromEntries(values), errors: checked.errors }) };
  }
  const names = step.type === 'choose' ? ['option'] : [];
  const errors = Object.keys(answer)
    .filter((name) => !names.includes(name))
    .map((name) => fieldError(`/answer/${name}`, 'UNKNOWN', ...faultWords('unknown_field')));
  if (step.type === 'choose' && !step.options.some(({ id }) => id === answer['option'])) {
    errors.push(fieldError('/answer/option', 'INVALID_VALUE', ...faultWords('unknown_option_id')));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { answer };
}

/** Whether a value that a form refuses is worth showing again: all who follow the set-up get it. */
function isShort(value: JsonValue): boolean {
  return typeof value === 'string' ? value.length <= 1_000 : typeof value === 'number' || typeof value === 'boolean';
}

function isSameStep(left: SetupStep, right: SetupStep): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** A time of the monotonic clock means nothing to clients. */
function visible(step: SetupStep, { wallMs, monotonicMs }: Clock): SetupStep {
  return step.type === 'act' ? { ...step, untilMs: wallMs() + step.untilMs - monotonicMs() } : withoutSecrets(step);
}

function withoutSecrets(step: SetupStep): SetupStep {
  if (step.type !== 'form') return step;
  const shown = Object.entries(step.values).filter(([name]) => step.fields[name]?.type !== 'secret');
  return { ...step, values: Object.fromEntries(shown) };
}

/** Clients get only words that were written for them. The log has the rest. */
function errorFrom(cause: unknown, log: Log): NonNullable<Setup['error']> {
  const fault = faultOf(cause instanceof SetupFailure ? cause.cause : cause);
  const shown = { fault: fault === undefined ? null : { reason: fault.reason, message: fault.message } };
  if (cause instanceof SetupFailure) return { ...shown, code: cause.code, message: cause.message };
  if (cause instanceof HubError) return { ...shown, code: cause.code.toLowerCase(), message: cause.message };
  log.error('a set-up failed', { cause });
  return { ...shown, code: 'failed', message: 'The set-up failed. The log of the hub has the reason.' };
}
