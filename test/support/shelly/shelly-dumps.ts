import type { JsonObject, JsonValue } from '#base/json.ts';

/**
 * What devices answer with: who they are, how they are set, how they are. In the shapes of public captures, with names,
 * ids and addresses made up.
 */
export type Dump = {
  readonly info: JsonObject;
  readonly config: JsonObject;
  readonly status: JsonObject;
  /** What is listed in `Shelly.GetComponents` alone. */
  readonly added: readonly JsonObject[];
};
export type DumpKind = keyof typeof DUMPS;

export const SHELLY_MAC = 'a0b0c0d0e010';

const energy = (total = 1_234.567): JsonObject => ({ total, by_minute: [0, 0, 0], minute_ts: 1_761_998_400 });
const temperature = (tC: number): JsonObject => ({ tC, tF: Number((tC * 1.8 + 32).toFixed(1)) });

type Base = {
  readonly app: string;
  readonly model: string;
  readonly gen?: number;
  readonly profile?: string;
  readonly name?: string;
  readonly config?: JsonObject;
  readonly status?: JsonObject;
  readonly added?: readonly JsonObject[];
};

function dumpOf(
  kind: string,
  { app, model, gen = 2, profile, name, config = {}, status = {}, added = [] }: Base,
): Dump {
  const mac = SHELLY_MAC.toUpperCase();
  const id = `${kind}-${SHELLY_MAC}`;
  const version = { fw_id: '20250924-062729/1.7.1-gd336f31', ver: '1.7.1' };
  return {
    info: {
      name: name ?? null,
      id,
      mac,
      slot: 0,
      model,
      gen,
      app,
      auth_en: false,
      auth_domain: null,
      ...version,
      ...(profile === undefined ? {} : { profile }),
    },
    config: {
      ble: { enable: true },
      cloud: { enable: false },
      mqtt: { enable: false, client_id: id },
      sys: { device: { name: name ?? null, mac }, location: { tz: 'Europe/Vienna' }, cfg_rev: 10 },
      wifi: { sta: { ssid: 'home', enable: true } },
      ws: { enable: false, server: null },
      ...config,
    },
    status: {
      ble: {},
      cloud: { connected: false },
      mqtt: { connected: false },
      sys: { mac, restart_required: false, uptime: 5_000, cfg_rev: 10, available_updates: {} },
      wifi: { sta_ip: '127.0.0.1', status: 'got ip', ssid: 'home', rssi: -58 },
      ws: { connected: false },
      ...status,
    },
    added,
  };
}

const inputConfig = (id: number, type: string): JsonObject => ({ id, name: null, type, enable: true, invert: false });
const inputStatus = (id: number, state: JsonValue): JsonObject => ({ id, state });
const load = (voltage: number): JsonObject => ({ apower: 0, voltage, freq: 50, current: 0, pf: 0, aenergy: energy() });
const relay = (id: number): JsonObject => ({
  id,
  source: 'init',
  output: false,
  ...load(230.4),
  ret_aenergy: energy(0),
  temperature: temperature(45.1),
});
const phase = (letter: string, watts: number): JsonObject => ({
  [`${letter}_current`]: Number((watts / 230).toFixed(3)),
  [`${letter}_voltage`]: 230.2,
  [`${letter}_act_power`]: watts,
  [`${letter}_aprt_power`]: watts + 9,
  [`${letter}_pf`]: 0.97,
  [`${letter}_freq`]: 50,
});
const heard = { last_updated_ts: 1_762_000_000, packet_id: 12 };

export const DUMPS = {
  plus1pm: dumpOf('shellyplus1pm', {
    app: 'Plus1PM',
    model: 'SNSW-001P16EU',
    name: 'Kettle',
    config: { 'input:0': inputConfig(0, 'switch'), 'switch:0': { id: 0, name: 'Kettle' } },
    status: { 'input:0': inputStatus(0, false), 'switch:0': relay(0) },
  }),
  cover: dumpOf('shellyplus2pm', {
    app: 'Plus2PM',
    model: 'SNSW-102P16EU',
    profile: 'cover',
    name: 'Blind',
    config: {
      'input:0': inputConfig(0, 'switch'),
      'input:1': inputConfig(1, 'switch'),
      'cover:0': { id: 0, name: null, slat: { enable: true } },
    },
    status: {
      'input:0': inputStatus(0, false),
      'input:1': inputStatus(1, false),
      'cover:0': {
        id: 0,
        source: 'init',
        state: 'stopped',
        ...load(230.1),
        temperature: temperature(41.7),
        pos_control: true,
        last_direction: 'open',
        current_pos: 40,
        slat_pos: 0,
      },
    },
  }),
  relays: dumpOf('shellyplus2pm', {
    app: 'Plus2PM',
    model: 'SNSW-102P16EU',
    profile: 'switch',
    config: { 'switch:0': { id: 0, name: 'Left' }, 'switch:1': { id: 1, name: 'Right' } },
    status: { 'switch:0': relay(0), 'switch:1': relay(1) },
  }),
  dimmer: dumpOf('shellydimmerg3', {
    app: 'DimmerG3',
    model: 'S3DM-0A101WWL',
    gen: 3,
    name: 'Ceiling',
    config: { 'input:0': inputConfig(0, 'button'), 'light:0': { id: 0, name: null } },
    status: {
      'input:0': inputStatus(0, null),
      'light:0': { id: 0, source: 'init', output: false, brightness: 45, apower: 0, aenergy: energy(88) },
    },
  }),
  rgbw: dumpOf('shellyplusrgbwpm', {
    app: 'PlusRGBWPM',
    model: 'SNDC-0D4P10WW',
    profile: 'rgbw',
    name: 'Strip',
    config: { 'rgbw:0': { id: 0, name: null } },
    status: { 'rgbw:0': { id: 0, output: true, rgb: [255, 0, 0], brightness: 60, white: 51, apower: 7.2 } },
  }),
  cct: dumpOf('shellyduobulbg3', {
    app: 'DuoBulbG3',
    model: 'S3BL-D010009AEU',
    gen: 3,
    name: 'Bulb',
    config: { 'cct:0': { id: 0, name: null, ct_range: [2_700, 6_500] } },
    status: { 'cct:0': { id: 0, output: false, brightness: 70, ct: 3_000, apower: 0 } },
  }),
  i4: dumpOf('shellyplusi4', {
    app: 'PlusI4',
    model: 'SNSN-0024X',
    name: 'Wall switch',
    config: {
      'input:0': inputConfig(0, 'button'),
      'input:1': inputConfig(1, 'button'),
      'input:2': inputConfig(2, 'switch'),
      'input:3': inputConfig(3, 'analog'),
    },
    status: {
      'input:0': inputStatus(0, null),
      'input:1': inputStatus(1, null),
      'input:2': inputStatus(2, false),
      'input:3': { id: 3, percent: 12.5 },
    },
  }),
  /** It sleeps. */
  climate: dumpOf('shellyplusht', {
    app: 'PlusHT',
    model: 'SNSN-0013A',
    name: 'Cellar climate',
    config: { 'temperature:0': { id: 0, name: null }, 'humidity:0': { id: 0, name: null } },
    status: {
      sys: { mac: SHELLY_MAC.toUpperCase(), restart_required: false, uptime: 3, cfg_rev: 10, wakeup_period: 7_200 },
      wifi: { sta_ip: '127.0.0.1', status: 'got ip', ssid: 'home', rssi: -61 },
      'temperature:0': { id: 0, ...temperature(12.5) },
      'humidity:0': { id: 0, rh: 71.2 },
      'devicepower:0': { id: 0, battery: { V: 5.6, percent: 81 }, external: { present: false } },
    },
  }),
  meter: dumpOf('shellypro3em', {
    app: 'Pro3EM',
    model: 'SPEM-003CEBEU',
    profile: 'triphase',
    name: 'Meter',
    config: { 'em:0': { id: 0, name: null }, 'emdata:0': {}, 'temperature:0': { id: 0, name: null } },
    status: {
      'em:0': {
        id: 0,
        ...phase('a', 812.5),
        ...phase('b', 43.1),
        ...phase('c', -260),
        n_current: null,
        total_current: 4.85,
        total_act_power: 595.6,
        total_aprt_power: 622.6,
      },
      'emdata:0': {
        id: 0,
        a_total_act_energy: 120_345.6,
        a_total_act_ret_energy: 0,
        b_total_act_energy: 9_876.5,
        b_total_act_ret_energy: 0,
        c_total_act_energy: 4_321,
        c_total_act_ret_energy: 3_000,
        total_act: 134_543.1,
        total_act_ret: 3_000,
      },
      'temperature:0': { id: 0, ...temperature(44.4) },
    },
  }),
  gateway: dumpOf('shellyblugwg3', {
    app: 'BluGwG3',
    model: 'S3GW-1DBT001',
    gen: 3,
    name: 'BLU gateway',
    added: [
      {
        key: 'bthomedevice:200',
        status: { id: 200, rssi: -62, battery: 96, paired: true, ...heard },
        config: { id: 200, addr: 'aa:bb:cc:00:00:01', name: 'Window' },
      },
      {
        key: 'bthomesensor:200',
        status: { id: 200, value: false, ...heard },
        config: { id: 200, addr: 'aa:bb:cc:00:00:01', name: null, obj_id: 45, idx: 0 },
      },
      {
        key: 'bthomesensor:201',
        status: { id: 201, value: 320, ...heard },
        config: { id: 201, addr: 'aa:bb:cc:00:00:01', name: null, obj_id: 5, idx: 0 },
      },
      {
        key: 'bthomedevice:201',
        status: { id: 201, rssi: -70, battery: 80, last_updated_ts: 0 },
        config: { id: 201, addr: 'aa:bb:cc:00:00:02', name: 'Remote' },
      },
      {
        key: 'bthomesensor:202',
        status: { id: 202, value: null, last_updated_ts: 0 },
        config: { id: 202, addr: 'aa:bb:cc:00:00:02', name: null, obj_id: 58, idx: 0 },
      },
      {
        key: 'bthomesensor:203',
        status: { id: 203, value: null, last_updated_ts: 0 },
        config: { id: 203, addr: 'aa:bb:cc:00:00:02', name: null, obj_id: 58, idx: 1 },
      },
      {
        key: 'blutrv:200',
        status: { id: 200, target_C: 19, current_C: 20.1, pos: 15, rssi: -58, battery: 92, paired: true, ...heard },
        config: { id: 200, addr: 'aa:bb:cc:00:00:03', name: 'Radiator', trv: 'bthomedevice:202' },
      },
      {
        key: 'bthomedevice:202',
        status: { id: 202, rssi: -58, battery: 92, ...heard },
        config: { id: 202, addr: 'aa:bb:cc:00:00:03', name: 'Radiator' },
      },
      { key: 'boolean:200', status: { value: true }, config: { id: 200, name: 'Holiday' } },
      {
        key: 'number:200',
        status: { value: 12.5 },
        config: { id: 200, name: 'Limit', min: 0, max: 50, meta: { ui: { unit: 'W', step: 0.5 } } },
      },
      { key: 'enum:200', status: { value: 'eco' }, config: { id: 200, name: 'Plan', options: ['eco', 'comfort'] } },
    ],
  }),
  /** No device that is sold: one of each component that has values of its own. */
  everything: dumpOf('shellyeverything', {
    app: 'Everything',
    model: 'X-0000',
    config: {
      'switch:0': { id: 0, name: null },
      'light:0': { id: 0, name: null },
      'rgbw:0': { id: 0, name: null },
      'cct:0': { id: 0, name: null, ct_range: [2_700, 6_500] },
      'cover:0': { id: 0, name: null, slat: { enable: true } },
      'input:0': inputConfig(0, 'switch'),
      'input:1': inputConfig(1, 'analog'),
      'temperature:0': { id: 0, name: null },
      'thermostat:0': { id: 0, name: null },
      'number:200': { id: 200, name: 'Limit', min: 0, max: 50 },
    },
    status: {
      'switch:0': relay(0),
      'light:0': { id: 0, output: false, brightness: 45 },
      'rgbw:0': { id: 0, output: true, rgb: [255, 0, 0], brightness: 60, white: 51 },
      'cct:0': { id: 0, output: false, brightness: 70, ct: 3_000 },
      'cover:0': { id: 0, state: 'stopped', pos_control: true, current_pos: 40, slat_pos: 0 },
      'input:0': inputStatus(0, false),
      'input:1': { id: 1, percent: 12.5 },
      'temperature:0': { id: 0, ...temperature(12.5) },
      'humidity:0': { id: 0, rh: 71.2 },
      'illuminance:0': { id: 0, lux: 120, illumination: 'bright' },
      'voltmeter:100': { id: 100, voltage: 4.2 },
      'smoke:0': { id: 0, alarm: false, mute: false },
      'flood:0': { id: 0, alarm: false, mute: false },
      'devicepower:0': { id: 0, battery: { V: 5.6, percent: 81 }, external: { present: false } },
      'thermostat:0': { id: 0, enable: true, target_C: 20.5, current_C: 19.4, output: true },
      'number:200': { value: 12.5 },
    },
  }),
} as const satisfies Readonly<Record<string, Dump>>;
