import { hostname } from 'node:os';
import type { Socket } from 'node:net';
import { repeat } from '#base/time/repeat.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Config } from '#config/config.ts';
import type { App } from '#http/app.ts';
import { createConnectionLimits } from '#http/server/connection-limits.ts';
import type { OriginRule } from '#http/edge/guards.ts';
import { createPeerGuard } from '#http/edge/peer-guard.ts';
import { type Listeners, startListeners } from '#http/server/listeners.ts';
import type { createHttpServer } from '#http/server/server.ts';
import { type Advertised, createMdns, type Reception } from '#lan/mdns/mdns.ts';
import type { HubCard } from '#lan/mdns/hub-records.ts';
import type { BrowseMdns, LanPlace } from '#integrations/ports.ts';
import { type LanView, readLanView } from '#lan/lan-view.ts';
import { createLanWatch, systemSources } from '#lan/lan-watch.ts';

/** The hub's side of the network: who may connect, which requests may be meant for the hub, and how it is advertised. */
export type Network = {
  /** The hosts and origins with which a request may be meant for this hub. */
  readonly rule: OriginRule;
  /** True for the address of one machine on the link of a LAN interface or in `extra_subnets`, and for loopback. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for the text of an address of this machine. */
  readonly isOwnAddress: (address: string) => boolean;
  /** Where machines of the LAN reach this one now; without loopback. */
  readonly lanAddresses: () => readonly LanPlace[];
  /** Serves the app on each address of the LAN, and follows changes of the network from then on. */
  readonly listen: (app: App, createServer: typeof createHttpServer) => Promise<Listeners>;
  /** Advertises the hub in the network until the returned function has resolved. `card` is read again every two seconds. */
  readonly advertise: (listeners: Listeners, card: () => HubSummary | undefined) => () => Promise<void>;
  readonly advertised: () => Advertised;
  /** Whether mDNS packets of other machines come in. */
  readonly reception: () => Reception | undefined;
  /** Finds services in the network by mDNS, from the time on at which the hub is advertised. */
  readonly browse: BrowseMdns;
};

export type HubSummary = Pick<HubCard, 'id' | 'name' | 'claimed'>;

type NetworkDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  /** Called with the peer of each connection that is refused because of its address. */
  readonly onRefusedPeer: (peer: string) => void;
  readonly config: Pick<Config, 'network' | 'port'>;
  readonly random: Random;
};

/** The name that every hub tries to use in its network. */
const HUB_NAME = 'hearthd.local';
const LOOK_EVERY_MS = 2_000;

export function createNetwork({ config, onRefusedPeer, clock, startTimer, random, log }: NetworkDeps): Network {
  const { network, port } = config;
  const watch = createLanWatch(() => readLanView(systemSources, network), log.part('network'));
  const machine = hostname().toLowerCase();
  const fixedNames = new Set([
    HUB_NAME,
    machine,
    `${machine}.local`,
    ...network.hosts.map((name) => name.toLowerCase()),
  ]);
  let names: ReadonlySet<string> = fixedNames;
  const rule = {
    names: () => names,
    isLanLiteral: (address: string) => watch.view().isLanLiteral(address),
    origins: network.origins,
  };
  const httpLog = log.part('http');
  const peers = createPeerGuard({
    placeOf: (peer, local) => watch.view().placeOf(peer, local),
    denyGateway: network.denyGateway,
    onRefused: onRefusedPeer,
    log: httpLog,
    clock,
  });
  const limits = createConnectionLimits({ log: httpLog, clock });
  const isOnLink = (peer: string, name: string): boolean =>
    ['on_link', 'gateway'].includes(watch.view().placeOf(peer, { interface: name }));
  const mdns = createMdns({
    isOnLink,
    mayConnect: (address, name) => isOnLink(address, name) && watch.view().isLanMachine(address),
    random: createRandomFractions(random),
    startTimer,
    clock,
    log: log.part('network'),
  });
  return {
    advertised: mdns.state,
    reception: mdns.reception,
    browse: mdns.browse,
    advertise: (listeners, card) => {
      const look = (): void => {
        const shown = card();
        if (shown === undefined) return;
        const addresses = listeners.bound().map(({ address, family, interface: name }) => {
          return { address, family, interface: name };
        });
        const whole: HubCard = { ...shown, apiVersion: 'v1', path: '/api', port };
        // With port 0 each address has a port of its own, which one service record cannot say.
        mdns.follow(addresses, port === 0 ? undefined : whole).catch((cause: unknown) => {
          log.error('multicast DNS failed', { cause });
        });
        const { host } = mdns.state();
        names = host === null || fixedNames.has(host) ? fixedNames : new Set([...fixedNames, host]);
      };
      look();
      const stopLooking = repeat(startTimer, LOOK_EVERY_MS, look);
      return async () => {
        stopLooking();
        await mdns.stop();
      };
    },
    rule,
    isLanAddress: (address) => watch.view().isLanMachine(address),
    isOwnAddress: (address) => watch.view().isOwnAddress(address),
    lanAddresses: () => lanPlaces(watch.view()),
    listen: (app, createServer) =>
      startListeners({
        createServer: () => {
          const server = createServer(app, httpLog);
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

function lanPlaces({ addresses, deviceSubnets, placeOf }: LanView): readonly LanPlace[] {
  return addresses
    .filter((one) => placeOf(one.address, one) !== 'loopback')
    .map(({ address, family, interface: name, prefix }) => {
      return { address, family, interface: name, prefix, beside: deviceSubnets(name) };
    });
}
