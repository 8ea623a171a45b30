import type { Runtime } from '#base/time/runtime.ts';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Effect, Input } from '#core/automation-run/engine.ts';
import type { Pieces } from '#core/automation-run/happen.ts';

export type InputLoop = ReturnType<typeof createInputLoop>;
type InputHooks = {
  /** Right before the input is dealt with, and once all of its effects are done. */
  readonly before?: () => void;
  readonly done?: (effects: readonly Effect[]) => void;
};

export type InputLoopDeps = Pick<Runtime, 'monotonicMs' | 'log'> & {
  /** What is due now, taken when no other input waits. */
  readonly takeDue: () => Input | undefined;
  readonly deal: (input: Input) => Pieces<readonly Effect[]>;
  /** Does the effects in their order; a promise where one of them must wait for the disk. */
  readonly carryOut: (effects: readonly Effect[]) => Promise<void> | undefined;
  /** To be called before an input is dealt with, or goes on; its result once it is done, or others have their turn. */
  readonly noteServed: () => () => void;
  readonly onIdle: () => void;
  readonly nameOf: (input: Input, effects: readonly Effect[]) => string | null;
};

/** After so long others get their turn: many timers may be due at a start, and one change may start many runs. */
const SLICE_MS = 4;
const SLOW_MS = 20;

type Waiting = { readonly input: Input; readonly hooks: InputHooks };

/** Gives out the inputs that wait, in their order, then those that are due. */
function createInbox(takeDue: InputLoopDeps['takeDue']) {
  let inbox: Waiting[] = [];
  let head = 0;
  return {
    push: (waiting: Waiting): void => void inbox.push(waiting),
    next: (): Waiting | undefined => {
      const found = inbox[head];
      if (found === undefined) {
        const due = takeDue();
        return due && { input: due, hooks: {} };
      }
      head += 1;
      if (head === inbox.length) {
        inbox = [];
        head = 0;
      }
      return found;
    },
    takeAll: (): readonly Waiting[] => {
      const left = inbox.slice(head);
      inbox = [];
      head = 0;
      return left;
    },
  };
}

/**
 * Deals with one input, and all its effects, before the next. It begins as soon as the work that an input came from has
 * ended, in the same turn of Node's event loop: inside of that work a command could meet a report that is half taken in,
 * and count a value from before it as its confirmation.
 */
export function createInputLoop(deps: InputLoopDeps) {
  const { monotonicMs, log } = deps;
  const inbox = createInbox(deps.takeDue);
  let state: 'idle' | 'busy' | 'stopped' = 'idle';
  const dealWith = createDealing(deps, () => state === 'stopped');

  const work = (): void => {
    const beganMs = monotonicMs();
    while (state === 'busy') {
      if (monotonicMs() - beganMs > SLICE_MS) return void setImmediate(work);
      try {
        const waiting = inbox.next();
        if (waiting === undefined) {
          state = 'idle';
          return deps.onIdle();
        }
        const doing = dealWith(waiting);
        if (doing !== undefined) return goOnAfter(doing);
      } catch (cause) {
        log.error('what is due for automations cannot be said', { cause });
      }
    }
  };
  const goOnAfter = (doing: Promise<void>): void => {
    doing
      .catch((cause: unknown) => log.error('an effect of automations failed', { cause }))
      .finally(work)
      .catch((cause: unknown) => log.error('the work on automations failed', { cause }));
  };
  const wake = (): void => {
    if (state !== 'idle') return;
    state = 'busy';
    queueMicrotask(work);
  };
  return {
    /** Takes its turn behind those that wait. */
    push: (input: Input, hooks: InputHooks = {}): void => {
      if (state === 'stopped') return;
      inbox.push({ input, hooks });
      wake();
    },
    /** Something may be due. */
    wake,
    stop: (): void => {
      state = 'stopped';
      for (const { hooks } of inbox.takeAll()) hooks.done?.([]);
    },
  };
}

/** Deals with one input, piece by piece; a promise where others get their turn, or its effects wait. */
function createDealing(deps: InputLoopDeps, isStopped: () => boolean): (waiting: Waiting) => Promise<void> | undefined {
  const { monotonicMs, log } = deps;
  const begin = ({ input, hooks }: Waiting): Promise<void> | undefined => {
    let pieces: Pieces<readonly Effect[]> | undefined;
    let tookMs = 0;
    const goOn = (): Promise<void> | undefined => {
      if (isStopped()) {
        hooks.done?.([]);
        return undefined;
      }
      const beganMs = monotonicMs();
      const doneServing = deps.noteServed();
      if (pieces === undefined) hooks.before?.();
      pieces ??= deps.deal(input);
      const effects = effectsOf(pieces, () => monotonicMs() - beganMs > SLICE_MS);
      const doing = effects && deps.carryOut(effects);
      doneServing();
      tookMs += monotonicMs() - beganMs;
      if (effects === undefined) return turnOfOthers().then(goOn);
      if (tookMs > SLOW_MS) {
        const automation = deps.nameOf(input, effects);
        log.warn('an input of automations took long', { input: input.kind, automation, tookMs: Math.round(tookMs) });
      }
      if (doing === undefined) hooks.done?.(effects);
      return doing?.then(() => hooks.done?.(effects));
    };
    return goOn();
  };
  return (waiting) => {
    const { input, hooks } = waiting;
    try {
      const doing = begin(waiting);
      return doing?.catch((cause: unknown) => {
        hooks.done?.([]);
        throw cause;
      });
    } catch (cause) {
      hooks.done?.([]);
      log.error('an input of automations failed', { input: input.kind, cause });
      return undefined;
    }
  };
}

/** `undefined`: it is enough for now. */
function effectsOf(pieces: Pieces<readonly Effect[]>, isEnough: () => boolean): readonly Effect[] | undefined {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    if (isEnough()) return undefined;
  }
}
