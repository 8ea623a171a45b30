import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import type { User } from '#core/person/user.ts';
import { PEER } from '#test/support/hub/auth-harness.ts';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import type { Storage } from '#storage/storage.ts';
import { type Home, openWholeHub, PASSWORD, type WholeHub } from '#test/support/hub/whole-hub.ts';

type Given = { readonly authorize: () => void };
/** Two changes that differ by their number. */
type Change = (home: Home, number: number, given: Given) => Promise<unknown>;

const source = { peer: PEER, pointer: '' };
const url = (number: number): string => `http://192.168.1.${number}/`;
const webhook = (number: number) => ({
  name: null,
  url: url(number),
  mayReachHub: true,
  filter: { types: null, deviceIds: null, roomIds: null },
  enabled: false,
});
function one<Item>(items: readonly Item[], number: number): Item {
  const item = items[number];
  if (item === undefined) throw new Error('there are not that many');
  return item;
}
const room = (home: Home, number: number): Room => one(home.rooms.rooms(), number);
const device = (home: Home, number: number): Device => one(home.devices.devices(), number);
const person = (home: Home, number: number): User => one(home.accounts.users(), number);
const hook = (home: Home, number: number) => one(home.webhooks.webhooks(), number).webhook;

const CHANGES: readonly (readonly [name: string, table: keyof Storage, change: Change])[] = [
  ['a room is added', 'rooms', (home, number, given) => home.rooms.addRoom(`Room ${number}`, given)],
  [
    'a room is renamed',
    'rooms',
    (home, number, given) => home.rooms.updateRoom(room(home, number).id, { name: `Room ${number}` }, given),
  ],
  ['a room is removed', 'rooms', (home, number, given) => home.rooms.removeRoom(room(home, number).id, given)],
  [
    'a device is renamed',
    'devices',
    (home, number, given) => home.devices.updateDevice(device(home, number).id, { ownName: `Lamp ${number}` }, given),
  ],
  [
    'a device is removed',
    'devices',
    (home, number, given) => home.devices.removeDevice(device(home, number).id, given),
  ],
  [
    'an account is added',
    'users',
    (home, number, { authorize }) =>
      home.accounts.addUser(
        { email: `${number}@home.test`, name: 'x', role: 'guest', password: PASSWORD },
        source,
        authorize,
      ),
  ],
  [
    'an account is changed',
    'users',
    (home, number, given) => home.accounts.updateUser(person(home, number).id, { name: `New ${number}` }, given),
  ],
  [
    'a password is set',
    'users',
    (home, number, { authorize }) =>
      home.accounts.setPassword(person(home, number).id, { password: 'kettle marble 7', authorize }, source),
  ],
  [
    'an account is removed',
    'users',
    (home, number, given) => home.accounts.removeUser(person(home, 2 - number).id, given),
  ],
  ['a webhook is added', 'webhooks', (home, number, given) => home.webhooks.addWebhook(webhook(number), given)],
  [
    'a webhook is changed',
    'webhooks',
    (home, number, given) => home.webhooks.updateWebhook(hook(home, number).id, () => webhook(9 + number), given),
  ],
  [
    'a webhook is removed',
    'webhooks',
    (home, number, given) => home.webhooks.removeWebhook(hook(home, number).id, given),
  ],
  [
    'the settings of an integration are changed',
    'integrations',
    (home, number, given) =>
      home.instances.change('zigbee2mqtt', { settings: { base_topic: `topic${number}` } }, given),
  ],
];

async function openFurnished(): Promise<WholeHub> {
  const hub = await openWholeHub();
  await hub.addPerson('ada', 'owner');
  await hub.addPerson('bea', 'guest');
  await hub.addPerson('cyd', 'guest');
  await hub.home.webhooks.addWebhook(webhook(1));
  await hub.home.webhooks.addWebhook(webhook(2));
  return hub;
}

/** The code with which it is refused; watched from now on. */
async function codeOf(change: Promise<unknown>): Promise<string> {
  try {
    await change;
    return 'done';
  } catch (cause) {
    return cause instanceof HubError ? cause.code : String(cause);
  }
}

/** Rights that can be lost. */
function createRights() {
  const rights = { areLost: false };
  const authorize = (): void => {
    if (rights.areLost) throw new HubError('INVALID_TOKEN', 'no more');
  };
  return { rights, authorize };
}

test.each(CHANGES)(
  'A8: when %s, a caller who lost the right while the change waited writes nothing',
  async (_, table, change) => {
    const { home, writes, holdWrites } = await openFurnished();
    const { rights, authorize } = createRights();
    const release = holdWrites(table);
    writes.length = 0;
    const first = change(home, 0, { authorize: () => undefined });
    const late = change(home, 1, { authorize });
    const outcome = codeOf(late);
    await expect.poll(() => writes.length).toBe(1);
    rights.areLost = true;
    release();
    await first;
    expect(await outcome).toBe('INVALID_TOKEN');
    // What the first one did may write the history too: a removed person's presence goes.
    const tables = writes.map((name) => name.split('.')[0]);
    expect(tables.filter((name) => name !== 'history')).toEqual([table]);
  },
);

test('A8: a caller who lost the right while a webhook test waited sends nothing', async () => {
  const { home } = await openFurnished();
  const asked: ServerResponse[] = [];
  const server = createServer((_, answer) => void asked.push(answer));
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const { webhook: added } = await home.webhooks.addWebhook({ ...webhook(1), url: `http://127.0.0.1:${port}/` });
  const { rights, authorize } = createRights();
  const first = home.webhooks.testWebhook(added.id, { authorize });
  await expect.poll(() => asked.length).toBe(1);
  const late = home.webhooks.testWebhook(added.id, { authorize });
  const outcome = codeOf(late);
  rights.areLost = true;
  asked[0]?.end();
  expect((await first).error).toBeNull();
  expect(await outcome).toBe('INVALID_TOKEN');
  expect(asked).toHaveLength(1);
});
