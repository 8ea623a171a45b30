import { DNS_TYPE, type DnsName, nameInData } from '#lan/mdns/dns-message.ts';
import { ageRecords, type Aged, createRecordSet, type Lifetime, presentData, type RecordSet } from './record-set.ts';
import { firstLabel } from './service-text.ts';

/** Questions for what no answer has said yet: at once, then after 1 s, 2 s, 4 s and so on. */
type Search = { asked: number; dueMs: number };

/** A service on one interface, from the moment a pointer to it is heard. */
export type HeardService = {
  readonly interface: string;
  readonly typeKey: string;
  readonly name: DnsName;
  /** Services with the same text are one to a person, even if their bytes differ. */
  readonly text: string;
  /** The host that said it first. */
  readonly peer: string;
  pointer: Lifetime;
  readonly places: RecordSet;
  readonly texts: RecordSet;
  host: HeardHost | undefined;
  readonly search: Search;
};

/** A host that services name. */
export type HeardHost = {
  readonly name: DnsName;
  readonly services: Set<HeardService>;
  readonly ipv4: RecordSet;
  readonly ipv6: RecordSet;
  readonly search: Search;
};

export type Place = { readonly port: number; readonly target: DnsName };
export type Subject = { readonly name: DnsName; readonly type: number };
type AgedPart = Aged & { readonly types: readonly number[] };

const MOST_PLACES = 4;
const MOST_TEXTS = 2;
const MOST_ADDRESSES = 8;
const ROOT_PLACE_BYTES = 7;
const SEARCH_MS = { first: 1_000, most: 3_600_000 };
/** Some devices have no TXT record, though RFC 6763 section 6 asks for one. After so many questions it is one of these. */
const TEXT_ASKED = 3;
const NEVER = Number.POSITIVE_INFINITY;

export function heardService(
  announcement: Pick<HeardService, 'interface' | 'typeKey' | 'name' | 'peer' | 'pointer'>,
): HeardService {
  return {
    ...announcement,
    text: firstLabel(announcement.name.wire),
    places: createRecordSet(MOST_PLACES),
    texts: createRecordSet(MOST_TEXTS),
    host: undefined,
    search: { asked: 0, dueMs: 0 },
  };
}

export function heardHost(name: DnsName): HeardHost {
  const addresses = (): RecordSet => createRecordSet(MOST_ADDRESSES);
  return { name, services: new Set(), ipv4: addresses(), ipv6: addresses(), search: { asked: 0, dueMs: 0 } };
}

/** Where the service is: of several records the one with the lowest priority, then the one that was heard first. */
export function placeOf({ places }: HeardService): Place | undefined {
  let best: Buffer | undefined;
  for (const data of presentData(places)) {
    const bytes = Buffer.from(data, 'latin1');
    if (best === undefined || bytes.readUInt16BE(0) < best.readUInt16BE(0)) best = bytes;
  }
  // RFC 2782: the root as the host means that the service is not there.
  if (best === undefined || best.length <= ROOT_PLACE_BYTES) return undefined;
  return { port: best.readUInt16BE(4), target: nameInData(best, 6) };
}

/** Whether the service can be described: where it is, and what its text says, unless it has none. */
export function isKnown({ host, texts, search }: HeardService): boolean {
  if (host === undefined || host.ipv4.lives.size + host.ipv6.lives.size === 0) return false;
  return texts.lives.size > 0 || search.asked >= TEXT_ASKED;
}

export type Moment = {
  readonly nowMs: number;
  readonly random: () => number;
  readonly mayAsk: (name: DnsName) => boolean;
};

/** Forgets what has ended of a service, and lists what the network is to be asked for. */
export function ageService(service: HeardService, moment: Moment): AgedPart {
  const { places, texts, search } = service;
  const [place, text] = [places, texts].map((set) => ageRecords(set, moment.nowMs, moment.random));
  const isPlaceless = places.lives.size === 0;
  const isTextless = texts.lives.size === 0 && (isPlaceless || search.asked < TEXT_ASKED);
  const missing = [...(isPlaceless ? [DNS_TYPE.SRV] : []), ...(isTextless ? [DNS_TYPE.TXT] : [])];
  const due = [...(place?.isDue === true ? [DNS_TYPE.SRV] : []), ...(text?.isDue === true ? [DNS_TYPE.TXT] : [])];
  const part = aged([place, text], { name: service.name, search, missing, due, moment });
  const isGivenUp = search.asked === TEXT_ASKED && isTextless;
  return isGivenUp ? { ...part, isChanged: true } : part;
}

/** The same for a host. A host that has addresses of one family is asked once for those of the other. */
export function ageHost({ name, ipv4, ipv6, search }: HeardHost, moment: Moment): AgedPart {
  const [four, six] = [ipv4, ipv6].map((set) => ageRecords(set, moment.nowMs, moment.random));
  const isLost = ipv4.lives.size + ipv6.lives.size === 0;
  const isMissing = (set: RecordSet): boolean => set.lives.size === 0 && (isLost || search.asked === 0);
  const missing = [...(isMissing(ipv4) ? [DNS_TYPE.A] : []), ...(isMissing(ipv6) ? [DNS_TYPE.AAAA] : [])];
  const due = [...(four?.isDue === true ? [DNS_TYPE.A] : []), ...(six?.isDue === true ? [DNS_TYPE.AAAA] : [])];
  return aged([four, six], { name, search, missing, due, moment });
}

type Wanted = { name: DnsName; search: Search; missing: readonly number[]; due: readonly number[]; moment: Moment };

function aged(parts: readonly (Aged | undefined)[], wanted: Wanted): AgedPart {
  const { search, missing, due, name, moment } = wanted;
  const isChanged = parts.some((part) => part?.isChanged === true);
  if (isChanged) search.asked = 0;
  const isDue = due.length > 0 && moment.mayAsk(name);
  const types = [...(isDue ? due : []), ...(isSearchedNow(wanted) ? missing : [])];
  return { isChanged, isDue, nextMs: Math.min(search.dueMs, ...parts.map((part) => part?.nextMs ?? NEVER)), types };
}

function isSearchedNow({ search, missing, name, moment }: Wanted): boolean {
  if (missing.length === 0) {
    search.dueMs = NEVER;
    return false;
  }
  if (search.dueMs === NEVER) search.dueMs = moment.nowMs;
  if (search.dueMs > moment.nowMs || !moment.mayAsk(name)) return false;
  search.dueMs = moment.nowMs + Math.min(SEARCH_MS.first * 2 ** search.asked, SEARCH_MS.most);
  search.asked += 1;
  return true;
}
