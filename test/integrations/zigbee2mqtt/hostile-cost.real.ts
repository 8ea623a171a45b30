import { findExcess, text, type CostSearch, type Piece } from '#test/support/attack/costly-input.ts';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import {
  readBridgeEvent,
  readBridgeResponse,
  readDeviceEntry,
  readPermitJoin,
  readSetFailure,
} from '#integrations/zigbee2mqtt/bridge-message.ts';
import {
  EVENT_LIMITS,
  INFO_LIMITS,
  readJson,
  readOnline,
  readState,
} from '#integrations/zigbee2mqtt/device-message.ts';
import { elementsOfJsonArray } from '#integrations/zigbee2mqtt/inventory/inventory.ts';
import { knownDeviceFromEntry } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import { reportFromState } from '#integrations/zigbee2mqtt/payload.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';

const SIZE = 500;
const CLIMBS = 15;

const numbered =
  (before: string, after: string): Piece =>
  ({ at }) =>
    Buffer.from(before + at.toString(36) + after);
/** Bodies that end with a comma become members or items. */
const framed =
  (head: string, tail: string): NonNullable<CostSearch['frames']>[number] =>
  (body) =>
    Buffer.concat([Buffer.from(head), body, Buffer.from(tail)]);

const jsonOf = (bytes: Buffer): JsonValue => {
  const read = readJson(bytes, INFO_LIMITS);
  return 'json' in read ? read.json : null;
};

/** Parts that JSON can repeat, in lists and in objects. */
const JSON_PIECES: readonly Piece[] = [
  text('"":0,'),
  numbered('"', '":0,'),
  numbered('"', '":{"a":[1,2]},'),
  text('[],'),
  text('{},'),
  text('1,'),
  text('"a",'),
  text('['),
  text('{"a":'),
  text('a'),
  text(' '),
];

describe('I1: each byte of the worst message costs the same, however long it is', () => {
  test('a description of a device', async () => {
    const head = `{"ieee_address":"0x0000000000000001","friendly_name":"a","supported":true,"definition":{"exposes":[`;
    const search: CostSearch = {
      parse: (bytes) => {
        const entry = readDeviceEntry(jsonOf(bytes));
        return entry === null || entry === undefined ? entry : knownDeviceFromEntry(entry);
      },
      pieces: [
        numbered('{"type":"numeric","name":"', '"},'),
        text('{"type":"numeric","name":"power","property":"a"},'),
        numbered('{"type":"numeric","name":"power","unit":"W","property":"', '"},'),
        numbered('{"type":"binary","name":"contact","property":"', '"},'),
        numbered('{"type":"enum","name":"child_lock","values":["lock","unlock"],"property":"', '"},'),
        numbered('{"type":"switch","features":[{"type":"binary","name":"state","property":"', '"}]},'),
        numbered('{"type":"composite","features":[{"type":"a","name":"b"}],"property":"', '"},'),
        numbered('{"type":"list","item_type":{"type":"a","name":"b"},"property":"', '"},'),
        ({ left, at }) => {
          const options = Array.from({ length: Math.max(1, Math.floor(left / 12)) }, (_, index) => `aB_${index}`);
          return Buffer.from(`{"type":"enum","name":"action","property":"${at}","values":${JSON.stringify(options)}},`);
        },
        ({ left, at }) =>
          Buffer.from(`{"type":"enum","name":"mode","property":"${at}","values":["${'aB '.repeat(left / 3)}"]},`),
        numbered('{"type":"', '"},'),
        text('{},'),
      ],
      frames: [framed(head, '0]}}')],
      // Up to the number of features that a description may have.
      size: 2_500,
      climbs: CLIMBS,
      stepsPerByte: 600,
    };
    expect(await findExcess(search)).toEqual([]);
  });

  const REMOTE = deviceEntry('Lidl/368308_2010');
  const LAMP = deviceEntry('IKEA/LED1624G9');
  test.each([
    ['a device with 221 features', REMOTE],
    ['a lamp', LAMP],
  ])('the state of %s', async (_name, raw) => {
    const entry = readDeviceEntry(jsonOf(Buffer.from(JSON.stringify(raw))));
    if (entry === null || entry === undefined) throw new Error('no entry');
    const { byProperty } = knownDeviceFromEntry(entry);
    const members = [...byProperty.keys()].map((property) => JSON.stringify(property));
    const search: CostSearch = {
      parse: (bytes) => {
        const read = readState(bytes);
        return 'state' in read ? reportFromState(read.state, byProperty, { sent: new Map() }) : read;
      },
      pieces: [
        ({ at }) => Buffer.from(`${members[at % members.length]}:"${'aB_'.repeat(at % 40)}",`),
        ({ at, left }) => Buffer.from(`${members[at % members.length]}:"${'aB_1_'.repeat(left / 5)}",`),
        ({ at }) => Buffer.from(`${members[at % members.length]}:{"x":0.1,"y":0.2},`),
        ({ at }) => Buffer.from(`${members[at % members.length]}:${at},`),
        ({ left }) => Buffer.from(`"action":"${'1_'.repeat(left / 2)}",`),
        ({ left }) => Buffer.from(`"effect":"${'_'.repeat(left)}",`),
        ...JSON_PIECES,
      ],
      frames: [framed('{', '"":0}')],
      size: SIZE,
      climbs: CLIMBS,
      stepsPerByte: 100,
    };
    expect(await findExcess(search)).toEqual([]);
  });

  test.each([
    ['bridge/event', readBridgeEvent, EVENT_LIMITS],
    ['bridge/info', readPermitJoin, INFO_LIMITS],
    ['bridge/response', readBridgeResponse, {}],
  ])('%s', async (_name, read, limits) => {
    const search: CostSearch = {
      parse: (bytes) => {
        const json = readJson(bytes, limits);
        return 'json' in json ? read(json.json) : json;
      },
      pieces: [
        text('"data":{"ieee_address":"0x0000000000000001"},'),
        ({ left }) => Buffer.from(`"data":{"friendly_name":"${'\\u0000a'.repeat(left / 7)}"},`),
        ({ left }) => Buffer.from(`"error":"${' '.repeat(left)}",`),
        text('"type":"device_joined",'),
        ...JSON_PIECES,
      ],
      frames: [framed('{', '"":0}'), framed('[', '0]')],
      size: SIZE,
      climbs: CLIMBS,
      stepsPerByte: 120,
    };
    expect(await findExcess(search)).toEqual([]);
  });

  test('a line of the log', async () => {
    const search: CostSearch = {
      parse: (bytes) => readSetFailure({ level: 'error', message: bytes.toString() }),
      pieces: [
        text("Publish 'set' '"),
        text(": Publish 'set' 'a' to '"),
        text("' to '"),
        text("' failed: "),
        text(' failed ('),
        text("'"),
        text(': '),
        text(')'),
        text('a'),
        text('\u0000'),
      ],
      frames: [(body) => body, framed("z: Publish 'set' 'a' to '", "' failed: 'x failed (y)'")],
      size: SIZE,
      climbs: CLIMBS,
      stepsPerByte: 15,
    };
    expect(await findExcess(search)).toEqual([]);
  });

  test.each([
    ['an availability', readOnline],
    ['what is no message at all', (bytes: Buffer) => readJson(bytes)],
  ])('%s', async (_name, parse) => {
    const search = { parse, pieces: [text('{"state":'), text('online'), ...JSON_PIECES], size: SIZE, climbs: CLIMBS };
    expect(await findExcess({ ...search, stepsPerByte: 15 })).toEqual([]);
  });

  test('a list of devices, before it is parsed', async () => {
    const search: CostSearch = {
      parse: async (bytes) => {
        for await (const element of elementsOfJsonArray(bytes, 24)) if (element.length === 0) throw new Error('empty');
      },
      pieces: [text('{},'), text('{"a":"\\\\"},'), text('{"a":[['), text('"'), text('[{}]'), ...JSON_PIECES],
      frames: [framed('[', '{}]')],
      size: SIZE,
      climbs: CLIMBS,
      stepsPerByte: 500,
    };
    expect(await findExcess(search)).toEqual([]);
  });
});
