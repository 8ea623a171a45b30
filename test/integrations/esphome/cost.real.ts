// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { describe, expect, test } from 'vitest';
import { ENTITY_KINDS } from '#integrations/esphome/entities/kinds.ts';
import { devicesFrom, readListed } from '#integrations/esphome/entities/node-devices.ts';
import { readService } from '#integrations/esphome/entities/services.ts';
import { readNodeInfo } from '#integrations/esphome/node-info.ts';
import { createPlainFraming } from '#integrations/esphome/wire/framing.ts';
import { bytesOf, type Draft, putBytes, putText, readMessage } from '#integrations/esphome/wire/protobuf.ts';
import { fields, ofEntity } from '#test/support/esphome/esphome-node.ts';

const DEPS = { takesRooms: true, monotonicMs: () => 0, knownFeatures: () => [] };

/** What a node sends, as it comes: the bytes of a connection in pieces of this size. */
function takeBytes(bytes: Uint8Array, piece: number): number {
  let read = 0;
  const framing = createPlainFraming({
    write: () => undefined,
    onReady: () => undefined,
    onMessage: (_type, body) => void (read += readMessage(body)?.number(1) ?? 0),
  });
  for (let at = 0; at < bytes.length; at += piece) framing.take(bytes.subarray(at, at + piece));
  return read;
}

const framed = (body: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(0, 0x80 | (body.length & 0x7f), body.length >> 7, 21), body]);

async function takeList(listed: readonly Uint8Array[], parts = 0): Promise<number> {
  const info = fields({ 2: 'node', 3: '98:35:69:AB:00:01' });
  putBytes(info, 20, ...Array.from({ length: parts }, (_, id) => bytesOf(fields({ 1: id + 1, 2: `Part ${id}` }))));
  const node = readMessage(bytesOf(info));
  const known = node && readNodeInfo(node, false);
  if (known === undefined) throw new Error('the node is none');
  const messages = listed.flatMap((bytes) => readMessage(bytes) ?? []);
  const list = {
    listed: messages.flatMap((message, at) => {
      const kind = ENTITY_KINDS[at % ENTITY_KINDS.length];
      return kind === undefined ? [] : [readListed(kind, message)];
    }),
    services: messages.flatMap((message) => readService(message) ?? []),
  };
  const devices = await devicesFrom(known, list, DEPS);
  return devices.reduce((sum, { description }) => sum + description.features.length, 0);
}

function entity(key: number, more: (draft: Draft) => void = () => undefined): Uint8Array {
  const draft = ofEntity(key, { 3: 'Same' }, 2);
  more(draft);
  return bytesOf(draft);
}

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe('I1: what a node sends costs in proportion to its length', () => {
  test.each<[string, (count: number) => () => unknown]>([
    [
      'messages, byte by byte',
      (count) => {
        const bytes = Buffer.concat(times(20 * count, (at) => framed(bytesOf(ofEntity(at, { 3: 'x'.repeat(200) })))));
        return () => takeBytes(bytes, 1);
      },
    ],
    [
      'one message in pieces',
      (count) => {
        const bytes = framed(Buffer.alloc(1_000 * count, Uint8Array.of(8, 1)));
        return () => takeBytes(bytes, 16);
      },
    ],
    [
      'fields of one number',
      (count) => {
        const bytes = Buffer.alloc(2_000 * count, Uint8Array.of(8, 1));
        return () => readMessage(bytes)?.number(1);
      },
    ],
    ['entities of one name', (count) => () => takeList(times(23 * count, (at) => entity(at)))],
    ['one entity again and again', (count) => () => takeList(times(23 * count, () => entity(1)))],
    [
      'parts of a node',
      (count) => () =>
        takeList(
          times(23, (at) => entity(at)),
          4 * count,
        ),
    ],
    [
      'options and arguments',
      (count) => () =>
        takeList(
          times(23, (at) =>
            entity(at, (draft) => {
              for (const field of [3, 6, 11, 15]) putText(draft, field, ...times(2 * count, (n) => `option ${n}`));
            }),
          ),
        ),
    ],
    ['a name', (count) => () => takeList([entity(1, (draft) => putText(draft, 3, 'Ä'.repeat(2_000 * count)))])],
  ])('%s', async (_what, make) => {
    const [first, small, large] = [1, 2, 16].map(make);
    await countSteps(() => first?.());
    const few = await countSteps(() => small?.());
    const many = await countSteps(() => large?.());
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});
