import type { LanHttp, OpenTcp, OpenWebSocket } from '#base/network/lan-ports.ts';
import type { Random } from '#base/random.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createDigestTurns } from './digest-turns.ts';
import { createExchange } from './exchange.ts';
import type { FindAddresses } from './find-addresses.ts';
import { createLanHttp } from './lan-http.ts';
import { createSocketOpener } from './open-socket.ts';
import { createTcpOpener } from './tcp.ts';
import { createWebSocketOpener } from './web-socket.ts';

/** The network for one user of it: a run of an instance, a set-up, the webhooks. */
export type LanClient = {
  readonly http: LanHttp;
  readonly openWebSocket: OpenWebSocket;
  readonly openTcp: OpenTcp;
  /** Ends everything that is open or under way. Later calls fail. */
  readonly close: () => void;
};

export type LanClientDeps = {
  readonly findAddresses: FindAddresses;
  /** True for a host that an owner entered, which may be the hub itself. Hosts of a URL are in lower case. */
  readonly mayReachHub: (host: string) => boolean;
  readonly startTimer: StartTimer;
  readonly random: Random;
  /** Whether connections of HTTP wait 4 s for the next request. */
  readonly keepAlive: boolean;
};

export function createLanClient(deps: LanClientDeps): LanClient {
  const { startTimer, random } = deps;
  const ending = new AbortController();
  const openSocket = createSocketOpener(deps);
  const exchange = createExchange(openSocket, deps);
  const shared = { openSocket, startTimer, closing: ending.signal };
  return {
    http: createLanHttp({ ...shared, exchange, digest: createDigestTurns(exchange, random) }),
    openWebSocket: createWebSocketOpener(shared),
    openTcp: createTcpOpener(shared),
    close: () => {
      ending.abort();
      exchange.close();
    },
  };
}
