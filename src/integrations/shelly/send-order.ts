import { HubError } from '#base/hub-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { mergeSendings, type Sending } from './payload.ts';
import type { Send } from './session.ts';

const MOST_WAITING = 64;

/**
 * Sends one request after the other. One that waits and the next, if they go to the same place, are sent as one: a
 * slider that is drawn makes no queue.
 */
export function createSendOrder(send: Send): Send {
  const waiting: { sending: Sending; readonly done: Promise<void> }[] = [];
  const inTurn = createTurnQueue();

  return (sending) => {
    const newest = waiting.at(-1);
    const merged = newest === undefined ? undefined : mergeSendings(newest.sending, sending);
    if (newest !== undefined && merged !== undefined) {
      newest.sending = merged;
      return newest.done;
    }
    if (waiting.length >= MOST_WAITING) {
      return Promise.reject(new HubError('COMMAND_FAILED', 'Too many commands wait for the device.'));
    }
    const done = inTurn(async () => {
      const mine = waiting.shift();
      if (mine !== undefined) await send(mine.sending);
    });
    waiting.push({ sending, done });
    return done;
  };
}
