// Our own codec, because the package `dns-packet` needs 8.35 ms for a hostile packet of 9,000 bytes. Here the work for
// each byte is bounded and the dearest packet costs 0.6 ms: test/lan/mdns/dns-message-cost.real.ts checks it.

/** Types of RFC 1035, 2782, 3596 and 4034 that service discovery uses. */
export const DNS_TYPE = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, NSEC: 47, ANY: 255 } as const;

/** A name in full; two names are the same if their keys are equal. */
export type DnsName = {
  /** As in a message, without compression: each label after its length. One character for each byte. */
  readonly wire: string;
  /** The same with ASCII letters in lower case (RFC 6762 section 16). */
  readonly key: string;
};
export type DnsQuestion = { readonly name: DnsName; readonly type: number };
export type DnsRecord = {
  readonly name: DnsName;
  readonly type: number;
  readonly ttlS: number;
  /** Sent with the bit that makes receivers forget other records of this name and type. */
  readonly isUnique: boolean;
  /** With names in full. */
  readonly data: Buffer;
};
export type DnsMessage = {
  readonly id: number;
  readonly isResponse: boolean;
  /** More of the records that the sender knows follow in further messages (RFC 6762 section 7.2). */
  readonly isTruncated?: boolean;
  readonly questions: readonly DnsQuestion[];
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
};

const CLASS_IN = 1;
const CLASS_ANY = 255;
const TOP_BIT = 0x8000;
const RESPONSE = 0x8400;
const TRUNCATED = 0x0200;
const NOT_PLAIN = 0x780f;
const HEADER_BYTES = 12;
/** RFC 6762 section 17: with its headers, no packet of multicast DNS is larger. */
export const MAX_MESSAGE_BYTES = 9_000;
const MAX_NAME_BYTES = 255;
const MAX_LABEL_BYTES = 63;
/** The longest names of a home are those of reverse look-ups, with a label for each digit of an IPv6 address. */
const MAX_LABELS = 40;
const MAX_HOPS = 10;
const MAX_POINTER = 0x3fff;
const MAX_RECORDS = 200;

/** Makes a name of labels without the root; the label of a service may hold dots. */
export function dnsName(...labels: readonly string[]): DnsName {
  const bytes = labels.flatMap((label) => {
    const text = Buffer.from(label).subarray(0, MAX_LABEL_BYTES);
    return [Buffer.of(text.length), text];
  });
  const wire = Buffer.concat([...bytes, Buffer.of(0)]).toString('latin1');
  return { wire, key: keyOf(wire) };
}

/** Writes names that were written before as pointers (RFC 6762 section 18.14), but not within SRV and NSEC data. */
export function encodeDnsMessage(message: DnsMessage): Buffer {
  const { id, questions, answers, authorities, additionals } = message;
  const flags = (message.isResponse ? RESPONSE : 0) | (message.isTruncated === true ? TRUNCATED : 0);
  const counts = [questions, answers, authorities, additionals].map(({ length }) => length);
  const parts = [uint16(id, flags, ...counts)];
  const starts = new Map<string, number>();
  let at = HEADER_BYTES;
  const write = (...bytes: readonly Buffer[]): void => {
    for (const part of bytes) at += part.length;
    parts.push(...bytes);
  };
  for (const { name, type } of questions) write(compressed(name.wire, at, starts), uint16(type, CLASS_IN));
  for (const { name, type, ttlS, isUnique, data } of [...answers, ...authorities, ...additionals]) {
    const ttl = Buffer.alloc(4);
    ttl.writeUInt32BE(ttlS);
    write(compressed(name.wire, at, starts), uint16(type, CLASS_IN | (isUnique ? TOP_BIT : 0)), ttl);
    const short = type === DNS_TYPE.PTR ? compressed(data.toString('latin1'), at + 2, starts) : data;
    write(uint16(short.length), short);
  }
  return Buffer.concat(parts);
}

/** The name at this place of a message, with its end replaced by a pointer where the message has that end already. */
function compressed(wire: string, at: number, starts: Map<string, number>): Buffer {
  for (let label = 0; wire.charCodeAt(label) > 0; label += wire.charCodeAt(label) + 1) {
    const rest = wire.slice(label);
    const start = starts.get(rest);
    if (start !== undefined)
      return Buffer.concat([Buffer.from(wire.slice(0, label), 'latin1'), uint16(0xc000 | start)]);
    if (at + label <= MAX_POINTER) starts.set(rest, at + label);
  }
  return Buffer.from(wire, 'latin1');
}

/** The name that a record has as its data, from `from` on; without compression, as decoded data is. */
export function nameInData(data: Buffer, from = 0): DnsName {
  const wire = data.toString('latin1', from);
  return { wire, key: keyOf(wire) };
}

/** Whether the header says so: known before anything is read. */
export function isResponse(bytes: Buffer): boolean {
  return bytes.length > 2 && (bytes.readUInt8(2) & 0x80) !== 0;
}

/**
 * Reads the questions and records that `isWanted` accepts by the keys of their names and by their types, by default all.
 * `undefined` for bytes that are not a whole message of plain queries or answers.
 *
 * The work for each byte is bounded: a name is followed over a few hops and labels only, and nothing is kept of an
 * unwanted one.
 */
export function decodeDnsMessage(
  bytes: Buffer,
  isWanted: (key: string, type: number) => boolean = () => true,
): DnsMessage | undefined {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_MESSAGE_BYTES) return undefined;
  const [id = 0, flags = 0, ...counts] = readHeader(bytes);
  if ((flags & NOT_PLAIN) !== 0 || counts.reduce((sum, count) => sum + count, 0) > MAX_RECORDS) return undefined;
  const reader: Reader = { bytes, at: HEADER_BYTES, isWanted };
  try {
    const [questionCount = 0, ...recordCounts] = counts;
    const questions = readItems(questionCount, () => readQuestion(reader));
    const [answers = [], authorities = [], additionals = []] = recordCounts.map((count) =>
      readItems(count, () => readRecord(reader)),
    );
    const truncated = (flags & TRUNCATED) === 0 ? {} : { isTruncated: true };
    return { id, isResponse: (flags & TOP_BIT) !== 0, ...truncated, questions, answers, authorities, additionals };
  } catch (cause) {
    // The message is cut off, or a name in it has no end: nothing to report when it comes from the network.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** The number of questions and records by the header: with the number of bytes, it bounds the cost of reading. */
export function countDnsItems(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return 0;
  const [, , ...counts] = readHeader(bytes);
  return counts.reduce((sum, count) => sum + count, 0);
}

export function encodeDnsName({ wire }: DnsName): Buffer {
  return Buffer.from(wire, 'latin1');
}

export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

function readHeader(bytes: Buffer): number[] {
  return [0, 2, 4, 6, 8, 10].map((offset) => bytes.readUInt16BE(offset));
}

type Reader = {
  readonly bytes: Buffer;
  at: number;
  readonly isWanted: (key: string, type: number) => boolean;
};

function readItems<Item>(count: number, read: () => Item | undefined): Item[] {
  const items: Item[] = [];
  for (let left = count; left > 0; left -= 1) {
    const item = read();
    if (item !== undefined) items.push(item);
  }
  return items;
}

function readQuestion(reader: Reader): DnsQuestion | undefined {
  const name = readName(reader, reader.at);
  const type = reader.bytes.readUInt16BE(reader.at);
  const asked = reader.bytes.readUInt16BE(reader.at + 2) & ~TOP_BIT;
  reader.at += 4;
  if (asked !== CLASS_IN && asked !== CLASS_ANY) return undefined;
  return reader.isWanted(name.key, type) ? { name, type } : undefined;
}

function readRecord(reader: Reader): DnsRecord | undefined {
  const { bytes } = reader;
  const name = readName(reader, reader.at);
  const head = reader.at;
  const type = bytes.readUInt16BE(head);
  const classBits = bytes.readUInt16BE(head + 2);
  const isUnique = (classBits & TOP_BIT) !== 0;
  const ttlS = bytes.readUInt32BE(head + 4);
  const start = head + 10;
  const end = start + bytes.readUInt16BE(head + 8);
  if (end > bytes.length) throw new RangeError('the record ends outside of the message');
  const isInternet = (classBits & ~TOP_BIT) === CLASS_IN;
  const record =
    isInternet && reader.isWanted(name.key, type)
      ? { name, type, ttlS, isUnique, data: readData(reader, { type, start, end }) }
      : undefined;
  reader.at = end;
  return record;
}

/** Expands compressed names in the data, so that data can be compared byte by byte. */
function readData(reader: Reader, { type, start, end }: { type: number; start: number; end: number }): Buffer {
  const { bytes } = reader;
  if (type === DNS_TYPE.PTR) return encodeDnsName(readName(reader, start));
  if (type !== DNS_TYPE.SRV) return bytes.subarray(start, end);
  return Buffer.concat([bytes.subarray(start, start + 6), encodeDnsName(readName(reader, start + 6))]);
}

/** Moves the reader behind the name. Follows compression only backwards and only a few times. */
function readName(reader: Reader, from: number): DnsName {
  const { bytes } = reader;
  let [at, start] = [from, from];
  let behind: number | undefined;
  let [labels, hops] = [0, 0];
  let wire = '';
  for (let size = 1; size > 0;) {
    size = bytes.readUInt8(at);
    if (size >= 0xc0) {
      const target = bytes.readUInt16BE(at) & MAX_POINTER;
      hops += 1;
      if (target >= at || hops > MAX_HOPS) throw new RangeError('the name has no end');
      wire += bytes.toString('latin1', start, at);
      behind ??= at + 2;
      [at, start] = [target, target];
      continue;
    }
    labels += 1;
    if (size > MAX_LABEL_BYTES || labels > MAX_LABELS) throw new RangeError('the name is no name');
    at += size + 1;
  }
  reader.at = behind ?? at;
  wire += bytes.toString('latin1', start, at);
  if (wire.length > MAX_NAME_BYTES) throw new RangeError('the name is too long');
  return { wire, key: keyOf(wire) };
}

/** Includes the length bytes: none of them is a letter from A to Z. */
function keyOf(wire: string): string {
  return wire.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
