import { expect } from 'vitest';
import type { HubProcess, Tokens } from '#test/support/daemon/hub-process.ts';

/** Each has what the kinds below bring; the simulated home has four rooms already. */
const ROOMS = [
  'Arbeitszimmer',
  'Hauswirtschaftsraum',
  'Kinderzimmer im Obergeschoss',
  'Badezimmer',
  'Wintergarten',
  'Gäste-WC',
] as const;

/** Unit and limits are those of the vocabulary. */
const states = (value_type: string, ...keys: readonly string[]) =>
  keys.map((key) => ({ key, capability: key, kind: 'state', value_type }));
const controlled = (value_type: string, ...keys: readonly string[]) =>
  states(value_type, ...keys).map((feature) => ({ ...feature, writable: true }));

const BATTERY = states('number', 'battery');

/** One of each in each of the rooms: 48 devices in six rooms. */
const KINDS = [
  {
    word: 'Deckenleuchte über dem langen Esstisch',
    type: 'dimmable_light',
    features: [...controlled('boolean', 'on'), ...controlled('number', 'brightness')],
    values: { on: true, brightness: 60 },
  },
  {
    word: 'Nachttischlampe mit Dimmer (warmweiß)',
    type: 'dimmable_light',
    features: [...controlled('boolean', 'on'), ...controlled('number', 'brightness')],
    values: { on: false, brightness: 20 },
  },
  {
    word: 'Steckdose hinter dem Bücherregal',
    type: 'on_off_plug_in_unit',
    features: controlled('boolean', 'on'),
    values: { on: true },
  },
  {
    word: 'Außenrollladen (Fenster zur Straße)',
    type: 'window_covering',
    features: controlled('number', 'position'),
    values: { position: 40 },
  },
  {
    word: 'Terrassentür zum Garten (Kontaktsensor)',
    type: 'contact_sensor',
    features: [...states('boolean', 'open'), ...BATTERY],
    values: { open: false, battery: 7 },
  },
  {
    word: 'Bewegungsmelder unter der Treppe links',
    type: 'occupancy_sensor',
    features: [...states('boolean', 'motion'), ...BATTERY],
    values: { motion: false, battery: 80 },
  },
  {
    word: 'Raumklimasensor neben dem Schreibtisch',
    type: 'temperature_sensor',
    features: states('number', 'temperature', 'humidity', 'battery'),
    values: { temperature: 21.4, humidity: 48, battery: 90 },
  },
  {
    word: 'Wassermelder unter der Waschmaschine',
    type: 'water_leak_detector',
    features: [...states('boolean', 'water_leak'), ...BATTERY],
    values: { water_leak: false, battery: 100 },
  },
] as const;

/** Brings the simulated home to 61 devices in ten rooms, with names as long as German ones are, by a provider. */
export async function furnishLargeHome(hub: HubProcess, { access_token: token }: Tokens): Promise<void> {
  const callAs = (as: string) => async (method: string, path: string, body?: unknown) => {
    const answer = await hub.ask(method, `/api/v1${path}`, { token: as, ...(body !== undefined && { body }) });
    expect([path, answer.status, answer.status < 300 ? '' : answer.json]).toEqual([path, expect.any(Number), '']);
    return answer.json as Readonly<Record<string, string>>;
  };
  const call = callAs(token);
  const wants = { name: 'house', scopes: ['device:provide'], provider: 'house' };
  const bring = callAs((await call('POST', '/api_token', wants))['token'] ?? '');
  await bring('PUT', '/provider/house', { name: 'House', lease_s: 600 });
  for (const [index, name] of ROOMS.entries()) {
    const { id: room } = await call('POST', '/room', { name });
    for (const [at, { word, type, features }] of KINDS.entries()) {
      const path = `/provider/house/device/d${String(index * KINDS.length + at)}`;
      const { selector } = await bring('PUT', path, { name: word, type, features });
      await call('PATCH', `/device/${selector ?? ''}`, { room });
    }
  }
  const reports = ROOMS.flatMap((_, index) =>
    KINDS.map(({ values }, at) => ({ device: `d${String(index * KINDS.length + at)}`, values })),
  );
  await bring('POST', '/provider/house/state', { reports });
  const devices = (await call('GET', '/device')) as unknown as readonly unknown[];
  expect(devices).toHaveLength(61);
}
