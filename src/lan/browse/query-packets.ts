import { encodeDnsMessage, type DnsQuestion, type DnsRecord } from '#lan/mdns/dns-message.ts';

export type Query = { readonly question: DnsQuestion; readonly answers: readonly DnsRecord[] };

/** With the headers of IPv6 and UDP, a packet stays below the 1,500 bytes of Ethernet. */
const MAX_BYTES = 1_400;
const HEADER_BYTES = 12;
/** Known answers beyond these are left out: their senders say them again, which harms nobody. */
const MAX_MORE_PACKETS = 8;

/** Puts questions together into as few packets as they need. */
export function queryPackets(queries: readonly Query[]): readonly Buffer[] {
  const packets: Buffer[] = [];
  let gathered: Query[] = [];
  let size = HEADER_BYTES;
  const flush = (): void => {
    if (gathered.length > 0) packets.push(...packetsOf(gathered));
    gathered = [];
    size = HEADER_BYTES;
  };
  for (const query of queries) {
    const bytes = queryBytes(query);
    if (size + bytes > MAX_BYTES) flush();
    gathered.push(query);
    size += bytes;
  }
  flush();
  return packets;
}

/** Counts the bytes that a query takes in a packet at most. */
export function queryBytes({ question, answers }: Query): number {
  return answers.reduce((sum, record) => sum + recordBytes(record), question.name.wire.length + 4);
}

/** The names of the record end as that of the question does: a pointer of two bytes says this part. */
function recordBytes({ name, data }: DnsRecord): number {
  return 2 + 10 + data.length - name.wire.length + 2;
}

/** One packet, or several where one question has more known answers than fit (RFC 6762 section 7.2). */
function packetsOf(queries: readonly Query[]): readonly Buffer[] {
  const questions = queries.map(({ question }) => question);
  const parts: DnsRecord[][] = [[]];
  let size = questions.reduce((sum, { name }) => sum + name.wire.length + 4, HEADER_BYTES);
  for (const record of queries.flatMap(({ answers }) => answers)) {
    if (size + recordBytes(record) > MAX_BYTES) {
      if (parts.length > MAX_MORE_PACKETS) break;
      parts.push([]);
      // Without the question, the first record has the name in full.
      size = HEADER_BYTES + record.name.wire.length;
    }
    parts.at(-1)?.push(record);
    size += recordBytes(record);
  }
  return parts.map((answers, index) =>
    encodeDnsMessage({
      id: 0,
      isResponse: false,
      isTruncated: index < parts.length - 1,
      questions: index === 0 ? questions : [],
      answers,
      authorities: [],
      additionals: [],
    }),
  );
}
