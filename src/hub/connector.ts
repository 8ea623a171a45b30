import { HubError } from '#base/hub-error.ts';

/** A call from an earlier part of the hub to a later one. Until it is connected, a call throws HubError RESTARTING. */
type Connector<Args extends readonly unknown[], Result> = {
  /** Call it once, as soon as the later part is there. */
  readonly connect: (target: (...args: Args) => Result) => void;
  readonly call: (...args: Args) => Result;
};

export function createConnector<Args extends readonly unknown[], Result>(): Connector<Args, Result> {
  let connected: ((...args: Args) => Result) | undefined;
  return {
    connect: (target) => {
      if (connected !== undefined) throw new HubError('INTERNAL_ERROR', 'A part of the hub was connected twice.');
      connected = target;
    },
    call: (...args) => {
      if (connected === undefined) throw new HubError('RESTARTING', 'The hub is about to start.', { retryAfterS: 2 });
      return connected(...args);
    },
  };
}
