import type { JsonObject } from '#base/json.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { mergeChanges } from './payload.ts';
import type { SendChange } from './session.ts';

type Waiting = { change: JsonObject; readonly done: Promise<void> };

/**
 * Sends one change at a time, because a light is small. Changes that come meanwhile go as one, the newest values of
 * each: a slider that is drawn makes no queue.
 */
export function createSendOrder(send: SendChange): SendChange {
  const inTurn = createTurnQueue();
  let waiting: Waiting | undefined;

  return (change) => {
    if (waiting !== undefined) {
      waiting.change = mergeChanges(waiting.change, change);
      return waiting.done;
    }
    const run = async (): Promise<void> => {
      const mine = next.change;
      if (waiting === next) waiting = undefined;
      await send(mine);
    };
    const next: Waiting = { change, done: inTurn(run) };
    waiting = next;
    return next.done;
  };
}
