import type { Log } from '#base/log.ts';
import { DNS_TYPE } from '#lan/mdns/dns-message.ts';
import { type HeardHost, type HeardService, isKnown, type Place, placeOf } from './heard-service.ts';
import { presentData } from './record-set.ts';
import { addressText, hostText, readPairs } from './service-text.ts';

/** A service as its host describes it. Everything in it was said by a stranger. */
type FoundService = {
  /** Its instance name, unique for its type: `Hue Bridge - 4B0A12`. */
  readonly name: string;
  /** `_hue._tcp`. */
  readonly type: string;
  readonly host: string;
  readonly port: number;
  /** LAN addresses only, with the zone where a link-local one needs it; IPv4 first, link-local ones last. */
  readonly addresses: readonly string[];
  /** Keys in lower case. */
  readonly txt: Readonly<Record<string, string>>;
};

export type FoundChange = {
  readonly type: 'found' | 'changed' | 'gone';
  readonly service: FoundService;
};

/** The services of one type, as found on all interfaces together, are described here. */
export type FoundServices = ReturnType<typeof createFoundServices>;

type FoundServicesDeps = {
  readonly type: string;
  /** Whether the hub may connect to this address, which it heard on this interface. */
  readonly mayConnect: (address: string, interfaceName: string) => boolean;
  readonly log: Log;
};

/** So that a flood does not hold up the event loop: the next report goes on. */
const MOST_AT_ONCE = 50;
/** The first of the services with the same text are looked at. */
const MOST_ALIKE = 8;

export function createFoundServices({ type, mayConnect, log }: FoundServicesDeps) {
  /** By their text: the same service on two interfaces, or two names that look the same. */
  const heard = new Map<string, Set<HeardService>>();
  const found = new Map<string, FoundService>();
  const touched = { texts: new Set<string>(), hosts: new Set<HeardHost>() };
  const watchers = new Set<{ readonly onChange: (change: FoundChange) => void }>();

  const say = (onChange: (change: FoundChange) => void, change: FoundChange): void => {
    try {
      onChange(change);
    } catch (cause) {
      log.error('a watcher of services failed', { type, cause });
    }
  };
  const update = (text: string, addressesOf: AddressesOf): void => {
    const before = found.get(text);
    const alike = [...(heard.get(text) ?? [])].slice(0, MOST_ALIKE);
    const service = describe(alike, type, addressesOf);
    if (service === undefined) found.delete(text);
    if (JSON.stringify(service) === JSON.stringify(before)) return;
    if (service !== undefined) found.set(text, service);
    const change = changeOf(before, service);
    if (change !== undefined) for (const { onChange } of watchers) say(onChange, change);
  };
  return {
    add: (service: HeardService): void => {
      const others = heard.get(service.text);
      if (others === undefined) heard.set(service.text, new Set([service]));
      else others.add(service);
      touched.texts.add(service.text);
    },
    remove: (service: HeardService): void => {
      const others = heard.get(service.text);
      others?.delete(service);
      if (others?.size === 0) heard.delete(service.text);
      touched.texts.add(service.text);
    },
    /** Something was heard of the service, or of its host. */
    touch: (part: HeardService | HeardHost): void =>
      void ('text' in part ? touched.texts.add(part.text) : touched.hosts.add(part)),
    touchAll: (): void => {
      for (const text of heard.keys()) touched.texts.add(text);
    },
    isTouched: (): boolean => touched.texts.size + touched.hosts.size > 0,
    /** Describes anew some of what was touched, and reports what is different. */
    report: (): void => {
      for (const { services } of touched.hosts) for (const { text } of services) touched.texts.add(text);
      touched.hosts.clear();
      const addressesOf = rememberedAddresses(mayConnect);
      let left = MOST_AT_ONCE;
      for (const text of touched.texts) {
        if (left === 0) break;
        left -= 1;
        touched.texts.delete(text);
        update(text, addressesOf);
      }
    },
    watch: (onChange: (change: FoundChange) => void): (() => void) => {
      const watcher = { onChange };
      watchers.add(watcher);
      for (const service of found.values()) say(onChange, { type: 'found', service });
      return () => void watchers.delete(watcher);
    },
    watchers: (): number => watchers.size,
  };
}

function changeOf(before: FoundService | undefined, now: FoundService | undefined): FoundChange | undefined {
  if (now !== undefined) return { type: before === undefined ? 'found' : 'changed', service: now };
  return before === undefined ? undefined : { type: 'gone', service: before };
}

type AddressesOf = (service: HeardService) => readonly string[];

/**
 * Describes the service that was heard first, with the addresses that it has on other interfaces too. Another service
 * of the same name but at another place stays unseen for as long as the first one is there.
 */
function describe(heard: readonly HeardService[], type: string, addressesOf: AddressesOf): FoundService | undefined {
  let first: { readonly service: HeardService; readonly place: Place } | undefined;
  const addresses = new Set<string>();
  for (const service of heard) {
    const place = placeOf(service);
    if (place === undefined || !isKnown(service)) continue;
    if (first !== undefined && !isSamePlace(place, first.place)) continue;
    const own = addressesOf(service);
    if (own.length > 0) first ??= { service, place };
    for (const address of own) addresses.add(address);
  }
  if (first === undefined) return undefined;
  const { service, place } = first;
  return {
    name: service.text,
    type,
    host: hostText(place.target.wire),
    port: place.port,
    addresses: [...addresses].sort((left, right) => rankOf(left) - rankOf(right) || (left < right ? -1 : 1)),
    txt: readPairs(presentData(service.texts)[0] ?? ''),
  };
}

function isSamePlace(left: Place, right: Place): boolean {
  return left.port === right.port && left.target.key === right.target.key;
}

/** The LAN addresses of the host of a service; read once for each host, which any number of services may name. */
function rememberedAddresses(mayConnect: FoundServicesDeps['mayConnect']): AddressesOf {
  const remembered = new Map<HeardHost, readonly string[]>();
  return ({ host, interface: name }) => {
    if (host === undefined) return [];
    const known = remembered.get(host);
    if (known !== undefined) return known;
    const texts = (type: number, data: readonly string[]): (string | undefined)[] =>
      data.map((one) => addressText(type, one, name));
    const addresses = [...texts(DNS_TYPE.A, presentData(host.ipv4)), ...texts(DNS_TYPE.AAAA, presentData(host.ipv6))]
      .filter((address) => address !== undefined)
      .filter((address) => mayConnect(address, name));
    remembered.set(host, addresses);
    return addresses;
  };
}

/** An address that a host gave itself because nobody else did comes after one that it was given. */
function rankOf(address: string): number {
  if (address.includes(':')) return address.includes('%') ? 3 : 1;
  return address.startsWith('169.254.') ? 2 : 0;
}
