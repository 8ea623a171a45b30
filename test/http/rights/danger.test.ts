import { expect, test } from 'vitest';
import type { RoomId } from '#core/room/room.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import type { Asking, WholeAnswer } from '#test/support/hub/whole-hub.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

const SENSOR = 'kitchen-sink-leak-sensor';
const LIMITS = ['device:read', 'event:read', 'notification:read'] as const;

/** `isFast`: seconds pass for those who wait for the end of an alarm. */
async function openScene(isFast = false) {
  const hub = await openWholeHub(isFast ? { time: createFastTime(20) } : {});
  const { devices, rooms, accounts, notifications } = hub.home;
  const sensor = devices.findDevice(SENSOR);
  const [kitchen, bedroom] = [rooms.findRoom('kitchen'), rooms.findRoom('bedroom')];
  if (sensor === undefined || kitchen === undefined || bedroom === undefined) throw new Error('it is not furnished');
  const reports = devices.reportsOf(sensor.integration);
  const report = (values: Readonly<Record<string, boolean>>): void => {
    reports.reportValues(sensor.externalId, new Map(Object.entries(values)));
  };
  const owner = await hub.addPerson('ada', 'owner');
  const guest = await hub.addPerson('gus', 'guest');
  const limited = async (name: string, role: 'guest' | 'resident', room: RoomId) => {
    const { user } = await hub.addPerson(name, role);
    await accounts.updateUser(user.id, { roomIds: new Set([room]) });
    return (await hub.logIn(user.email)).token;
  };
  const wall = (roomIds: readonly RoomId[], scopes: readonly (typeof LIMITS)[number][] = LIMITS) =>
    hub.addToken(owner.user, { scopes, roomIds });
  const tokens = {
    owner: owner.token,
    guest: guest.token,
    'guest of the bedroom': await limited('gil', 'guest', bedroom.id),
    'guest of the kitchen': await limited('gwen', 'guest', kitchen.id),
    'resident of the bedroom': await limited('rea', 'resident', bedroom.id),
    'wall of the bedroom': await wall([bedroom.id]),
    'wall of the kitchen': await wall([kitchen.id]),
    'wall without the right': await wall([bedroom.id], ['device:read', 'event:read']),
  };
  type Who = keyof typeof tokens;
  const ask = (who: Who, line: string, asking: Asking = {}): Promise<WholeAnswer> =>
    hub.call(line, { ...asking, token: tokens[who] });
  const listOf = async (who: Who, query = ''): Promise<readonly Shown[]> =>
    ((await ask(who, `GET /notification${query}`)).json['notifications'] ?? []) as readonly Shown[];
  const since = hub.home.events.cursor();
  const eventsOf = async (who: Who, query = ''): Promise<readonly Shown[]> => {
    const { json } = await ask(who, `GET /event?since=${since}&wait=0&limit=1000${query}`);
    const events = json['events'] as readonly { readonly type: string; readonly data: { notification: Shown } }[];
    return events.filter(({ type }) => type.startsWith('notification.')).map(({ data }) => data.notification);
  };
  const told = () => notifications.all().filter(({ severity }) => severity === 'critical');
  return { hub, sensor, report, ask, listOf, eventsOf, told };
}

type Shown = { readonly id: string; readonly title: string; readonly state: string } & Readonly<
  Record<string, unknown>
>;

/** Water in a room, in short. */
const IN_SHORT = {
  severity: 'critical',
  title: 'Water: Kitchen',
  text: 'The sensor reports water.',
  reason: { id: 'water', with: { device: 'Kitchen' } },
  built_in: 'water',
  state: 'open',
  to: [],
  key: null,
  device: null,
  actions: [],
  deliveries: [],
  acknowledged_by: null,
};
const SHORT = [
  'guest',
  'guest of the bedroom',
  'guest of the kitchen',
  'resident of the bedroom',
  'wall of the bedroom',
] as const;

test('water, smoke and gas anywhere reach everyone who may be inside: the kind and the room, not the device', async () => {
  const { sensor, report, ask, listOf, eventsOf, told } = await openScene();
  report({ water_leak: true });
  await expect.poll(told).toHaveLength(1);
  const [{ id } = { id: '' }] = told();
  for (const who of SHORT) {
    expect([who, await listOf(who)]).toMatchObject([who, [IN_SHORT]]);
    expect([who, await listOf(who, '?open=true')]).toMatchObject([who, [IN_SHORT]]);
    expect([who, await listOf(who, '?open=false')]).toEqual([who, []]);
    expect([who, await eventsOf(who)]).toMatchObject([who, [IN_SHORT]]);
    expect((await ask(who, `GET /notification/${id}`)).json).toMatchObject(IN_SHORT);
    const words = JSON.stringify([await listOf(who), await eventsOf(who)]);
    expect([who, words.includes(sensor.id), words.includes('sink')]).toEqual([who, false, false]);
    // It is not theirs to silence for those who live here.
    expect([who, (await ask(who, `POST /notification/${id}/acknowledge`)).status]).toEqual([who, 403]);
  }
  for (const who of ['owner', 'wall of the kitchen'] as const) {
    expect([who, await listOf(who)]).toMatchObject([
      who,
      [{ title: 'Water: Kitchen sink leak sensor', device: sensor.id }],
    ]);
  }
  expect(await listOf('wall without the right')).toEqual([]);
  expect(await eventsOf('wall without the right')).toEqual([]);
});

test('a danger in short tells nobody more of the device: it, its history and its events stay hidden', async () => {
  const { sensor, report, ask, eventsOf, told } = await openScene();
  report({ water_leak: true });
  await expect.poll(told).toHaveLength(1);
  for (const who of ['guest of the bedroom', 'resident of the bedroom', 'wall of the bedroom'] as const) {
    expect([who, (await ask(who, `GET /device/${SENSOR}`)).status]).toEqual([who, 404]);
    expect((await ask(who, `GET /history?series=${sensor.id}/water_leak`)).status).toBeGreaterThanOrEqual(400);
    const { json } = await ask(who, 'GET /device?limit=500');
    expect([who, JSON.stringify(json).includes(sensor.id)]).toEqual([who, false]);
    // A filter by the device finds nothing, as none by one that is not there.
    expect([who, await eventsOf(who, `&device=${sensor.id}`)]).toEqual([who, []]);
  }
});

test('a danger in short stays until it is over, also once an owner has acknowledged it, and is then gone', async () => {
  const { report, ask, listOf, eventsOf, told } = await openScene(true);
  report({ water_leak: true });
  await expect.poll(told).toHaveLength(1);
  const [{ id } = { id: '' }] = told();
  expect((await ask('owner', `POST /notification/${id}/acknowledge`)).status).toBe(200);
  expect(await listOf('guest of the bedroom', '?open=true')).toMatchObject([IN_SHORT]);
  report({ water_leak: false });
  await expect.poll(() => told()[0]?.resolvedAtMs, { timeout: 20_000 }).not.toBeNull();
  expect(await listOf('guest of the bedroom')).toEqual([]);
  expect((await ask('guest of the bedroom', `GET /notification/${id}`)).status).toBe(404);
  expect((await eventsOf('guest of the bedroom')).at(-1)).toMatchObject({ ...IN_SHORT, state: 'resolved' });
  expect(await listOf('owner', '?open=false')).toMatchObject([{ id, state: 'resolved' }]);
});

test('a low battery and what people write of their own stay hidden, and a danger without a room is in the home', async () => {
  const { hub, sensor, report, ask, listOf, told } = await openScene();
  await hub.home.devices.updateDevice(sensor.id, { roomId: null });
  report({ water_leak: true, battery_low: true });
  const body = { title: 'Water at my secret sink', severity: 'critical', device: SENSOR };
  expect((await ask('owner', 'POST /notification', { body })).status).toBe(201);
  await expect.poll(told).toHaveLength(2);
  expect(await listOf('owner')).toHaveLength(3);
  for (const who of SHORT) {
    expect([who, await listOf(who)]).toMatchObject([
      who,
      [{ ...IN_SHORT, title: 'Water in the home', text: 'A sensor reports water.', reason: { id: 'water_inside' } }],
    ]);
  }
});
