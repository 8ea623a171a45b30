import type { HubProcess, Tokens } from '#test/support/daemon/hub-process.ts';
import { listDevices } from '#test/support/daemon/hub-process.ts';
import { createMeteredHome } from './metered-home.ts';
import { importPast } from './past.ts';

const HOUR_MS = 3_600_000;
const SIMULATED_DEVICES = 13;
const wave =
  (middle: number, height: number) =>
  (atMs: number): number =>
    Number((middle + height * Math.sin((atMs / HOUR_MS / 24) * 2 * Math.PI - 2)).toFixed(1));

const LIGHT_IN_THE_HALL = {
  name: 'Light in the hallway',
  mode: { kind: 'restart' },
  triggers: [{ type: 'feature', device: 'hallway-motion', key: 'motion', to: true }],
  conditions: [{ time: { after: '16:00', before: '08:00' } }],
  steps: [
    { command: { targets: { devices: ['hallway-ceiling'] }, set: { on: true } } },
    {
      wait_for: {
        triggers: [{ type: 'feature', device: 'hallway-motion', key: 'motion', to: false, for_s: 180 }],
        timeout_s: 14_400,
        ['then']: 'continue',
      },
    },
    { command: { targets: { devices: ['hallway-ceiling'] }, set: { on: false } } },
  ],
};
const MOVIE_NIGHT = {
  name: 'Movie night',
  icon: 'film',
  room: 'living-room',
  targets: [
    { device: 'living-room-lamp', set: { on: true, brightness: 15 } },
    { device: 'kitchen-ceiling', set: { on: false } },
  ],
};
const GOOD_NIGHT = {
  name: 'Good night',
  icon: 'moon',
  targets: [
    { device: 'front-door-lock', set: { locked: true } },
    { device: 'kitchen-ceiling', set: { on: false } },
    { device: 'living-room-lamp', set: { on: false } },
  ],
};

/** The simulated home as a family would have it: people, scenes, an automation, meters, and a month behind it. */
export async function furnishShownHome(hub: HubProcess, tokens: Tokens): Promise<void> {
  const token = tokens.access_token;
  await listDevices(hub, token, SIMULATED_DEVICES);
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { status, json } = await hub.ask(method, `/api/v1${path}`, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(json)}`);
    return json;
  };
  await ask('POST', '/hub/clock', { now: new Date().toISOString() });
  await importPast(hub, token, {
    days: 30,
    series: {
      'bedroom-climate/temperature': wave(19.5, 1.4),
      'bedroom-climate/humidity': wave(48, -6),
      'living-room-thermostat/temperature': wave(20.8, 1.1),
      'hallway-ceiling/on': (atMs) => Math.sin(atMs / HOUR_MS) > 0.7,
    },
  });
  const home = await createMeteredHome(hub, tokens);
  const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await home.measure(nowMs - 2 * 24 * HOUR_MS, nowMs);
  await ask('PUT', '/energy/settings', home.settings);
  await ask('PUT', '/hub/location', { latitude: 52.52, longitude: 13.4, elevation_m: null });
  await ask('PATCH', '/me', { name: 'Ada' });
  await ask('POST', '/user', {
    email: 'ben@example.org',
    password: 'a long and quiet evening',
    name: 'Ben',
    role: 'resident',
  });
  await ask('POST', '/scene', MOVIE_NIGHT);
  await ask('POST', '/scene', GOOD_NIGHT);
  await ask('POST', '/automation', LIGHT_IN_THE_HALL);
  await ask('POST', '/automation/light-in-the-hallway/run');
  await ask('POST', '/device/living-room-lamp/command', { set: { on: true, brightness: 70 } });
  const icons = { bedroom: 'bed', hallway: 'door', kitchen: 'kitchen', 'living-room': 'sofa' };
  for (const [room, icon] of Object.entries(icons)) await ask('PATCH', `/room/${room}`, { icon });
  const cellar = (await ask('POST', '/room', { name: 'Cellar' })) as { id: string };
  await ask('PATCH', `/room/${cellar.id}`, { icon: 'stairs' });
  for (const meter of ['grid', 'roof', 'boiler']) {
    await ask('PATCH', `/device/${home.selectors[meter] ?? ''}`, { room: cellar.id });
  }
  const devices = (await ask('GET', '/device')) as readonly { id: string; selector: string }[];
  const idOf = (selector: string): string => devices.find((one) => one.selector === selector)?.id ?? '';
  await ask('PUT', '/me/home', {
    favorites: ['living-room-lamp', 'living-room-thermostat', 'front-door-lock'].map(idOf),
  });
}
