import { HubError } from '#base/hub-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';

type SendOrderDeps<Sending, Result> = {
  readonly send: (sending: Sending) => Promise<Result>;
  /** The one that waits and a later one as one, which both are done with; `undefined` if they cannot be. */
  readonly merge: (earlier: Sending, later: Sending) => Sending | undefined;
};

const MOST_WAITING = 64;

/**
 * Sends one after the other, because a peer is small or its answers do not name what they are for. One that waits and the
 * next go as one where they can: a slider that is drawn makes no queue.
 */
export function createSendOrder<Sending, Result = void>({ send, merge }: SendOrderDeps<Sending, Result>) {
  const waiting: { sending: Sending; readonly done: Promise<Result> }[] = [];
  const inTurn = createTurnQueue();
  return (sending: Sending): Promise<Result> => {
    const newest = waiting.at(-1);
    const merged = newest === undefined ? undefined : merge(newest.sending, sending);
    if (newest !== undefined && merged !== undefined) {
      newest.sending = merged;
      return newest.done;
    }
    if (waiting.length >= MOST_WAITING) {
      return Promise.reject(new HubError('COMMAND_FAILED', 'Too many commands wait for the device.'));
    }
    const done = inTurn(() => {
      const [next] = waiting.splice(0, 1);
      return send(next?.sending ?? sending);
    });
    waiting.push({ sending, done });
    return done;
  };
}
