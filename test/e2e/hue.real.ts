import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startStopwatch } from '#test/support/machine/bounds.ts';
import { type RunningHub, startRunningHub } from '#test/support/daemon/running-hub.ts';
import { type HueBridge, startHueBridge } from '#test/support/hue/hue-bridge.ts';

type DeviceJson = {
  selector: string;
  name: string;
  type: string;
  room: { name: string } | null;
  availability: { state: string; reason: string | null };
  features: { key: string; value: unknown; quality: string }[];
};
type SetupJson = {
  id: string;
  status: string;
  step: { type: string; errors?: unknown[] } | null;
  integration: { id: string } | null;
  error: { code: string; message: string } | null;
};
type CommandJson = { status: string; evidence: string; results: { status: string; evidence: string }[] };
const SOON = { interval: 25 };
const LAMPS = 20;

let hub: RunningHub;
let bridge: HueBridge;

const device = async (selector: string): Promise<DeviceJson> =>
  (await hub.call<DeviceJson>(`GET /device/${selector}`)).json;
const value = async (selector: string, key: string): Promise<string> => {
  const found = (await device(selector)).features.find((feature) => feature.key === key);
  return `${JSON.stringify(found?.value)} ${found?.quality}`;
};
const status = async (): Promise<string> => {
  const { json } = await hub.call<{ status: string; error: { code: string } | null }>('GET /integration/hue');
  return [json.status, json.error?.code ?? []].flat().join(' ');
};
const untilStatus = (expected: string): Promise<void> =>
  vi.waitFor(async () => expect(await status()).toBe(expected), SOON);
const untilSetup = async (id: string, isThere: (setup: SetupJson) => boolean): Promise<SetupJson> =>
  vi.waitFor(async () => {
    const { json } = await hub.call<SetupJson>(`GET /integration_setup/${id}`);
    if (!isThere(json)) throw new Error(`the set-up is at ${JSON.stringify(json)}`);
    return json;
  }, SOON);

/** What a person does on the page: address, then the button. */
async function setUp(): Promise<SetupJson> {
  const begun = await hub.call<SetupJson>('POST /integration_setup', { body: { kind: 'hue' } });
  expect(begun.status).toBe(201);
  const { id } = begun.json;
  await untilSetup(id, ({ step }) => step?.type === 'form');
  const answer = { host: bridge.host, take_rooms: true };
  await hub.call(`POST /integration_setup/${id}`, { body: { answer } });
  // Soon after an earlier press, the bridge gives another key at once.
  await untilSetup(id, ({ status, step }) => step?.type === 'act' || status !== 'running');
  await bridge.act('link');
  return untilSetup(id, ({ status }) => status !== 'running');
}

beforeAll(async () => {
  bridge = await startHueBridge({ batch: 100, lamps: LAMPS });
  hub = await startRunningHub();
});

afterAll(async () => {
  await hub.stop();
  await bridge.close();
});

describe('a Hue bridge at the running hub', () => {
  test('is set up with its address and its button, and its lamps are there, in its rooms', async () => {
    const done = await setUp();
    expect(done).toMatchObject({ status: 'done', integration: { id: 'hue' }, error: null });
    await untilStatus('connected');
    await vi.waitFor(async () => {
      const { json } = await hub.call<DeviceJson[]>('GET /device?availability=online');
      expect(json).toHaveLength(9 + LAMPS);
      expect(json.filter(({ room }) => room !== null)).toHaveLength(5 + LAMPS);
    }, SOON);
    expect(await device('sofa')).toMatchObject({ type: 'extended_color_light', room: { name: 'Living room' } });
    expect(await value('stairs-sensor', 'illuminance')).toBe('16 confirmed');
  });

  test('confirms commands by its reports', async () => {
    const tookMs: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      const passedMs = startStopwatch();
      const { json } = await hub.call<CommandJson>(`POST /device/hall-${1 + (index % LAMPS)}/command`, {
        body: { set: { brightness: 10 + index } },
        headers: { Prefer: 'wait=10' },
      });
      tookMs.push(passedMs());
      expect([json.status, json.evidence]).toEqual(['confirmed', 'state_report']);
    }
    const sorted = tookMs.toSorted((left, right) => left - right);
    const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    process.stdout.write(`30 commands, reports gathered for 100 ms: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
  });

  test('gets a command to a room of twenty lamps as one message, and each lamp confirms', async () => {
    const before = (await bridge.state()).requests.length;
    const passedMs = startStopwatch();
    const { json } = await hub.call<CommandJson>('POST /command', {
      body: { targets: { room: 'great-hall' }, set: { on: true, brightness: 55 } },
      headers: { Prefer: 'wait=10' },
    });
    process.stdout.write(`${LAMPS} lamps by one message: ${Math.round(passedMs())} ms\n`);
    expect([json.status, json.evidence, json.results.length]).toEqual(['confirmed', 'state_report', 2 * LAMPS]);
    const sent = (await bridge.state()).requests.slice(before).map(({ text }) => text);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^PUT grouped_light\//);
  });

  test('gets a scene of a group of twenty lamps as one message, and the scene is active by their reports', async () => {
    const members = Array.from({ length: LAMPS }, (_, index) => `hall-${index + 1}`);
    expect((await hub.call('POST /group', { body: { name: 'Hall lamps', members } })).status).toBe(201);
    const targets = [{ device: 'hall-lamps', set: { on: true, brightness: 35 } }];
    expect((await hub.call('POST /scene', { body: { name: 'Feast', targets } })).status).toBe(201);
    const before = (await bridge.state()).requests.length;
    const { json } = await hub.call<CommandJson>('POST /scene/feast/activate', { headers: { Prefer: 'wait=10' } });
    expect([json.status, json.evidence, json.results.length]).toEqual(['confirmed', 'state_report', 2 * LAMPS]);
    const sent = (await bridge.state()).requests.slice(before).map(({ text }) => text);
    expect(sent).toEqual([expect.stringMatching(/^PUT grouped_light\//)]);
    const scene = await hub.call<{ active: object }>('GET /scene/feast');
    expect(scene.json.active).toMatchObject({ state: 'active', matched: LAMPS, of: LAMPS });
    await vi.waitFor(async () => expect(await value('hall-lamps', 'brightness')).toMatch(/^3[45]\S* confirmed$/), SOON);
  });

  test('gets the last of many quick commands to a room, each as one message', async () => {
    const before = (await bridge.state()).requests.length;
    const levels = [60, 65, 70, 75, 80];
    const given = levels.map((brightness) =>
      hub.call<CommandJson>('POST /command', {
        body: { targets: { room: 'great-hall' }, set: { brightness } },
        headers: { Prefer: 'wait=10' },
      }),
    );
    const statuses = (await Promise.all(given)).map(({ json }) => json.status);
    expect(statuses.filter((status) => status !== 'superseded')).toEqual(['confirmed']);
    const sent = (await bridge.state()).requests.slice(before).map(({ text }) => text);
    expect(sent.filter((text) => !text.startsWith('PUT grouped_light/'))).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(3);
  });

  test('follows a stream that was cut, and a bridge that was stopped and started', async () => {
    await bridge.act('drop');
    await bridge.act('light', { name: 'Plug', change: { on: { on: true } } });
    await vi.waitFor(async () => expect(await value('plug', 'on')).toBe('true confirmed'), SOON);
    await untilStatus('connected');
    await bridge.act('stop');
    await untilStatus('error BRIDGE_UNREACHABLE');
    expect((await device('plug')).availability).toMatchObject({ state: 'unknown', reason: 'integration_down' });
    const refused = await hub.call('POST /device/plug/command', { body: { set: { on: false } } });
    expect([refused.status, refused.json['code']]).toEqual([503, 'INTEGRATION_DOWN']);
    await bridge.act('light', { name: 'Plug', change: { on: { on: false } } });
    await bridge.act('start');
    await vi.waitFor(async () => expect(await value('plug', 'on')).toBe('false confirmed'), SOON);
  });

  test('with another certificate gets no key, and needs a person until it shows the old one', async () => {
    await bridge.act('certificate', { name: 'other', bridgeId: '001788fffe99c0de' });
    await untilStatus('needs_action BRIDGE_REPLACED');
    expect((await bridge.state()).keysSeen).toBe(0);
    await bridge.act('certificate', { name: 'bridge' });
    await untilStatus('connected');
  });

  test('that withdrew the key is set up again as the same one', async () => {
    const { json: before } = await hub.call<DeviceJson & { id: string }>('GET /device/sofa');
    await bridge.act('revoke');
    await untilStatus('needs_action KEY_REFUSED');
    expect(await setUp()).toMatchObject({ status: 'done', integration: { id: 'hue' } });
    await untilStatus('connected');
    const { json: after } = await hub.call<DeviceJson & { id: string }>('GET /device/sofa');
    expect([after.id, after.room]).toEqual([before.id, before.room]);
  });
});
