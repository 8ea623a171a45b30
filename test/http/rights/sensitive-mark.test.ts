import { describe, expect, test } from 'vitest';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

async function openScene() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const guest = await hub.addPerson('gus', 'guest');
  const resident = await hub.addPerson('rea', 'resident');
  const plug = hub.home.devices.devices().find(({ type }) => type === 'on_off_plug_in_unit');
  if (plug === undefined) throw new Error('there is no plug');
  const path = `/device/${plug.selector}`;
  const mark = (token: string, sensitive: boolean) => hub.call(`PATCH ${path}`, { token, body: { sensitive } });
  const use = async (token: string): Promise<number | 'taken'> => {
    const { status } = await hub.call(`POST ${path}/command`, { token, body: { set: { on: true } } });
    return status < 300 ? 'taken' : status;
  };
  const manager = await hub.addToken(owner.user, { scopes: ['device:read', 'device:manage', 'device:control'] });
  return { hub, owner, guest, resident, plug, path, mark, use, manager };
}

describe('a device that a person marked as sensitive', () => {
  test('can be used only by callers that may open locks, by every kind of call', async () => {
    const { hub, owner, guest, resident, plug, path, mark, use, manager } = await openScene();
    expect(await use(guest.token)).toBe('taken');
    const marked = await mark(owner.token, true);
    expect([marked.status, marked.json['sensitive']]).toEqual([200, true]);
    expect(await use(guest.token)).toBe(403);
    expect(await use(manager)).toBe(403);
    expect((await hub.call(`PUT ${path}/feature/on`, { token: guest.token, body: false })).status).toBe(403);
    const body = { targets: { devices: [plug.selector] }, set: { on: false } };
    expect((await hub.call('POST /command', { token: guest.token, body })).status).toBe(403);
    expect(await use(resident.token)).toBe('taken');
    expect(await use(owner.token)).toBe('taken');
  });

  test('may be marked by a script that manages devices, but unmarked only by an owner or admin in person', async () => {
    const { owner, guest, mark, use, manager } = await openScene();
    expect((await mark(manager, true)).json['sensitive']).toBe(true);
    expect((await mark(manager, false)).status).toBe(403);
    expect(await use(guest.token)).toBe(403);
    expect((await mark(owner.token, false)).json['sensitive']).toBe(false);
    expect(await use(guest.token)).toBe('taken');
  });

  test('and a lock are moved to another room only by callers that may open them, since people have rights by room', async () => {
    const { hub, owner, mark, path, manager } = await openScene();
    const doors = await hub.addToken(owner.user, { scopes: ['device:manage', 'device:control_sensitive'] });
    const lock = hub.home.devices.findDevice('front-door-lock');
    const rooms = (await hub.call('GET /room', { token: owner.token })).json as unknown as { id: string }[];
    const other = rooms.find(({ id }) => id !== lock?.roomId)?.id;
    const move = async (token: string, to: string, body: object): Promise<number> =>
      (await hub.call(`PATCH ${to}`, { token, body })).status;
    expect(await move(manager, path, { room: other })).toBe(200);
    await mark(owner.token, true);
    expect(await move(manager, path, { room: null })).toBe(403);
    expect(await move(manager, '/device/front-door-lock', { room: other })).toBe(403);
    expect(await move(manager, '/device/front-door-lock', { room: lock?.roomId, name: 'Door' })).toBe(200);
    expect(await move(doors, '/device/front-door-lock', { room: other })).toBe(200);
    expect(await move(owner.token, path, { room: null })).toBe(200);
  });

  test('has its mark in the audit log, and a lock is sensitive even without a mark', async () => {
    const { hub, owner, mark, plug } = await openScene();
    await mark(owner.token, true);
    const { json } = await hub.call('GET /audit?types=device.marked', { token: owner.token });
    expect(json).toMatchObject([{ type: 'device.marked', detail: `${plug.selector} sensitive` }]);
    const lock = await hub.call('PATCH /device/front-door-lock', { token: owner.token, body: { sensitive: false } });
    expect([lock.status, lock.json['sensitive']]).toEqual([200, true]);
  });

  test('keeps the mark when its integration describes it again, and when it returns', async () => {
    const { hub, owner, plug, mark } = await openScene();
    await mark(owner.token, true);
    const reports = hub.home.devices.reportsOf(plug.integration);
    await reports.describeDevice({ ...plug, firmware: '9.9' });
    expect(hub.home.devices.findDevice(plug.id)).toMatchObject({ firmware: '9.9', markedSensitive: true });
    await reports.removeDevice(plug.externalId);
    await reports.describeDevice(plug);
    expect(hub.home.devices.findDevice(plug.id)?.markedSensitive).toBe(true);
  });
});

test('a person takes a plug into "All off" and out of it, which is audited, survives its return and can be given back', async () => {
  const { hub, owner, guest, plug, path } = await openScene();
  const byOwner = (line: string, body?: unknown) => hub.call(line, { token: owner.token, body });
  const marks = ({ json }: { readonly json: Record<string, unknown> }) => [json['all_off'], json['all_off_by']];
  expect(marks(await byOwner(`GET ${path}`))).toEqual([false, 'type']);
  const marked = await byOwner(`PATCH ${path}`, { all_off: true });
  expect([marked.status, ...marks(marked), marked.json['sensitive']]).toEqual([200, true, 'person', false]);
  expect((await hub.call(`PATCH ${path}`, { token: guest.token, body: { all_off: false } })).status).toBe(403);
  const { json } = await byOwner('GET /audit?types=device.marked');
  expect(json).toMatchObject([{ type: 'device.marked', detail: `${plug.selector} in all off` }]);
  const reports = hub.home.devices.reportsOf(plug.integration);
  await reports.removeDevice(plug.externalId);
  await reports.describeDevice(plug);
  expect(hub.home.devices.findDevice(plug.id)?.isLeftOn).toBe(false);
  expect(marks(await byOwner(`PATCH ${path}`, { all_off: false }))).toEqual([false, 'person']);
  expect(marks(await byOwner(`PATCH ${path}`, { all_off: null }))).toEqual([false, 'type']);
});
