import { hostname } from 'node:os';
import type { Socket } from 'node:net';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/timer.ts';
import type { Config } from '#config/config.ts';
import type { App } from '#http/app.ts';
import { createConnectionLimits } from '#http/connection-limits.ts';
import { createForwardedGuard } from '#http/guards/forwarded-guard.ts';
import { createHostGuard } from '#http/guards/host-guard.ts';
import { createOriginGuard } from '#http/guards/origin-guard.ts';
import { createPeerGuard } from '#http/guards/peer-guard.ts';
import { type Listeners, startListeners } from '#http/listeners.ts';
import type { CorsRule, Guard } from '#http/request-facts.ts';
import { createHttpServer } from '#http/server.ts';
import { readLanView } from '#lan/lan-view.ts';
import { createLanWatch, systemSources } from '#lan/lan-watch.ts';

/** What stands between the network and the home: who may connect, and which requests may be meant for this hub. */
export type Network = {
  readonly guards: readonly Guard[];
  readonly cors: CorsRule;
  /** True for the text of an address that is on the link of a LAN interface, in `extra_subnets` or of loopback. */
  readonly isLanAddress: (address: string) => boolean;
  /** Serves the app on each address of the LAN and follows the network from then on. */
  readonly listen: (app: App) => Promise<Listeners>;
};

export type NetworkDeps = {
  readonly config: Pick<Config, 'network' | 'port'>;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

/** The name that the hub has on every home network. */
const HUB_NAME = 'hearthd.local';

export function createNetwork({ config, clock, startTimer, log }: NetworkDeps): Network {
  const { network, port } = config;
  const watch = createLanWatch(() => readLanView(systemSources, network), log.part('network'));
  const machine = hostname().toLowerCase();
  const names = new Set([HUB_NAME, machine, `${machine}.local`, ...network.hosts.map((name) => name.toLowerCase())]);
  const rule = {
    names: () => names,
    isLanLiteral: (address: string) => watch.view().isLanLiteral(address),
    origins: network.origins,
  };
  const origin = createOriginGuard(rule);
  const httpLog = log.part('http');
  const peers = createPeerGuard({
    standingOf: (peer, local) => watch.view().standingOf(peer, local),
    denyGateway: network.denyGateway,
    log: httpLog,
    clock,
  });
  const limits = createConnectionLimits({ log: httpLog, clock });
  return {
    guards: [createHostGuard(rule), createForwardedGuard({ log: httpLog, clock }), origin.guard],
    cors: origin.cors,
    isLanAddress: (address) => {
      const { addresses, standingOf } = watch.view();
      return addresses.some((local) => standingOf(address, local) !== 'stranger');
    },
    listen: (app) =>
      startListeners({
        createServer: () => {
          const server = createHttpServer(app, httpLog);
          limits.watch(server);
          return server;
        },
        addresses: () => watch.refresh().addresses,
        admit: (socket: Socket, local) => peers.admit(socket, local) && limits.admit(socket),
        port,
        startTimer,
        clock,
        log: httpLog,
      }),
  };
}
