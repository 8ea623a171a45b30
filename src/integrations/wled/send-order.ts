import type { JsonObject } from '#base/json.ts';
import { mergeChanges } from './payload.ts';
import type { SendChange } from './session.ts';

type Waiting = { change: JsonObject; readonly done: Promise<void> };

/**
 * Sends one change at a time, because a light is small. Changes that come meanwhile go as one, the newest values of
 * each: a slider that is drawn makes no queue.
 */
export function createSendOrder(send: SendChange): SendChange {
  let last: Promise<unknown> | undefined;
  let waiting: Waiting | undefined;

  return (change) => {
    if (waiting !== undefined) {
      waiting.change = mergeChanges(waiting.change, change);
      return waiting.done;
    }
    const before = last;
    const run = async (): Promise<void> => {
      await before;
      const mine = next.change;
      if (waiting === next) waiting = undefined;
      await send(mine);
    };
    const next: Waiting = { change, done: Promise.resolve().then(run) };
    waiting = next;
    // How it ends is for its own caller.
    last = next.done.catch(() => undefined);
    return next.done;
  };
}
