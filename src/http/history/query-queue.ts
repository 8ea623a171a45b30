import { HubError } from '#base/hub-error.ts';

/** Runs a query when it is its turn. Throws HubError OVERLOADED if too many wait already. */
export type QueryQueue = <Result>(query: () => Promise<Result>) => Promise<Result>;

/** Queries read much, so few run at a time: other calls go on in between. */
const RUNNING = 2;
const WAITING = 8;
const RETRY_AFTER_S = '2';

export function createQueryQueue(): QueryQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (query) => {
    if (running >= RUNNING) {
      if (waiting.length >= WAITING) {
        throw new HubError('OVERLOADED', 'The hub answers as many queries of the past as it can.', {
          headers: { 'Retry-After': RETRY_AFTER_S },
        });
      }
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else running += 1;
    try {
      return await query();
    } finally {
      // The place passes on to the next one that waits.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
