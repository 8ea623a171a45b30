import type { StartTimer } from '#base/time/timer.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';

/**
 * The driver shows a value that it has sent as if the node had it, and asks the node a little later. Only what the node
 * itself said is a report, but the messages are alike. So the first such message beside the answer is not believed: if
 * it was the node's after all, the driver's own follows it.
 */
export type Proofs = ReturnType<typeof createProofs>;

/** The proof of one sending. It does nothing any more once a later one expects its own. */
export type Proof = {
  /** The server has answered without a word of the node: `prove` asks the node if nothing comes for this long. */
  readonly isSent: (waitMs: number, prove: () => void) => void;
  /** The node itself has confirmed or refused it, or it was not sent. */
  readonly settle: () => void;
};

/** The messages come in one go with the answer. */
const BESIDE_MS = 500;
/** A server that never answers. */
const GIVE_UP_MS = 120_000;
/** For how long the server's own value may be the one that was sent. */
const FORGET_MS = 15_000;

type Open = { readonly value: JsonValue; untilMs: number; isBelieved: boolean; stopTimer: () => void };

export function createProofs(startTimer: StartTimer, monotonicMs: () => number) {
  const open = new Map<string, Open>();
  const settle = (at: string): void => {
    open.get(at)?.stopTimer();
    open.delete(at);
  };
  return {
    /** To call before a value is sent; `at` is the value that will show what came of it. Ends what was expected before. */
    expect: (at: string, value: JsonValue): Proof => {
      settle(at);
      const one: Open = { value, untilMs: Infinity, isBelieved: false, stopTimer: () => undefined };
      const settleOwn = (): void => {
        if (open.get(at) === one) settle(at);
      };
      one.stopTimer = startTimer(GIVE_UP_MS, settleOwn);
      open.set(at, one);
      return {
        isSent: (waitMs, prove) => {
          if (open.get(at) !== one) return;
          one.stopTimer();
          one.untilMs = monotonicMs() + BESIDE_MS;
          one.stopTimer = startTimer(waitMs, () => {
            one.stopTimer = startTimer(FORGET_MS, settleOwn);
            prove();
          });
        },
        settle: settleOwn,
      };
    },
    /** Whether this is what the driver believes, and not what the node said. */
    isGuess: (at: string, value: JsonValue | undefined): boolean => {
      const one = open.get(at);
      if (one === undefined) return false;
      const isBeside = monotonicMs() <= one.untilMs;
      if (!one.isBelieved && isBeside && isSameJson(one.value, value ?? null)) {
        one.isBelieved = true;
        return true;
      }
      settle(at);
      return false;
    },
    /** Whether the server's value may be one that nobody has confirmed. */
    isOpen: (at: string): boolean => open.has(at),
    stop: (): void => {
      for (const at of open.keys()) settle(at);
    },
  };
}
