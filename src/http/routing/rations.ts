import { type Caller, callerId } from '#auth/caller.ts';
import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import type { Route } from './route.ts';

/** Takes one from the caller's ration of such calls. Throws TOO_MANY_REQUESTS if it is used up. */
export type TakeRation = (route: Pick<Route, 'method' | 'ration'>, caller: Caller) => void;

/** This many at once, then one per interval: 10 commands and 5 writes a second. */
const BURST = 60;
const COMMAND_INTERVAL_MS = 100;
const WRITE_INTERVAL_MS = 200;
const RETRY_AFTER_S = 1;
/** People and API tokens with recent calls; all others beyond this number share one ration. */
const MAX_NAMES = 2_048;

/** All logins of a person share a ration; each API token has its own. */
export function createRations({ monotonicMs }: Pick<Clock, 'monotonicMs'>): TakeRation {
  const usual = { capacity: BURST, maxNames: MAX_NAMES, monotonicMs };
  const commands = createTokenBuckets({ ...usual, refillMs: COMMAND_INTERVAL_MS });
  const writes = createTokenBuckets({ ...usual, refillMs: WRITE_INTERVAL_MS });
  return ({ method, ration }, caller) => {
    if (method === 'GET') return;
    const buckets = ration === 'command' ? commands : writes;
    if (!buckets.take(rationName(caller))) throw rationUsedUp(ration === 'command' ? 'commands' : 'changes');
  };
}

/** The key of the caller's ration. */
export function rationName(caller: Caller): string {
  return caller.kind === 'session' ? caller.user.id : callerId(caller);
}

export function rationUsedUp(what: 'commands' | 'changes' | 'event streams'): HubError {
  return new HubError('TOO_MANY_REQUESTS', `There were too many ${what} in a short time: try again in a second.`, {
    retryAfterS: RETRY_AFTER_S,
  });
}
