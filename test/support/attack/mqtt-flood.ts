import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Packets of one kind, as fast as they are taken; the kinds are in `mqtt-flood.mjs`. */
export type Flood = { readonly kind: string; readonly forMs: number };

/** A process that floods the hub by MQTT; the answers are how many packets it sent. */
export type Flooder = {
  /** As an ordinary client of a broker. */
  readonly publish: (port: number, flood: Flood) => Promise<number>;
  /** Is a broker from now on, at the port of the answer. */
  readonly listen: () => Promise<number>;
  /** As that broker, to all clients that are connected. */
  readonly flood: (flood: Flood) => Promise<number>;
  /** As that broker, to each client that connects from now on; to none for ''. */
  readonly greet: (kind: string) => Promise<unknown>;
  /** How many have connected to that broker so far. */
  readonly connections: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

export function startFlooder(): Flooder {
  const child = fork(new URL('mqtt-flood.mjs', import.meta.url), { execArgv: [] });
  const ask = async <Answer>(message: object): Promise<Answer> => {
    const answer = once(child, 'message');
    child.send(message);
    return (await answer)[0] as Answer;
  };
  return {
    publish: (port, flood) => ask({ do: 'publish', port, ...flood }),
    listen: () => ask({ do: 'listen' }),
    flood: (flood) => ask({ do: 'flood', ...flood }),
    greet: (kind) => ask({ do: 'greet', kind }),
    connections: () => ask({ do: 'connections' }),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
