import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { TestBroker } from '#test/support/peers/broker.ts';

export type TasmotaKind = keyof typeof KINDS;
export type TasmotaDevice = Awaited<ReturnType<typeof startTasmotaDevice>>;

type Kind = {
  readonly name: string;
  readonly outputs: readonly number[];
  readonly names?: readonly (string | null)[];
  readonly light?: number;
  readonly config?: JsonObject;
  readonly options?: JsonObject;
  readonly sensors?: JsonObject;
  readonly state: JsonObject;
};

const KINDS = {
  plug: {
    name: 'Plug',
    outputs: [1],
    state: { POWER: 'OFF' },
    sensors: {
      ENERGY: { TotalStartTime: '2026-01-01T00:00:00', Total: 12.345, Today: 0.103, Power: 0, Voltage: 231, Factor: 0 },
    },
  },
  relays: {
    name: 'Hall',
    outputs: [1, 1],
    names: ['Left', 'Right'],
    state: { POWER1: 'OFF', POWER2: 'OFF' },
    config: { btn: [1, 1] },
    options: { 73: 1 },
  },
  dimmer: { name: 'Desk', outputs: [2], light: 1, state: { POWER: 'OFF', Dimmer: 50 } },
  cct: { name: 'Kitchen', outputs: [2], light: 2, state: { POWER: 'ON', Dimmer: 50, CT: 250 } },
  color: {
    name: 'Sofa',
    outputs: [2],
    light: 5,
    state: { POWER: 'ON', Dimmer: 50, HSBColor: '30,100,50', White: 0, CT: 250 },
    config: { lk: 1 },
  },
  shutter: {
    name: 'Blind',
    outputs: [3, 3],
    state: {},
    sensors: { Shutter1: { Position: 30, Direction: 0, Target: 30, Tilt: 0 } },
    config: { sho: [0], sht: [[-90, 90, 1]] },
  },
  inverted: {
    name: 'Awning',
    outputs: [3, 3],
    state: {},
    sensors: { Shutter1: { Position: 30, Direction: 0, Target: 30, Tilt: 0 } },
    config: { sho: [1], sht: [[0, 0, 0]] },
  },
  gate: {
    name: 'Gate',
    outputs: [3, 3, 1],
    state: { POWER1: 'OFF', POWER2: 'OFF', POWER3: 'OFF' },
    sensors: { Shutter1: { Position: 30, Direction: 0, Target: 30, Tilt: 0 } },
    config: { sho: [0], sht: [[0, 0, 0]] },
  },
  fan: { name: 'Fan', outputs: [1, 0], state: { POWER: 'OFF', FanSpeed: 0 }, config: { if: 1 } },
  sensors: {
    name: 'Cellar',
    outputs: [0],
    state: {},
    config: { swc: [1, 3], swn: ['Door', null] },
    options: { 114: 1 },
    sensors: {
      Door: 'OFF',
      AM2301: { Temperature: 66.2, Humidity: 61.2, DewPoint: 53.24 },
      BH1750: { Illuminance: 120 },
      ANALOG: { A0: 512 },
      'DS18B20-1': { Id: '000001A2B3C4', Temperature: 111.2 },
      'DS18B20-2': { Id: '000001A2B3C5', Temperature: 100.4 },
      TX23: { Speed: { Act: 14.8, Avg: 8.5 } },
      TempUnit: 'F',
    },
  },
  /** No device that is sold: an output of each kind, and sensors. */
  everything: {
    name: 'Everything',
    outputs: [1, 2, 3, 3],
    light: 5,
    state: {
      POWER1: 'OFF',
      POWER2: 'ON',
      Dimmer: 50,
      HSBColor: '30,100,50',
      White: 0,
      CT: 250,
      FanSpeed: 1,
    },
    config: { if: 1, lk: 1, sho: [0], sht: [[-90, 90, 1]], swc: [1], swn: ['Door'] },
    sensors: {
      Door: 'OFF',
      Shutter1: { Position: 30, Direction: 0, Target: 30, Tilt: 0 },
      AM2301: { Temperature: 21.5, Humidity: 61.2 },
      'DS18B20-1': { Id: '000001A2B3C4', Temperature: 20.5 },
      ENERGY: { Power: [10, 20] },
      ANALOG: { A0: 512 },
      TempUnit: 'C',
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

export const TASMOTA_MAC = 'd8f15b000010';

const padded = (list: readonly JsonValue[], length: number, rest: JsonValue): JsonValue => [
  ...list,
  ...Array.from({ length: length - list.length }, () => rest),
];

/** A simulated device with the Tasmota firmware, as a client of a broker. */
export async function startTasmotaDevice(
  broker: Pick<TestBroker, 'publish' | 'onPublish'>,
  kind: TasmotaKind = 'plug',
  mac = TASMOTA_MAC,
) {
  const {
    name,
    outputs,
    names = [name],
    light = 0,
    config = {},
    options = {},
    sensors = {},
    state,
  }: Kind = KINDS[kind];
  let topic = `tasmota_${mac.slice(-6).toUpperCase()}`;
  const discovery = `tasmota/discovery/${mac.toUpperCase()}`;
  let now: JsonObject = state;
  let measured: JsonObject = sensors;
  let isMute = false;
  let arrival: NodeJS.Timeout | undefined;
  let own: JsonObject = {
    ip: '127.0.0.1',
    dn: name,
    fn: padded(names, 8, null),
    hn: topic,
    mac: mac.toUpperCase(),
    md: 'Generic',
    sw: '15.1.0',
    ofln: 'Offline',
    onln: 'Online',
    state: ['OFF', 'ON', 'TOGGLE', 'HOLD'],
    t: topic,
    ft: '%prefix%/%topic%/',
    tp: ['cmnd', 'stat', 'tele'],
    rl: padded(outputs, 32, 0),
    swc: padded([], 28, -1),
    swn: padded([], 28, null),
    btn: padded([], 32, 0),
    so: { 4: 0, 11: 0, 13: 0, 17: 0, 20: 0, 30: 0, 68: 0, 73: 0, 82: 0, 114: 0, 117: 0, ...options },
    lk: 0,
    ty: 0,
    lt_st: light,
    ver: 1,
    ...config,
  };
  const publish = (what: string, value: JsonValue, retain = false): Promise<void> =>
    broker.publish(what.replace('/', `/${topic}/`), typeof value === 'string' ? value : JSON.stringify(value), retain);
  const result = (value: JsonObject): void => void publish('stat/RESULT', value);
  const announce = async (): Promise<void> => {
    await broker.publish(`${discovery}/config`, JSON.stringify(own), true);
    await broker.publish(`${discovery}/sensors`, JSON.stringify({ sn: { Time: 'now', ...measured }, ver: 1 }), true);
  };
  const change = (next: JsonObject): void => {
    now = { ...now, ...next };
    // A light answers with all of itself.
    result(light === 0 ? next : now);
  };
  const lit = (next: JsonObject): void => change({ POWER: 'ON', ...next });
  const shutter = (next: JsonObject): void => {
    const before = measured['Shutter1'] as JsonObject;
    measured = { ...measured, Shutter1: { ...before, ...next } };
    result({ Shutter1: measured['Shutter1'] ?? null });
  };
  const move = (target: number): void => {
    const { Position: from } = measured['Shutter1'] as { Position: number };
    shutter({ Direction: Math.sign(target - from), Target: target });
    arrival = setTimeout(() => shutter({ Direction: 0, Position: target }), 30);
  };
  const take = (command: string, argument: string): void => {
    const value = Number(argument);
    if (/^POWER\d?$/i.test(command)) {
      const name = command.toUpperCase();
      // Its only relay may be called its first, and its first needs no number.
      const own = [name, name === 'POWER' ? 'POWER1' : 'POWER'].find((one) => one in now) ?? 'POWER';
      return change({ [own]: argument === '1' || argument === 'ON' ? 'ON' : 'OFF' });
    }
    if (command === 'STATE') return void publish('stat/RESULT', { ...now, Wifi: { RSSI: 78, Signal: -61 } });
    if (command === 'STATUS') return void publish('stat/STATUS10', { StatusSNS: { Time: 'now', ...measured } });
    if (command === 'Dimmer') return lit({ Dimmer: value });
    if (command === 'CT') return lit({ CT: value, HSBColor: '0,0,0' });
    if (command === 'HSBColor1' || command === 'HSBColor2') {
      const [hue, saturation] = JSON.stringify(now['HSBColor']).replaceAll('"', '').split(',');
      const next = command === 'HSBColor1' ? [argument, saturation] : [hue, argument];
      return lit({ HSBColor: [...next, Number(now['Dimmer'])].join(',') });
    }
    if (command === 'FanSpeed') return change({ FanSpeed: value });
    if (command === 'ShutterPosition1') return move(value);
    if (command === 'ShutterOpen1') return move(100);
    if (command === 'ShutterClose1') return move(0);
    if (command === 'ShutterStop1') return shutter({ Direction: 0 });
    if (command === 'ShutterTilt1') return shutter({ Tilt: value });
    if (command === 'Fade2' || command === 'Speed2') return result({ [command]: argument });
    if (command === 'Restart') return result({ Restart: 'Restarting' });
    return result({ Command: 'Unknown' });
  };
  /** The commands that change something, as they came. */
  const wire: string[] = [];
  broker.onPublish(({ topic: to, payload }) => {
    if (!to.startsWith(`cmnd/${topic}/`)) return;
    const command = to.slice(`cmnd/${topic}/`.length);
    if (command !== 'STATE' && command !== 'STATUS') wire.push(`${command} ${payload}`.trim());
    if (isMute) return;
    if (command !== 'Backlog0') return take(command, payload);
    for (const one of payload.split(';')) {
      const [first = '', ...rest] = one.split(' ');
      take(first, rest.join(' '));
    }
  });
  await announce();
  await publish('tele/LWT', 'Online', true);
  return {
    topic: () => topic,
    /** Its outputs, as it has them. */
    state: () => now,
    wire,
    publish,
    close: () => clearTimeout(arrival),
    /** Somebody at the device. */
    change,
    shutter,
    /** Somebody at a button or a switch. What it measures as a state is so from then on: the hub may be asking for it. */
    happen: (value: JsonObject) => {
      for (const [name, told] of Object.entries(value)) {
        if (Object.hasOwn(measured, name) && isJsonObject(told))
          measured = { ...measured, [name]: told['Action'] ?? null };
      }
      result(value);
    },
    measure: (value: JsonObject) => {
      measured = { ...measured, ...value };
      return publish('tele/SENSOR', { Time: 'now', ...measured });
    },
    unplug: () => publish('tele/LWT', 'Offline', true),
    plug: () => publish('tele/LWT', 'Online', true),
    setMute: (next: boolean) => {
      isMute = next;
    },
    announce: (next: JsonObject) => {
      own = { ...own, ...next };
      return announce();
    },
    /** Its owner gives it another topic. */
    move: async (to: string) => {
      topic = to;
      own = { ...own, t: to };
      await announce();
      await publish('tele/LWT', 'Online', true);
    },
    forget: async () => {
      await broker.publish(`${discovery}/config`, '', true);
      await broker.publish(`${discovery}/sensors`, '', true);
    },
  };
}
