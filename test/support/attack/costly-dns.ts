import type { CostSearch, Frame, Piece, Place } from './costly-input.ts';
import { text } from './costly-input.ts';

const HEADER_BYTES = 12;
const MAX_RECORDS = 200;
const TYPE = { A: 1, PTR: 12, TXT: 16, SRV: 33, ANY: 255 };

const pointer = (target: number): Buffer => {
  const at = Math.max(0, Math.min(target, 0x3fff));
  return Buffer.of(0xc0 | (at >> 8), at & 0xff);
};
/** A pointer to the bytes right before this piece, right before its run, or to a long name before its run. */
const targets = [
  ({ at }: Place) => at + HEADER_BYTES - 2,
  ({ runAt }: Place) => runAt + HEADER_BYTES - 2,
  ({ runAt }: Place) => runAt + HEADER_BYTES - 79,
];
const nameOf = (...labels: readonly string[]): Buffer =>
  Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]), Buffer.of(0)]);
const record = (name: Buffer, type: number, data: Buffer): Buffer =>
  Buffer.concat([name, Buffer.of(0, type, 0, 1, 0, 0, 0, 120, data.length >> 8, data.length & 0xff), data]);
const question = (name: Buffer, type: number): Buffer => Buffer.concat([name, Buffer.of(0, type, 0, 1)]);

/** A record of bytes that names may point into: it takes all of its run. They begin and end with the end of a name. */
function hidden(fill: (at: number) => Buffer, end = Buffer.alloc(0)): Piece {
  return ({ at, left }) => {
    const start = at + HEADER_BYTES + 11;
    const parts: Buffer[] = [Buffer.of(0, 0)];
    for (let used = 2; used + 11 + end.length + 2 <= left; used += 2) parts.push(fill(start + used));
    return record(Buffer.of(0), TYPE.TXT, Buffer.concat([...parts, end]));
  };
}

function piecesOf(): readonly Piece[] {
  const own = [nameOf('hearthd', 'local'), nameOf('_http', '_tcp', 'local'), nameOf('Home', '_http', '_tcp', 'local')];
  return [
    hidden((at) => pointer(at - 2)),
    hidden(() => Buffer.from('\u0001a'), Buffer.of(0)),
    text('\u0001a'),
    text(`\u003f${'A'.repeat(63)}`),
    ...targets.flatMap((target): Piece[] => [
      (place) => pointer(target(place)),
      (place) => question(pointer(target(place)), TYPE.ANY),
      (place) => record(pointer(target(place)), TYPE.PTR, pointer(target(place))),
      (place) => record(pointer(target(place)), TYPE.SRV, Buffer.concat([Buffer.alloc(6), pointer(target(place))])),
      (place) => record(own[1] ?? Buffer.of(0), TYPE.PTR, pointer(target(place))),
    ]),
    ...own.flatMap((name): Piece[] => [
      () => question(name, TYPE.ANY),
      () => record(name, TYPE.A, Buffer.of(10, 0, 0, 1)),
      ({ at }) => question(Buffer.concat([Buffer.of(1, 97 + (at % 26)), name]), TYPE.ANY),
    ]),
  ];
}

function framesOf(): readonly Frame[] {
  const headers = [
    [0, MAX_RECORDS, 0, 0, 0],
    [0, 1, MAX_RECORDS - 1, 0, 0],
    [0, 1, 0, MAX_RECORDS - 1, 0],
    [0x8400, 0, MAX_RECORDS, 0, 0],
  ];
  return headers.map((numbers): Frame => {
    const header = Buffer.alloc(HEADER_BYTES);
    numbers.forEach((value, index) => header.writeUInt16BE(value, index * 2 + 2));
    return (body) => Buffer.concat([header, body]);
  });
}

/** What a hostile message of DNS is made of, for a search of the dearest one. */
export const DNS_LANGUAGE: Pick<CostSearch, 'pieces' | 'frames'> = { pieces: piecesOf(), frames: framesOf() };

/** What a host says of many services, of many hosts of one service, and of many addresses of one host. */
function servicePieces(): readonly Piece[] {
  const type = nameOf('_http', '_tcp', 'local');
  const instance = (at: number): Buffer => Buffer.concat([nameOf(`s${at}`).subarray(0, -1), type]);
  const host = (at: number): Buffer => nameOf(`h${at}`, 'local');
  const place = (at: number): Buffer => Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 80), host(at)]);
  return [
    ({ at }) => record(type, TYPE.PTR, instance(at)),
    ({ at }) => record(instance(at), TYPE.SRV, place(at)),
    ({ at }) => record(instance(at), TYPE.SRV, place(0)),
    ({ at }) => record(instance(0), TYPE.SRV, place(at)),
    ({ at }) => record(instance(0), TYPE.TXT, Buffer.from(`\u0003k=${at % 10}`)),
    ({ at }) => record(host(0), TYPE.A, Buffer.of(192, 168, at >> 8, at)),
    () => record(type, TYPE.PTR, instance(0)),
  ];
}

/** Answers with as many records as there are whole ones in the body. */
const ANSWERS: Frame = (body) => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0x8400, 2);
  header.writeUInt16BE(Math.min(MAX_RECORDS, countRecords(body)), 6);
  return Buffer.concat([header, body]);
};

function countRecords(body: Buffer): number {
  for (let [at, count] = [0, 0]; ; count += 1) {
    while (at < body.length && body.readUInt8(at) > 0 && body.readUInt8(at) < 0xc0) at += body.readUInt8(at) + 1;
    at += at < body.length && body.readUInt8(at) >= 0xc0 ? 2 : 1;
    if (at + 10 > body.length) return count;
    at += 10 + body.readUInt16BE(at + 8);
    if (at > body.length) return count;
  }
}

/** The same of what a browser keeps: many services, many hosts of one service, many addresses of one host. */
export const SERVICE_LANGUAGE: Pick<CostSearch, 'pieces' | 'frames'> = {
  pieces: [...servicePieces(), ...piecesOf()],
  frames: [ANSWERS],
};
