import type { Runtime } from '#base/time/runtime.ts';
import { type DnsRecord, DNS_TYPE, type DnsName, encodeDnsName, nameInData } from '#lan/mdns/dns-message.ts';
import {
  ageHost,
  ageService,
  type Subject,
  type HeardHost,
  heardHost,
  type HeardService,
  heardService,
  type Moment,
  placeOf,
} from './heard-service.ts';
import { endLife, hearRecord, isDueAgain, startLife } from './record-set.ts';
import type { ServiceRoom } from './service-room.ts';
import { keyOfRest, MAX_TEXT_BYTES } from './service-text.ts';

/** The cache has what was heard on one interface of the services of some types. */
type ServiceCache = {
  /** Takes in the records of one packet; true if there was one of these services. */
  readonly hear: (records: readonly DnsRecord[], peer: string) => boolean;
  /** Forgets what has ended, and lists the questions that are due. */
  readonly age: (moment: Moment) => CacheWork;
  /** The pointers that need not be said again (RFC 6762 section 7.1). */
  readonly knownPointers: (type: DnsName) => readonly DnsRecord[];
  readonly forgetType: (typeKey: string) => void;
  readonly forgetAll: () => void;
};

type CacheWork = {
  readonly asked: readonly Subject[];
  /** Types with a pointer that will end soon. */
  readonly dueTypes: ReadonlySet<string>;
  readonly nextMs: number;
};

type ServiceCacheDeps = Pick<Runtime, 'monotonicMs' | 'random'> & {
  readonly interface: string;
  readonly isBrowsed: (typeKey: string) => boolean;
  /** Names of this hub itself. */
  readonly isOwn: (key: string) => boolean;
  readonly room: ServiceRoom;
  readonly onAdded: (service: HeardService) => void;
  readonly onChanged: (service: HeardService) => void;
  /** The addresses of a host, which any number of services may name. */
  readonly onHostChanged: (host: HeardHost) => void;
  readonly onRemoved: (service: HeardService) => void;
};

export function createServiceCache(deps: ServiceCacheDeps): ServiceCache {
  const kept = createKept(deps);
  const { services } = kept;
  return {
    hear: createHearing(kept, deps),
    age: createAging(kept, deps),
    knownPointers: (type) => knownPointers(services.values(), type, deps.monotonicMs()),
    forgetType: (typeKey) => {
      for (const service of services.values()) if (service.typeKey === typeKey) kept.remove(service);
    },
    forgetAll: () => {
      for (const service of services.values()) kept.remove(service);
    },
  };
}

type Kept = ReturnType<typeof createKept>;

function createKept({ room, onRemoved }: ServiceCacheDeps) {
  const services = new Map<string, HeardService>();
  const hosts = new Map<string, HeardHost>();
  const leaveHost = (service: HeardService): void => {
    service.host?.services.delete(service);
    if (service.host?.services.size === 0) hosts.delete(service.host.name.key);
    service.host = undefined;
  };
  return {
    services,
    hosts,
    /** Finds the host at which the service is now. */
    followPlace: (service: HeardService): void => {
      const target = placeOf(service)?.target;
      if (target?.key === service.host?.name.key) return;
      leaveHost(service);
      if (target === undefined) return;
      const host = hosts.get(target.key) ?? heardHost(target);
      hosts.set(target.key, host);
      host.services.add(service);
      service.host = host;
    },
    remove: (service: HeardService): void => {
      leaveHost(service);
      services.delete(service.name.key);
      room.leave(service.typeKey, service.peer);
      onRemoved(service);
    },
  };
}

type Hearing = { readonly peer: string; readonly nowMs: number; readonly random: () => number };

function createHearing(kept: Kept, deps: ServiceCacheDeps): ServiceCache['hear'] {
  const { services, hosts } = kept;
  const hearPointer = (record: DnsRecord, { peer, nowMs, random }: Hearing): boolean => {
    const typeKey = record.name.key;
    const name = nameInData(record.data);
    if (!deps.isBrowsed(typeKey) || keyOfRest(name.key) !== typeKey || deps.isOwn(name.key)) return false;
    const known = services.get(name.key);
    if (record.ttlS === 0) {
      if (known !== undefined) endLife(known.pointer, nowMs);
      return known !== undefined;
    }
    const pointer = startLife(record.ttlS, nowMs, random);
    if (known !== undefined) {
      known.pointer = pointer;
      return true;
    }
    if (!deps.room.enter(typeKey, peer)) return false;
    const service = heardService({ interface: deps.interface, typeKey, name, peer, pointer });
    services.set(name.key, service);
    deps.onAdded(service);
    return true;
  };
  const hearOfService = (record: DnsRecord, hearing: Hearing): boolean => {
    const service = services.get(record.name.key);
    if (service === undefined) return false;
    const isPlace = record.type === DNS_TYPE.SRV;
    const cut = isPlace ? record : { ...record, data: record.data.subarray(0, MAX_TEXT_BYTES) };
    if (hearRecord(isPlace ? service.places : service.texts, cut, hearing)) {
      if (isPlace) kept.followPlace(service);
      deps.onChanged(service);
    }
    return true;
  };
  const hearOfHost = (record: DnsRecord, hearing: Hearing): boolean => {
    const host = hosts.get(record.name.key);
    if (host === undefined) return false;
    const set = record.type === DNS_TYPE.A ? host.ipv4 : host.ipv6;
    if (hearRecord(set, record, hearing)) deps.onHostChanged(host);
    return true;
  };
  return (records, peer) => {
    // One chance for all records of the packet, which are then asked for again together.
    const chance = deps.random();
    const hearing = { peer, nowMs: deps.monotonicMs(), random: () => chance };
    let isOurs = false;
    // Pointers first, addresses last: a record counts only if another one leads to it, and a packet has them in any order.
    for (const record of records) if (POINTERS.has(record.type)) isOurs = hearPointer(record, hearing) || isOurs;
    for (const record of records) if (OF_SERVICE.has(record.type)) isOurs = hearOfService(record, hearing) || isOurs;
    for (const record of records) if (OF_HOST.has(record.type)) isOurs = hearOfHost(record, hearing) || isOurs;
    return isOurs;
  };
}

function createAging({ services, hosts, remove, followPlace }: Kept, deps: ServiceCacheDeps): ServiceCache['age'] {
  return (moment) => {
    const asked: Subject[] = [];
    const dueTypes = new Set<string>();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const service of services.values()) {
      // The name may have become the hub's own since.
      if (service.pointer.endsMs <= moment.nowMs || deps.isOwn(service.name.key)) {
        remove(service);
        continue;
      }
      if (isDueAgain(service.pointer, moment.nowMs, deps.random)) dueTypes.add(service.typeKey);
      const work = ageService(service, moment);
      if (work.isChanged) {
        followPlace(service);
        deps.onChanged(service);
      }
      for (const type of work.types) asked.push({ name: service.name, type });
      nextMs = Math.min(nextMs, work.nextMs, service.pointer.dueMs);
    }
    for (const host of hosts.values()) {
      const work = ageHost(host, moment);
      if (work.isChanged) deps.onHostChanged(host);
      for (const type of work.types) asked.push({ name: host.name, type });
      nextMs = Math.min(nextMs, work.nextMs);
    }
    return { asked, dueTypes, nextMs };
  };
}

const POINTERS: ReadonlySet<number> = new Set([DNS_TYPE.PTR]);
const OF_SERVICE: ReadonlySet<number> = new Set([DNS_TYPE.SRV, DNS_TYPE.TXT]);
const OF_HOST: ReadonlySet<number> = new Set([DNS_TYPE.A, DNS_TYPE.AAAA]);

/** The pointers with more than half of their life left: an answer would teach nothing. */
function knownPointers(services: Iterable<HeardService>, type: DnsName, nowMs: number): readonly DnsRecord[] {
  const records: DnsRecord[] = [];
  for (const { typeKey, name, pointer } of services) {
    const leftMs = pointer.endsMs - nowMs;
    if (typeKey !== type.key || leftMs * 2 <= pointer.lifeMs) continue;
    const ttlS = Math.floor(leftMs / 1_000);
    records.push({ name: type, type: DNS_TYPE.PTR, ttlS, isUnique: false, data: encodeDnsName(name) });
  }
  return records;
}
