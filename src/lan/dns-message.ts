/** Types of RFC 1035, 2782, 3596 and 4034 that service discovery uses. */
export const DNS_TYPE = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, NSEC: 47, ANY: 255 } as const;

/** Labels without the root: a service's name may hold dots. */
export type DnsName = readonly string[];
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
  readonly questions: readonly DnsQuestion[];
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
};

const CLASS_IN = 1;
const TOP_BIT = 0x8000;
const RESPONSE = 0x8400;
const NOT_PLAIN = 0x780f;
const HEADER_BYTES = 12;
const MAX_NAME_BYTES = 255;
const MAX_RECORDS = 200;

/** Names are equal whatever the case (RFC 6762 section 16). */
export function dnsKey(name: DnsName): string {
  return name.map((label) => `${label.length}${label.toLowerCase()}`).join('.');
}

export function encodeDnsMessage(message: DnsMessage): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const sections = [message.answers, message.authorities, message.additionals];
  [
    message.id,
    message.isResponse ? RESPONSE : 0,
    message.questions.length,
    ...sections.map(({ length }) => length),
  ].forEach((value, index) => header.writeUInt16BE(value, index * 2));
  const questions = message.questions.map(({ name, type }) =>
    Buffer.concat([encodeDnsName(name), uint16(type, CLASS_IN)]),
  );
  return Buffer.concat([header, ...questions, ...sections.flat().map(encodeRecord)]);
}

/** `undefined` for what is not a whole message of plain queries or answers. */
export function decodeDnsMessage(bytes: Buffer): DnsMessage | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const [id = 0, flags = 0, ...counts] = [0, 2, 4, 6, 8, 10].map((offset) => bytes.readUInt16BE(offset));
  if ((flags & NOT_PLAIN) !== 0 || counts.reduce((sum, count) => sum + count, 0) > MAX_RECORDS) return undefined;
  const cursor = { at: HEADER_BYTES };
  try {
    const repeat = <Item>(count: number | undefined, read: () => Item): Item[] =>
      Array.from({ length: count ?? 0 }, read);
    const [questionCount, ...recordCounts] = counts;
    const questions = repeat(questionCount, () => readQuestion(bytes, cursor));
    const [answers = [], authorities = [], additionals = []] = recordCounts.map((count) =>
      repeat(count, () => readRecord(bytes, cursor)),
    );
    return { id, isResponse: (flags & TOP_BIT) !== 0, questions, answers, authorities, additionals };
  } catch (cause) {
    // It ended before it said it would, or a name in it has no end: from the network that is nothing to report.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

export function encodeDnsName(name: DnsName): Buffer {
  const labels = name.map((label) => {
    const text = Buffer.from(label).subarray(0, 63);
    return Buffer.concat([Buffer.of(text.length), text]);
  });
  return Buffer.concat([...labels, Buffer.of(0)]);
}

export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

function encodeRecord({ name, type, ttlS, isUnique, data }: DnsRecord): Buffer {
  const ttl = Buffer.alloc(4);
  ttl.writeUInt32BE(ttlS);
  const head = uint16(type, CLASS_IN | (isUnique ? TOP_BIT : 0));
  return Buffer.concat([encodeDnsName(name), head, ttl, uint16(data.length), data]);
}

type Cursor = { at: number };

function readQuestion(bytes: Buffer, cursor: Cursor): DnsQuestion {
  const name = readName(bytes, cursor);
  const type = bytes.readUInt16BE(cursor.at);
  cursor.at += 4;
  return { name, type };
}

function readRecord(bytes: Buffer, cursor: Cursor): DnsRecord {
  const name = readName(bytes, cursor);
  const type = bytes.readUInt16BE(cursor.at);
  const isUnique = (bytes.readUInt16BE(cursor.at + 2) & TOP_BIT) !== 0;
  const ttlS = bytes.readUInt32BE(cursor.at + 4);
  const start = cursor.at + 10;
  const end = start + bytes.readUInt16BE(cursor.at + 8);
  if (end > bytes.length) throw new RangeError('the record ends outside of the message');
  cursor.at = end;
  return { name, type, ttlS, isUnique, data: readData(bytes, { type, start, end }) };
}

/** Names inside are made whole, so that data can be compared byte by byte. */
function readData(bytes: Buffer, { type, start, end }: { type: number; start: number; end: number }): Buffer {
  if (type === DNS_TYPE.PTR) return encodeDnsName(readName(bytes, { at: start }));
  if (type !== DNS_TYPE.SRV) return bytes.subarray(start, end);
  return Buffer.concat([bytes.subarray(start, start + 6), encodeDnsName(readName(bytes, { at: start + 6 }))]);
}

/** Follows compression backwards only, so that it ends. */
function readName(bytes: Buffer, cursor: Cursor): string[] {
  const labels: string[] = [];
  let at = cursor.at;
  let length = 0;
  let isMoved = false;
  for (;;) {
    const size = bytes.readUInt8(at);
    if (size >= 0xc0) {
      const target = bytes.readUInt16BE(at) & 0x3fff;
      if (!isMoved) cursor.at = at + 2;
      isMoved = true;
      if (target >= at) throw new RangeError('the name points forward');
      at = target;
      continue;
    }
    length += size + 1;
    if (size > 63 || length > MAX_NAME_BYTES || at + 1 + size > bytes.length)
      throw new RangeError('the name is too long');
    at += 1 + size;
    if (size === 0) {
      if (!isMoved) cursor.at = at;
      return labels;
    }
    labels.push(bytes.toString('utf8', at - size, at));
  }
}
