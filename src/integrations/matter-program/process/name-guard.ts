import { Bytes, DnsCodec, DnsMessageType, type DnsRecord, DnsRecordType, Seconds } from '@matter/main';

/**
 * Stands between the network and the library, which keeps each name of Matter that anybody says, for as long as that one
 * wants. Here both have a limit.
 */
export type NameGuard = ReturnType<typeof createNameGuard>;

/** A record that the library has: until when at the latest, its name, and the name of the host that it brings with it. */
type Kept = { readonly names: readonly string[]; readonly untilMs: number };

/** The services of Matter: devices in homes, devices that can join one, and those that take devices in. */
const SERVICES = ['_matter._tcp.local', '_matterc._udp.local', '_matterd._udp.local'];
const OPERATIONAL = /^[^_].*\._matter\._tcp\.local$/;
/** Two hundred devices, each in three homes, say about 3,000. One costs the library up to 5 KB. */
const MOST_RECORDS = 4_000;
const MOST_ASKED = 1_000;
const MOST_OF_ASKED = 12;
/** RFC 1035, section 2.3.4: 255 bytes with the lengths of the first label and of the end. */
const MAX_NAME = 253;
/** A text of Matter has about 300 bytes. */
const MAX_TEXT = 1_024;
/**
 * A record that a neighbour made up is gone after that, though it says that it holds for years. The library asks again
 * when it needs a true one.
 */
const MAX_TTL = Seconds(600);
/** The library keeps a record for 15 s at least, and 5 % longer than it says. */
const MIN_TTL = Seconds(15);
const LONGER = 1.05;
const LATE_MS = 5_000;
/** Announces more of the same message: the library would wait for it, and gather without end. */
const TRUNCATED = 0x200;

export function createNameGuard(monotonicMs: () => number) {
  const records = createShelf(Infinity);
  const ofAsked = createShelf(MOST_OF_ASKED);
  /** Devices of this home and their hosts. A flood of other names leaves them their place. */
  const asked = new Set<string>();
  /** Named without a record of their own: the library may never forget these. */
  const pointedAt = new Set<string>();

  const put = (record: DnsRecord): boolean => {
    const name = record.name.toLowerCase();
    const shelf = asked.has(name) ? ofAsked : records;
    const key = keyOf(record);
    // Also after an end the library may keep the record for its time.
    if (record.ttl === 0) return shelf.has(key);
    const nowMs = monotonicMs();
    const untilMs = nowMs + Math.max(MIN_TTL, Math.min(MAX_TTL, record.ttl)) * LONGER + LATE_MS;
    const host = hostOf(record);
    if (!shelf.put(key, { names: host === undefined ? [name] : [name, host], untilMs }, nowMs)) return false;
    if (host !== undefined && asked.has(name) && asked.size < 2 * MOST_ASKED) asked.add(host);
    return true;
  };
  const mayPointAt = (instance: string): boolean => {
    if (!pointedAt.has(instance) && pointedAt.size >= MOST_RECORDS) return false;
    pointedAt.add(instance);
    return true;
  };
  /** The records of services come first: they say which instances and hosts count. */
  const pick = (all: readonly DnsRecord[]): ReadonlySet<DnsRecord> => {
    const said = all.filter((record) => isOfMatter(record) && !isPointer(record) && put(record));
    const here = new Set(said.filter(({ ttl }) => ttl > 0).map(({ name }) => name.toLowerCase()));
    const pointers = all.filter((record) => {
      if (!isOfMatter(record) || !isPointer(record)) return false;
      const instance = String(record.value).toLowerCase();
      return (here.has(instance) || OPERATIONAL.test(instance) || mayPointAt(instance)) && put(record);
    });
    const isKnown = (host: string): boolean => here.size > 0 || records.hasName(host) || ofAsked.hasName(host);
    const hosts = all.filter(
      (record) => isHost(record) && isWritable(record.name) && isKnown(record.name.toLowerCase()) && put(record),
    );
    return new Set([...said, ...pointers, ...hosts]);
  };
  return {
    /** What the library may see of a message of mDNS; `undefined` if that is nothing. */
    admit: (bytes: Uint8Array): Uint8Array | undefined => {
      const message = DnsCodec.decode(bytes);
      if (message === undefined) return undefined;
      const admitted = pick([...message.answers, ...message.additionalRecords]);
      const ofList = (list: readonly DnsRecord[]): DnsRecord[] =>
        list
          .filter((record) => admitted.has(record))
          .map((record) => (record.ttl > MAX_TTL ? { ...record, ttl: MAX_TTL } : record));
      const isQuery = DnsMessageType.isQuery(message.messageType);
      const queries = isQuery ? message.queries.filter(({ name }) => isWritable(name)) : [];
      if (admitted.size === 0 && queries.length === 0) return undefined;
      const left = DnsCodec.encode({
        transactionId: message.transactionId,
        messageType: message.messageType & ~TRUNCATED,
        queries,
        answers: ofList(message.answers),
        additionalRecords: ofList(message.additionalRecords),
      });
      return Bytes.of(left);
    },
    /** A message that this node sends: the devices that it asks for get a place of their own. */
    noteSent: (bytes: Bytes): void => {
      for (const { name } of DnsCodec.decode(bytes)?.queries ?? []) {
        const wanted = name.toLowerCase();
        if (OPERATIONAL.test(wanted) && asked.size < MOST_ASKED) asked.add(wanted);
      }
    },
  };
}

/** Records with a limit for all, and one for those of a name. */
function createShelf(mostOfName: number) {
  const kept = new Map<string, Kept>();
  const counts = new Map<string, number>();
  const count = ({ names }: Kept, by: number): void => {
    for (const name of names) {
      const now = (counts.get(name) ?? 0) + by;
      if (now > 0) counts.set(name, now);
      else counts.delete(name);
    }
  };
  const isFull = (name = ''): boolean => kept.size >= MOST_RECORDS || (counts.get(name) ?? 0) >= mostOfName;
  const sweep = (nowMs: number): void => {
    for (const [key, one] of kept) {
      if (one.untilMs > nowMs) continue;
      kept.delete(key);
      count(one, -1);
    }
  };
  return {
    has: (key: string): boolean => kept.has(key),
    hasName: (name: string): boolean => counts.has(name),
    put: (key: string, one: Kept, nowMs: number): boolean => {
      const known = kept.get(key);
      if (known === undefined) {
        if (isFull(one.names[0])) sweep(nowMs);
        if (isFull(one.names[0])) return false;
        count(one, 1);
      }
      kept.set(key, { ...one, untilMs: Math.max(known?.untilMs ?? 0, one.untilMs) });
      return true;
    },
  };
}

function isPointer({ recordType }: DnsRecord): boolean {
  return recordType === DnsRecordType.PTR;
}

function isHost({ recordType }: DnsRecord): boolean {
  return recordType === DnsRecordType.A || recordType === DnsRecordType.AAAA;
}

/**
 * Whether a name can be written as it was read: what the library reads as one label may have dots or broken letters in
 * it, and would be written as something else. It also reads names as long as the message, and two bytes can refer to
 * one: each of its records would be that long.
 */
function isWritable(name: string): boolean {
  if (Buffer.byteLength(name) > MAX_NAME) return false;
  return name.split('.').every((label) => label !== '' && Buffer.byteLength(label) < 64);
}

function isOfMatter({ name, recordType, value }: DnsRecord): boolean {
  const lower = name.toLowerCase();
  if (!isWritable(name)) return false;
  if (!SERVICES.some((service) => lower === service || lower.endsWith(`.${service}`))) return false;
  if (recordType === DnsRecordType.TXT) return lengthOf(value) <= MAX_TEXT;
  if (recordType === DnsRecordType.PTR) return isWritable(String(value));
  return recordType === DnsRecordType.SRV && isWritable((value as { readonly target: string }).target);
}

function lengthOf(texts: unknown): number {
  return (texts as readonly Bytes[]).reduce((length, text) => length + text.byteLength, 0);
}

/** The host in a record that says where a service is. */
function hostOf({ recordType, value }: DnsRecord): string | undefined {
  return recordType === DnsRecordType.SRV ? (value as { readonly target: string }).target.toLowerCase() : undefined;
}

/** The same for what the library takes as the same record. */
function keyOf({ name, recordType, value }: DnsRecord): string {
  const said = recordType === DnsRecordType.TXT ? (value as readonly Bytes[]).map((text) => Bytes.toHex(text)) : value;
  return `${recordType} ${name.toLowerCase()} ${JSON.stringify(said)}`;
}
