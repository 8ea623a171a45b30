import { HubError } from '#base/hub-error.ts';
import { readIpAddress } from '#base/ip-address.ts';
import { parseJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Found } from '#core/integration/instance.ts';
import { type Discoveries, type IgnoredStore, openDiscoveries } from '#integrations/discoveries.ts';
import type { Instances } from '#integrations/instances/instances.ts';
import { noteFor } from '#integrations/instances/noted-ports.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import type { MqttLinks } from '#integrations/mqtt-links.ts';
import type { BrowseMdns, Ports } from '#integrations/ports.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import { createSetups, type Setups } from '#integrations/setups.ts';
import type { Storage } from '#storage/storage.ts';
import { homeRules } from './home-port.ts';
import { createHubHosts, type OpenNetwork } from './network-ports.ts';
import type { PairingBoard } from './pairing-board.ts';
import { createStartedInstance } from './started-instance.ts';

/** What leads to new instances. */
export type SettingUp = {
  readonly setups: Setups;
  readonly discoveries: Discoveries;
};

type SettingUpDeps = Parameters<typeof homeRules>[0] & {
  readonly supervisor: Pick<Supervisor, 'findIntegration' | 'statusOf'>;
  readonly pairings: PairingBoard;
  readonly devices: Pick<DeviceRegistry, 'devicesOf'>;
  readonly kinds: readonly IntegrationKind[];
  readonly instances: Instances;
  readonly links: MqttLinks;
  readonly openNetwork: OpenNetwork;
  readonly browse: BrowseMdns;
  readonly isLanAddress: (address: string) => boolean;
  readonly isOwnAddress: (address: string) => boolean;
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  readonly safeMode: Pick<SafeMode, 'note'>;
  readonly storage: Pick<Storage, 'meta'>;
  readonly events: Pick<EventLog, 'append' | 'subscribe'>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
};

/** Lets people set up integrations, and looks for what they could set up. */
export async function openSettingUp(deps: SettingUpDeps, stops: StopList): Promise<SettingUp> {
  const { instances, events } = deps;
  const discoveries = await openDiscoveries({
    ...deps,
    rules: deps,
    meet: createMeeting(instances),
    store: ignoredStore(deps.storage.meta),
    onChange: (found, isGone) => events.append({ type: 'integration.found', found, isGone }),
    log: deps.log.part('discoveries'),
  });
  const setups = createSetups({
    ...deps,
    findKind: (id) => deps.kinds.find((kind) => kind.id === id),
    refuseStart: (kind) => {
      if (kind.comesByItself === true)
        throw new HubError('NOT_SUPPORTED', `Nobody sets up a ${kind.name}: it comes by itself.`);
      if (!canSetUp(kind, instances)) throw new HubError('LIMIT_REACHED', `There can be only one ${kind.name}.`);
    },
    findFound: discoveries.findFound,
    rules: { ...deps, home: homeRules(deps), hasInstance: (id, kind) => instances.find(id)?.kind === kind },
    portsOf: createPorts(deps),
    keep: async (kind, { secrets, settings, name, uniqueId }, given) => {
      const wanted = { kind: kind.id, name, uniqueId, settings: { ...settings, ...secrets } };
      const { id, isNew } = await instances.add(wanted, given);
      return { instance: id, isRenewal: !isNew };
    },
    startedInstance: createStartedInstance(deps),
    takeBack: async (id) => {
      const isInUse = deps.devices.devicesOf(id).length > 0 || deps.pairings.stateOf(id).remainingS !== null;
      if (!isInUse) await instances.remove(id, 'remove');
      return !isInUse;
    },
    onChange: (setup) => events.append({ type: 'integration_setup.changed', setup }),
    log: deps.log.part('setups'),
  });
  events.subscribe((event) => {
    const isLost = event.type === 'integration.changed' && event.status.state !== 'connected';
    // What was not connected may be found at another address.
    if (isLost || event.type === 'integration.added' || event.type === 'integration.removed') discoveries.review();
  });
  stops.add('set-ups', setups.stop);
  stops.add('discoveries', discoveries.start());
  return { setups, discoveries };
}

/** Whether a set-up of this kind can lead anywhere: to a new instance, or to the one that it would renew. */
export function canSetUp(
  { id, instances: count, comesByItself }: IntegrationKind,
  instances: Pick<Instances, 'list'>,
): boolean {
  if (comesByItself === true) return false;
  const present = instances.list().find(({ kind, isChosen }) => kind === id && isChosen);
  return count === 'many' || present === undefined || present.uniqueId !== null;
}

/** A thing that does not say who it is, is the instance that has the same settings. */
function createMeeting(instances: Instances): (kind: string, found: Found) => Promise<string | undefined> {
  return async (kind, found) => {
    if (found.uniqueId !== null) return instances.meet(kind, found);
    const wanted = Object.entries(found.settings);
    const isSame = ({ settings }: ReturnType<Instances['list']>[number]): boolean =>
      wanted.every(([key, value]) => settings[key]?.type === 'value' && settings[key].value === value);
    return instances.list().find((one) => one.kind === kind && wanted.length > 0 && isSame(one))?.id;
  };
}

type PortsOf = Parameters<typeof createSetups>[0]['portsOf'];

function createPorts({ openNetwork, links, clock, startTimer, safeMode: { note }, ...deps }: SettingUpDeps): PortsOf {
  const random: Ports['random'] = createRandomFractions(deps.random);
  return ({ kind, signal, mayReachHub, entered }) => {
    /** Only under what the person entered, who must be an owner at that moment. */
    const isHubHost = (host: string): boolean =>
      createHubHosts({ mayReachHub: mayReachHub(), settings: entered() as Record<string, string> })(host);
    return {
      // A person asks for it each time, so there is nothing to put off: it only keeps an instance from the blame.
      ...noteFor({ ...openNetwork(isHubHost, signal), clock, startTimer, mqtt: links.link }, () => note(null)),
      random,
      log: deps.log.part(`setup of ${kind}`),
      hubAddressFor: (peer) => hubAddressFor(peer, deps.addresses()),
      signal,
    };
  };
}

/** Loopback is near to nothing but itself. */
const LEAST_SHARED_BITS = { 4: 96 + 8, 6: 7 };

/** The address of the hub, with its port, that is nearest to a machine: on the same link, most of its bits are the same. */
function hubAddressFor(peer: string, bases: readonly string[]): string | null {
  const wanted = readIpAddress(peer);
  if (wanted === undefined) return null;
  const sharedBits = (host: string): number => {
    const address = readIpAddress(host);
    if (address === undefined || address.family !== wanted.family) return -1;
    const differs = address.words.findIndex((word, index) => word !== wanted.words[index]);
    if (differs === -1) return Infinity;
    return differs * 32 + Math.clz32((address.words[differs] ?? 0) ^ (wanted.words[differs] ?? 0));
  };
  const [nearest] = bases
    .map((base) => new URL(base))
    .map(({ host, hostname }) => ({ host, bits: sharedBits(hostname) }))
    .filter(({ bits }) => bits >= LEAST_SHARED_BITS[wanted.family])
    .toSorted((left, right) => right.bits - left.bits);
  return nearest?.host ?? null;
}

const KEY = 'ignored_discoveries';

function ignoredStore(meta: SettingUpDeps['storage']['meta']): IgnoredStore {
  return {
    load: async () => {
      const kept = parseJson((await meta.loadMeta()).get(KEY) ?? '[]');
      return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
    },
    save: (ignored) => meta.putMeta(new Map([[KEY, JSON.stringify(ignored)]])),
  };
}
