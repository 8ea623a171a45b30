import { DNS_TYPE, dnsName, encodeDnsMessage } from '#lan/mdns/dns-message.ts';
import { hubRecords } from '#lan/mdns/hub-records.ts';
import { EMPTY, recordsOf } from '#test/support/lan/announced.ts';

const CARD = { id: 'id-2', name: 'Home', claimed: true, apiVersion: 'v1', path: '/api', port: 80 };

/** By its kind: what is dearest to read, by name compression or by questions, and a false claim of the hub's names. */
export function hostilePacket(kind: string): Buffer {
  const { uniqueNames, all } = hubRecords(CARD, 1, ['192.168.50.66']);
  if (kind === 'claims') return encodeDnsMessage({ ...EMPTY, isResponse: true, answers: all });
  if (kind === 'questions') {
    const questions = Array.from({ length: 200 }, (_, nth) => ({
      name: uniqueNames[nth % 3] ?? dnsName(),
      type: nth < 3 ? DNS_TYPE.ANY : nth,
    }));
    return encodeDnsMessage({ ...EMPTY, questions });
  }
  return kind === 'chain' ? pointersTo(19_000, chainOf) : pointersTo(9_000, labelsOf);
}

/** Packets that together say 1,500 services, each on a host with four addresses of its own. */
export function liarsPackets(type: string): readonly Buffer[] {
  return Array.from({ length: 60 }, (_, packet) => {
    const answers = Array.from({ length: 25 }, (_, nth) =>
      recordsOf({
        name: `<b>${packet}-${nth}</b>`,
        type,
        host: `liar-${packet}-${nth}`,
        port: 80,
        addresses: ['192.168.50.66', '192.168.50.67', 'fe80::66', '203.0.113.7'],
        txt: ['id=1'],
        ttlS: 120,
      }),
    ).flat();
    return encodeDnsMessage({ ...EMPTY, isResponse: true, answers });
  });
}

/** A record of hidden bytes, and 199 whose names and data point to the end of them. */
function pointersTo(size: number, hiddenOf: (length: number) => { bytes: Buffer; target: number }): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0x8400, 2);
  header.writeUInt16BE(200, 6);
  const { bytes, target } = hiddenOf(size - 12 - 11 - 199 * 14);
  const pointer = [0xc0 | (target >> 8), target & 0xff];
  const hidden = Buffer.concat([Buffer.of(0, 0, 16, 0, 1, 0, 0, 0, 9, bytes.length >> 8, bytes.length & 0xff), bytes]);
  const record = Buffer.of(...pointer, 0, 12, 0, 1, 0, 0, 0, 9, 0, 2, ...pointer);
  return Buffer.concat([header, hidden, ...Array.from({ length: 199 }, () => record)]);
}

/** Each pointer goes to the one before; a pointer reaches 16 KiB. */
function chainOf(length: number): { bytes: Buffer; target: number } {
  const bytes = Buffer.alloc(length);
  const last = Math.min(length & ~1, 0x3ffe - 23) & ~1;
  for (let at = 2; at <= last - 2; at += 2) bytes.writeUInt16BE(0xc000 | (23 + at - 2), at);
  return { bytes, target: 23 + last - 2 };
}

function labelsOf(length: number): { bytes: Buffer; target: number } {
  const labels = Buffer.concat([Buffer.from('\u0001A'.repeat(39)), Buffer.of(0)]);
  return { bytes: Buffer.concat([labels, Buffer.alloc(length - labels.length)]), target: 23 };
}
