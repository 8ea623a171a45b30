import { HubError } from '#base/hub-error.ts';
import { readIpAddress } from '#base/ip-address.ts';
import { parseJson } from '#base/json.ts';
import { createRandomFractions } from '#base/random.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Discovery } from '#core/integration/instance.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { People } from '#hub/hub-people.ts';
import { type Discoveries, type IgnoredStore, openDiscoveries } from '#integrations/discoveries.ts';
import type { Instances } from '#integrations/instances/instances.ts';
import { noteFor } from '#integrations/instances/noted-ports.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import type { Ports } from '#integrations/ports.ts';
import { createSetups, type Setups } from '#integrations/setups.ts';
import { KINDS } from '#integrations/table.ts';
import { homeRules } from './home-port.ts';
import type { Integrations } from './hub-integrations.ts';
import { createHubHosts } from './network-ports.ts';
import { createStartedInstance } from './started-instance.ts';

/** Set-ups and discoveries lead to new instances. */
export type SettingUp = {
  readonly setups: Setups;
  readonly discoveries: Discoveries;
};

type SettingUpDeps = HubContext & {
  readonly people: Pick<People, 'apiTokens'>;
  readonly devices: DeviceRegistry;
  readonly rooms: RoomRegistry;
  readonly integrations: Integrations;
};

const IGNORED_META = 'ignored_discoveries';
/** Loopback is near to nothing but itself. */
const LEAST_SHARED_BITS = { 4: 96 + 8, 6: 7 };

/** Lets people set up integrations, and looks for what they could set up. */
export async function openSettingUp(deps: SettingUpDeps): Promise<SettingUp> {
  const { events, stops, devices, rooms, integrations } = deps;
  const { instances, pairings } = integrations;
  const discoveries = await openDiscoveries({
    ...deps,
    kinds: KINDS,
    rules: deps,
    meet: createMeeting(instances),
    store: ignoredStore(deps.storage.meta),
    onChange: (thing, isGone) => events.append({ type: 'integration.found', thing, isGone }),
    log: deps.log.part('discoveries'),
  });
  const setups = createSetups({
    ...deps,
    findKind: (id) => KINDS.find((kind) => kind.id === id),
    refuseStart: (kind) => {
      if (kind.comesByItself === true)
        throw new HubError('NOT_SUPPORTED', `Nobody sets up a ${kind.name}: it comes by itself.`);
      if (!canSetUp(kind, instances)) throw new HubError('LIMIT_REACHED', `There can be only one ${kind.name}.`);
    },
    findDiscovery: discoveries.findDiscovery,
    rules: {
      ...deps,
      home: homeRules({ rooms, devices, apiTokens: deps.people.apiTokens }),
      hasInstance: (id, kind) => instances.find(id)?.kind === kind,
    },
    portsOf: createPorts(deps),
    keep: async (kind, { secrets, settings, name, uniqueId }, change) => {
      const entries = [...Object.entries(settings), ...Object.entries(secrets)];
      const instance = { kind: kind.id, name, uniqueId, settings: Object.fromEntries(entries) };
      const { id, isNew } = await instances.add(instance, change);
      return { instance: id, isRenewal: !isNew };
    },
    startedInstance: createStartedInstance({ ...integrations, events, startTimer: deps.startTimer }),
    takeBack: async (id) => {
      const isInUse = devices.devicesOf(id).length > 0 || pairings.stateOf(id).remainingS !== null;
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
function createMeeting(instances: Instances): (kind: string, discovery: Discovery) => Promise<string | undefined> {
  return async (kind, discovery) => {
    if (discovery.uniqueId !== null) return instances.meet(kind, discovery);
    const entries = Object.entries(discovery.settings);
    const isSame = ({ settings }: ReturnType<Instances['list']>[number]): boolean =>
      entries.every(([key, value]) => settings[key]?.type === 'value' && settings[key].value === value);
    return instances.list().find((one) => one.kind === kind && entries.length > 0 && isSame(one))?.id;
  };
}

type PortsOf = Parameters<typeof createSetups>[0]['portsOf'];

function createPorts({ integrations, clock, startTimer, safeMode, ...deps }: SettingUpDeps): PortsOf {
  const { openNetwork, links } = integrations;
  const random: Ports['random'] = createRandomFractions(deps.random);
  return ({ kind, signal, mayReachHub, entered }) => {
    /** The hub is reached only under what the person entered, who must be an owner at that moment. */
    const isHubHost = (host: string): boolean =>
      createHubHosts({ mayReachHub: mayReachHub(), settings: entered() as Record<string, string> })(host);
    return {
      // A person asks for it each time, so there is nothing to put off: it only keeps an instance from the blame.
      ...noteFor({ ...openNetwork(isHubHost, signal), clock, startTimer, mqtt: links.link }, () => safeMode.note(null)),
      random,
      log: deps.log.part(`setup of ${kind}`),
      hubAddressFor: (peer) => hubAddressFor(peer, deps.addresses()),
      signal,
    };
  };
}

/** The address of the hub, with its port, that is nearest to a machine: on the same link, most of its bits are the same. */
function hubAddressFor(peer: string, bases: readonly string[]): string | null {
  const target = readIpAddress(peer);
  if (target === undefined) return null;
  const sharedBits = (host: string): number => {
    const address = readIpAddress(host);
    if (address === undefined || address.family !== target.family) return -1;
    const differs = address.words.findIndex((word, index) => word !== target.words[index]);
    if (differs === -1) return Infinity;
    return differs * 32 + Math.clz32((address.words[differs] ?? 0) ^ (target.words[differs] ?? 0));
  };
  const [nearest] = bases
    .map((base) => new URL(base))
    .map(({ host, hostname }) => ({ host, bits: sharedBits(hostname) }))
    .filter(({ bits }) => bits >= LEAST_SHARED_BITS[target.family])
    .toSorted((left, right) => right.bits - left.bits);
  return nearest?.host ?? null;
}

function ignoredStore(meta: HubContext['storage']['meta']): IgnoredStore {
  return {
    load: async () => {
      const ids = parseJson((await meta.loadMeta()).get(IGNORED_META) ?? '[]');
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    },
    save: (ignored) => meta.putMeta(new Map([[IGNORED_META, JSON.stringify(ignored)]])),
  };
}
