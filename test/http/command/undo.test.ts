import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { BRIGHTNESS, describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

type Result = { key: string; requested: unknown; status: string; reason?: string };
type Answer = {
  status: number;
  json: {
    id: string;
    status: string;
    code?: string;
    detail?: string;
    results: Result[];
    cause: { command: string | null };
  };
};

const COLORED = [
  createFeature('on'),
  BRIGHTNESS,
  createFeature('color', { capability: 'color', valueType: 'color' }),
  createFeature('color_temperature', { capability: 'color_temperature', valueType: 'number', unit: 'K' }),
  createFeature('identify', { capability: 'identify', kind: 'action', valueType: 'none', readable: false }),
];
const LOCK = createFeature('locked', { capability: 'locked' });

async function openApp() {
  const home = await openCommandHome([
    describeDevice('lamp', { features: COLORED }),
    describeDevice('other'),
    describeDevice('lock', { type: 'door_lock', features: [LOCK] }),
  ]);
  home.report('lamp', { on: true, brightness: 20, color_temperature: 2700 });
  home.report('other', { on: true, brightness: 50 });
  home.report('lock', { locked: true });
  /** Every device carries out each command at once. */
  home.radio.send = async ({ externalId, set }) => {
    home.reports.reportValues(externalId, set);
    return 'transport_ack';
  };
  const audited: AuditEvent[] = [];
  const { request } = createTestApp(
    commandRoutes({
      audit: { record: async (event) => void audited.push(event) },
      commands: home.commands,
      registry: home.registry,
      findRoom: home.rooms.findRoom,
    }),
  );
  const call = async (path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> => {
    const headers = { Authorization: 'Bearer owner', 'Content-Type': 'application/json', Prefer: 'wait=1', ...more };
    const answering = request(`/api/v1${path}`, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await home.time.advance(0);
    await home.time.advance(1_000);
    const answer = await answering;
    return { status: answer.status, json: (await answer.json()) as Answer['json'] };
  };
  const set = async (values: Record<string, unknown>, device = 'lamp'): Promise<string> =>
    (await call(`/device/${device}/command`, { set: values })).json.id;
  const undo = (id: string, more?: Record<string, string>): Promise<Answer> =>
    call(`/command/${id}/undo`, undefined, more);
  /** What was sent since the last call. */
  const sent = (): string[] => {
    const lines = home.sent();
    home.wire.length = 0;
    return lines;
  };
  return { home, call, set, undo, sent, audited };
}

const outcomes = ({ json }: Answer): string[] =>
  json.results.map(({ key, requested, status, reason }) =>
    [key, JSON.stringify(requested), status, reason ?? []].flat().join(' '),
  );

describe('POST /command/{id}/undo', () => {
  test('sends the values from before the command, and names it as the cause', async () => {
    const { set, undo, sent } = await openApp();
    const id = await set({ brightness: 60, color_temperature: 4000 });
    sent();
    const undone = await undo(id);
    expect(undone).toMatchObject({ status: 200, json: { status: 'confirmed', cause: { command: id } } });
    expect(sent()).toEqual(['lamp brightness=20 color_temperature=2700']);
  });

  test('brings back the white to which a lamp had come back after it was red', async () => {
    const { home, set, undo, sent } = await openApp();
    for (const values of [{ color: { x: 0.7, y: 0.3 } }, { color_temperature: 2700 }]) {
      await home.time.advance(1_000);
      home.report('lamp', values);
    }
    const id = await set({ color_temperature: 4000 });
    sent();
    await undo(id);
    expect(sent()).toEqual(['lamp color_temperature=2700']);
    const painted = await set({ color: { x: 0.2, y: 0.7 } });
    sent();
    await undo(painted);
    expect(sent()).toEqual(['lamp color_temperature=2700']);
  });

  test('can be undone itself, and so on', async () => {
    const { set, undo, sent } = await openApp();
    let id = await set({ brightness: 60 });
    sent();
    for (const expected of ['20', '60', '20']) {
      const undone = await undo(id);
      expect(sent()).toEqual([`lamp brightness=${expected}`]);
      expect(undone.json.cause.command).toBe(id);
      id = undone.json.id;
    }
  });

  test('ends confirmed if all else is already as it was', async () => {
    const { home, set, undo, sent } = await openApp();
    home.report('lamp', { on: true });
    const id = await set({ on: true, brightness: 60 });
    sent();
    const undone = await undo(id);
    expect(sent()).toEqual(['lamp brightness=20']);
    expect(outcomes(undone)).toEqual(['brightness 20 confirmed', 'on true confirmed unchanged']);
    expect(home.commands.findCommand(undone.json.id)?.status).toBe('confirmed');
  });

  test('leaves what a hand has changed since then, and reports it', async () => {
    const { home, set, undo, sent } = await openApp();
    const id = await set({ brightness: 60, color_temperature: 4000 });
    home.report('lamp', { brightness: 85 });
    sent();
    const undone = await undo(id);
    expect(sent()).toEqual(['lamp color_temperature=2700']);
    expect(outcomes(undone)).toEqual([
      'color_temperature 2700 confirmed',
      'brightness 20 superseded The value has changed since then.',
    ]);
  });

  test('turns off a lamp that the command has lit, with nothing else', async () => {
    const { home, set, undo, sent } = await openApp();
    home.report('lamp', { on: false });
    const id = await set({ on: true, brightness: 60 });
    sent();
    await undo(id);
    expect(sent()).toEqual(['lamp on=false']);
  });

  test('turns off a lamp that was lit by a level alone', async () => {
    const { home, set, undo, sent } = await openApp();
    home.report('lamp', { on: false });
    const id = await set({ brightness: 60 });
    home.report('lamp', { on: true, brightness: 60 });
    sent();
    await undo(id);
    expect(sent()).toEqual(['lamp on=false']);
  });

  test('brings back the color that a white light had replaced', async () => {
    const { home, set, undo, sent } = await openApp();
    await home.time.advance(1_000);
    home.report('lamp', { color: { x: 0.6, y: 0.3 } });
    await home.time.advance(1_000);
    const id = await set({ color_temperature: 4000 });
    sent();
    await undo(id);
    expect(sent()).toEqual(['lamp color={"x":0.6,"y":0.3}']);
  });

  test.each([
    ['a second time', async ({ undo }: Parts, id: string) => void (await undo(id)), 'The value has changed'],
    ['after a hand', async ({ home }: Parts) => home.report('lamp', { brightness: 10 }), 'The value has changed'],
    ['after a day', async ({ home }: Parts) => home.time.advance(86_400_000), 'older than 24 hours'],
    [
      'of a device that is gone',
      ({ home }: Parts) => home.registry.removeDevice(home.device('lamp').id),
      'The device was removed',
    ],
  ])('is refused where nothing is left to undo: %s', async (_, prepare, reason) => {
    const parts = await openApp();
    const id = await parts.set({ brightness: 60 });
    await prepare(parts, id);
    parts.sent();
    const { status, json } = await parts.undo(id);
    expect([status, json.code]).toEqual([409, 'NOTHING_TO_UNDO']);
    expect(json.detail).toContain(reason);
    expect(parts.sent()).toEqual([]);
  });

  test.each([
    ['set what was there already', { brightness: 20 }, 'changed nothing'],
    ['was an action', undefined, 'cannot be undone'],
  ])('is refused for a command that %s', async (_, values, reason) => {
    const { call, undo } = await openApp();
    const { json } = await call('/device/lamp/command', values === undefined ? { do: 'identify' } : { set: values });
    const undone = await undo(json.id);
    expect([undone.json.code, undone.json.detail]).toEqual(['NOTHING_TO_UNDO', expect.stringContaining(reason)]);
  });

  test('cancels what waits for a sleeping device', async () => {
    const { home, set, undo, sent } = await openApp();
    home.reports.reportAvailability('lamp', 'asleep', null);
    const id = await set({ brightness: 60 });
    const undone = await undo(id);
    expect(outcomes(undone)).toEqual(['brightness null superseded It was not sent yet, and is not sent any more.']);
    expect(home.commands.findCommand(id)).toMatchObject({
      status: 'superseded',
      results: [{ reason: 'It was undone.' }],
    });
    home.reports.reportAvailability('lamp', 'online', null);
    await home.time.advance(0);
    expect(sent()).toEqual([]);
  });

  test('takes back each part of a command for several devices as far as that can be', async () => {
    const { home, call, undo, sent } = await openApp();
    const { json } = await call('/command', {
      wishes: [
        { device: 'lamp', set: { brightness: 60 } },
        { device: 'other', set: { on: false } },
      ],
    });
    home.reports.reportAvailability('other', 'offline', 'gone');
    sent();
    const undone = await undo(json.id);
    expect(outcomes(undone)).toEqual(['brightness 20 confirmed', 'on true failed The device is offline.']);
    expect(sent()).toEqual(['lamp brightness=20']);
  });

  test('repeated with its key is one undo', async () => {
    const { set, undo, sent } = await openApp();
    const id = await set({ brightness: 60 });
    sent();
    const key = { 'Idempotency-Key': 'once' };
    const [first, again] = [await undo(id, key), await undo(id, key)];
    expect(again.json.id).toBe(first.json.id);
    expect(sent()).toEqual(['lamp brightness=20']);
  });
});

type Parts = Awaited<ReturnType<typeof openApp>>;

describe('the right to undo', () => {
  test('needs a command that the caller sees', async () => {
    const { set, undo } = await openApp();
    const id = await set({ brightness: 60 });
    expect((await undo(id, { Authorization: 'Bearer resident' })).status).toBe(404);
    expect((await undo('0198f1c2-0000-7000-8000-000000000009')).status).toBe(404);
  });

  test('needs, for a lock, the right to locks, and the log has it', async () => {
    const { set, undo, sent, audited } = await openApp();
    const id = await set({ locked: false }, 'lock');
    sent();
    audited.length = 0;
    await undo(id);
    expect(sent()).toEqual(['lock locked=true']);
    expect(audited.map(({ detail }) => detail)).toEqual(['locked=true lock']);
  });

  test('ends with a device that has become sensitive', async () => {
    const { home, call, undo, sent } = await openApp();
    const guest = { Authorization: 'Bearer guest' };
    const { json } = await call('/device/other/command', { set: { on: false } }, guest);
    await home.registry.updateDevice(home.device('other').id, { markedSensitive: true });
    sent();
    const refused = await undo(json.id, guest);
    expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining('for other')]);
    expect(sent()).toEqual([]);
  });
});
