import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startSystemTimer } from '#base/time/timer.ts';
import { type Connection, openConnection } from '#integrations/esphome/connection.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import { NODE_MAC, startEsphomeNode } from '#test/support/esphome/esphome-node.ts';
import { createTestClient } from '#test/support/lan/lan-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

type Given = {
  readonly nodeKey?: Uint8Array;
  readonly key?: Uint8Array;
  readonly mac?: string;
  readonly startTimer?: typeof startSystemTimer;
};

async function openWorld({ nodeKey, key, mac = NODE_MAC, startTimer = startSystemTimer }: Given = {}) {
  const node = await startEsphomeNode(nodeKey === undefined ? {} : { key: nodeKey });
  onTestFinished(node.close);
  const { openTcp } = createTestClient();
  const ending = new AbortController();
  const types: number[] = [];
  const connect = (): Promise<Connection> =>
    openConnection({
      host: node.host,
      key: key ?? null,
      mac,
      openTcp,
      startTimer,
      signal: ending.signal,
      onMessage: (type) => void types.push(type),
      onUnreadable: () => void types.push(-1),
    });
  return { node, connect, types, ending };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const cause = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (cause instanceof PeerFault) return cause.code;
  throw new Error('it did not fail as a node does', { cause });
}

test.each([
  ['in clear', undefined],
  ['with a key', randomBytes(32)],
])('%s, messages go both ways, and a ping resolves after what was sent before', async (_how, key) => {
  const { connect, types, node, ending } = await openWorld(key === undefined ? {} : { nodeKey: key, key });
  const connection = await connect();
  connection.send(1);
  connection.send(9);
  connection.send(33, Uint8Array.of(8, 1));
  await connection.ping();
  expect(types).toEqual([2, 10]);
  expect(node.wire).toEqual(['33:0801']);
  node.says(7, new Uint8Array());
  node.says(10, Uint8Array.of(0xff));
  await connection.ping();
  expect(types).toEqual([2, 10, -1]);
  ending.abort();
  await connection.ended;
  await expect(connection.ping()).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' });
});

test.each<[string, Given, string]>([
  ['a node with a key, without one', { nodeKey: randomBytes(32) }, 'KEY_NEEDED'],
  ['a node with another key', { nodeKey: randomBytes(32), key: randomBytes(32) }, 'KEY_REFUSED'],
  ['a node without a key, with one', { key: randomBytes(32) }, 'NOT_ENCRYPTED'],
  ['another node, with a key', { nodeKey: randomBytes(32), key: randomBytes(32), mac: 'ffffffffffff' }, 'OTHER_NODE'],
])('to reach %s fails with its reason', async (_what, given, code) => {
  const { connect } = await openWorld(given);
  const open = connect().then(async (connection) => {
    connection.send(1);
    await connection.ended;
  });
  expect(await codeOf(open)).toBe(code);
});

test('a node that ends the connection, or is gone, is unreachable', async () => {
  const { connect, node } = await openWorld();
  const connection = await connect();
  node.says(5, new Uint8Array());
  expect(await codeOf(connection.ended)).toBe('NODE_UNREACHABLE');
  const next = await connect();
  await node.unplug();
  expect(await codeOf(next.ended)).toBe('NODE_UNREACHABLE');
  expect(await codeOf(connect())).toBe('NODE_UNREACHABLE');
});

test('a node without power is found by its silence', async () => {
  const time = createManualTime();
  const { connect, node } = await openWorld({ startTimer: time.startTimer });
  const connection = await connect();
  await connection.ping();
  node.freeze();
  await time.advance(15_000);
  await time.advance(15_000);
  await time.advance(10_000);
  expect(await codeOf(connection.ended)).toBe('NODE_SILENT');
});

test('a node that does not answer the handshake is given up', async () => {
  const time = createManualTime();
  const { connect, node } = await openWorld({ startTimer: time.startTimer, key: randomBytes(32) });
  node.freeze();
  const open = codeOf(connect());
  while (node.clients() === 0) await new Promise((resolve) => void setImmediate(resolve));
  await time.advance(10_000);
  expect(await open).toBe('BAD_ANSWER');
});
