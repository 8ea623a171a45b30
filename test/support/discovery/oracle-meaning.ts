import type { JsonValue } from '#base/json.ts';
import { hsFromRgb } from '#integrations/home-assistant-discovery/entity/light/color-space.ts';

/* What Home Assistant's states, attributes and service calls are in the hub. */

export type Judged = {
  readonly domain?: string;
  readonly state: string | null;
  readonly attributes?: Readonly<Record<string, JsonValue>>;
};

type Meaning = readonly (readonly [capabilities: readonly string[], value: JsonValue])[];

const BY_ATTRIBUTE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cover: { current_position: ['position'], current_tilt_position: ['tilt'] },
  climate: {
    hvac_action: ['thermostat_state'],
    current_temperature: ['temperature'],
    temperature: ['target_temperature'],
    target_temp_low: ['x.target_temperature_low', 'target_temperature'],
    target_temp_high: ['target_temperature_cool', 'x.target_temperature_high'],
    current_humidity: ['humidity'],
    humidity: ['target_humidity'],
    fan_mode: ['fan_mode'],
    swing_mode: ['swing'],
    swing_horizontal_mode: ['x.swing_horizontal'],
    preset_mode: ['preset'],
  },
  fan: {
    percentage: ['fan_speed'],
    preset_mode: ['preset'],
    oscillating: ['x.oscillating'],
    direction: ['x.direction'],
  },
  humidifier: {
    humidity: ['target_humidity'],
    current_humidity: ['humidity'],
    mode: ['preset'],
    action: ['x.action'],
  },
  siren: { tone: ['x.siren_tone'], duration: ['x.siren_duration'], volume_level: ['x.siren_volume_level'] },
  valve: { current_position: ['x.valve_position'] },
  vacuum: { battery_level: ['battery'], fan_speed: ['fan_mode'] },
  water_heater: { temperature: ['target_temperature'], current_temperature: ['temperature'] },
};

/** By the capabilities that may have it; empty where Home Assistant says nothing. */
export function meaningOf(domain: string, { state, attributes = {} }: Judged): Meaning {
  if (state === null || state === 'unavailable') return [];
  const main = state === 'unknown' ? [] : mainOf(domain, state, attributes);
  const names = BY_ATTRIBUTE[domain] ?? {};
  const beside = Object.entries(names).flatMap(([name, capabilities]) => {
    const value = attributes[name] ?? null;
    return value === null ? [] : [[capabilities, value] as const];
  });
  return [...main, ...(domain === 'light' ? lightOf(attributes) : []), ...beside];
}

/** Any capability of the entity. */
export const ANY = '*';

function mainOf(domain: string, state: string, attributes: Readonly<Record<string, JsonValue>>): Meaning {
  switch (domain) {
    case 'binary_sensor':
      return [[[ANY], state === 'on']];
    case 'switch':
      return [[[ANY], state === 'on']];
    case 'light':
    case 'fan':
    case 'humidifier':
      return [[['on'], state === 'on']];
    case 'siren':
      return [[['siren'], state === 'on']];
    case 'valve':
      return [[['x.valve_movement'], state]];
    case 'alarm_control_panel':
      return [[['x.alarm_state'], state]];
    case 'vacuum':
      return [[['vacuum_state'], state]];
    case 'lawn_mower':
      return [[['x.mower_state'], state]];
    case 'device_tracker':
      return [[['x.location'], state]];
    case 'climate':
      return [[['thermostat_mode'], state]];
    case 'water_heater':
      return [[['operation_mode'], state]];
    case 'cover':
      return [[['x.movement', 'x.garage_movement'], state]];
    case 'lock': {
      const isSettled = state === 'locked' || state === 'unlocked';
      return [...(isSettled ? [[['locked'], state === 'locked'] as const] : []), [['lock_state'], state]];
    }
    case 'number':
      return [[[ANY], Number(state)]];
    case 'select':
    case 'text':
      return [[[ANY], state]];
    case 'sensor':
      if (attributes['device_class'] === 'timestamp') return [[[ANY], new Date(state).toISOString()]];
      return [[[ANY], state.trim() !== '' && Number.isFinite(Number(state)) ? Number(state) : state]];
    default:
      return [];
  }
}

function lightOf(attributes: Readonly<Record<string, JsonValue>>): Meaning {
  const { brightness = null, color_mode: mode = null, hs_color: hs = null, xy_color: xy = null } = attributes;
  const { color_temp_kelvin: kelvin = null, effect = null } = attributes;
  const pair = (value: JsonValue): readonly number[] => (Array.isArray(value) ? value.map(Number) : []);
  const [hue = 0, saturation = 0] = pair(hs);
  const [x = 0, y = 0] = pair(xy);
  return [
    ...(brightness === null ? [] : [[['brightness'], Number(brightness) / 2.55] as const]),
    ...(mode === 'color_temp' && kelvin !== null ? [[['color_temperature'], kelvin] as const] : []),
    ...(mode === 'xy' && xy !== null ? [[['color'], { x, y }] as const] : []),
    ...(typeof mode === 'string' && ['hs', 'rgb', 'rgbw', 'rgbww'].includes(mode) && hs !== null
      ? [[['color'], { hue, saturation }] as const]
      : []),
    ...(effect === null ? [] : [[['effect'], effect] as const]),
  ];
}

export type Wish = { readonly set: readonly (readonly [string, JsonValue])[]; readonly transitionMs: number | null };

type Data = Readonly<Record<string, JsonValue>>;

const one =
  (capability: string, value: (data: Data) => JsonValue) =>
  (data: Data): Wish => ({ set: [[capability, value(data)]], transitionMs: null });

const turnsOn = (data: Data, on: boolean): Wish => {
  const { brightness, brightness_pct: percent, hs_color: hs, xy_color: xy, color_temp_kelvin: kelvin } = data;
  const [hue, saturation] = Array.isArray(hs) ? hs : [];
  const [x, y] = Array.isArray(xy) ? xy : [];
  const { effect, white, transition } = data;
  const share = (level: JsonValue): number => Number(level) / 2.55;
  const set: (readonly [string, JsonValue])[] = [['on', on]];
  if (percent !== undefined) set.push(['brightness', percent]);
  if (brightness !== undefined) set.push(['brightness', share(brightness)]);
  if (hue !== undefined && saturation !== undefined) set.push(['color', { hue, saturation }]);
  if (x !== undefined && y !== undefined) set.push(['color', { x, y }]);
  if (kelvin !== undefined) set.push(['color_temperature', kelvin]);
  if (effect !== undefined) set.push(['effect', effect]);
  if (white !== undefined) set.push(['x.white', share(white)]);
  return { set, transitionMs: transition === undefined ? null : Number(transition) * 1_000 };
};

function temperatures(data: Data): Wish {
  const { temperature, target_temp_low: low, target_temp_high: high } = data;
  const { hvac_mode: mode, operation_mode: operation } = data;
  const set: (readonly [string, JsonValue])[] = [];
  if (mode !== undefined) set.push(['thermostat_mode', mode]);
  if (operation !== undefined) set.push(['operation_mode', operation]);
  if (temperature !== undefined) set.push(['target_temperature', temperature]);
  if (low !== undefined) set.push(['target_temperature', low]);
  if (high !== undefined) set.push(['target_temperature_cool', high]);
  return { set, transitionMs: null };
}

function locking(isLocked: boolean): (data: Data) => Wish {
  return ({ code }) => ({
    set: [['locked', isLocked], ...(code === undefined ? [] : [['x.lock_code', code] as const])],
    transitionMs: null,
  });
}

function arming(mode: string): (data: Data) => Wish {
  return ({ code }) => ({
    set: [['arm_mode', mode], ...(code === undefined ? [] : [['x.alarm_code', code] as const])],
    transitionMs: null,
  });
}

const CALLS: Readonly<Record<string, (data: Data) => Wish>> = {
  'switch.turn_on': one(ANY, () => true),
  'switch.turn_off': one(ANY, () => false),
  'lock.lock': locking(true),
  'lock.unlock': locking(false),
  'lock.open': ({ code }) => ({
    set: [['press', null], ...(code === undefined ? [] : [['x.lock_code', code] as const])],
    transitionMs: null,
  }),
  'button.press': one('press', () => null),
  'number.set_value': one(ANY, ({ value }) => Number(value)),
  'select.select_option': one(ANY, ({ option = '' }) => option),
  'text.set_value': one(ANY, ({ value = '' }) => value),
  'light.turn_on': (data) => turnsOn(data, true),
  'light.turn_off': (data) => turnsOn(data, false),
  'climate.turn_on': one('on', () => true),
  'climate.turn_off': one('on', () => false),
  'climate.set_hvac_mode': one('thermostat_mode', ({ hvac_mode: mode = '' }) => mode),
  'climate.set_temperature': temperatures,
  'climate.set_preset_mode': one('preset', ({ preset_mode: mode = '' }) => mode),
  'climate.set_fan_mode': one('fan_mode', ({ fan_mode: mode = '' }) => mode),
  'climate.set_swing_mode': one('swing', ({ swing_mode: mode = '' }) => mode),
  'climate.set_swing_horizontal_mode': one('x.swing_horizontal', ({ swing_horizontal_mode: mode = '' }) => mode),
  'climate.set_humidity': one('target_humidity', ({ humidity = 0 }) => humidity),
  'fan.turn_on': ({ percentage, preset_mode: preset }) => ({
    set: [
      ['on', true],
      ...(percentage === undefined ? [] : [['fan_speed', percentage] as const]),
      ...(preset === undefined ? [] : [['preset', preset] as const]),
    ],
    transitionMs: null,
  }),
  'fan.turn_off': one('on', () => false),
  'fan.set_percentage': one('fan_speed', ({ percentage = 0 }) => percentage),
  'fan.set_preset_mode': one('preset', ({ preset_mode: mode = '' }) => mode),
  'fan.oscillate': one('x.oscillating', ({ oscillating = false }) => oscillating),
  'fan.set_direction': one('x.direction', ({ direction = '' }) => direction),
  'humidifier.turn_on': one('on', () => true),
  'humidifier.turn_off': one('on', () => false),
  'humidifier.set_humidity': one('target_humidity', ({ humidity = 0 }) => humidity),
  'humidifier.set_mode': one('preset', ({ mode = '' }) => mode),
  'water_heater.turn_on': one('on', () => true),
  'water_heater.turn_off': one('on', () => false),
  'water_heater.set_operation_mode': one('operation_mode', ({ operation_mode: mode = '' }) => mode),
  'water_heater.set_temperature': temperatures,
  'siren.turn_on': ({ tone, duration, volume_level: volume }) => ({
    set: [
      ['siren', true],
      ...(tone === undefined ? [] : [['x.siren_tone', tone] as const]),
      ...(duration === undefined ? [] : [['x.siren_duration', duration] as const]),
      ...(volume === undefined ? [] : [['x.siren_volume_level', volume] as const]),
    ],
    transitionMs: null,
  }),
  'siren.turn_off': one('siren', () => false),
  'valve.open_valve': one('valve_open', () => true),
  'valve.close_valve': one('valve_open', () => false),
  'valve.stop_valve': one('press', () => null),
  'valve.set_valve_position': one('x.valve_position', ({ position = 0 }) => position),
  'alarm_control_panel.alarm_disarm': arming('disarmed'),
  'alarm_control_panel.alarm_arm_home': arming('armed_home'),
  'alarm_control_panel.alarm_arm_away': arming('armed_away'),
  'alarm_control_panel.alarm_arm_night': arming('armed_night'),
  'alarm_control_panel.alarm_arm_vacation': arming('armed_vacation'),
  'alarm_control_panel.alarm_arm_custom_bypass': arming('armed_custom_bypass'),
  'vacuum.start': one('vacuum_state', () => 'cleaning'),
  'vacuum.pause': one('vacuum_state', () => 'paused'),
  'vacuum.stop': one('vacuum_state', () => 'idle'),
  'vacuum.return_to_base': one('vacuum_state', () => 'returning'),
  'vacuum.set_fan_speed': one('fan_mode', ({ fan_speed: speed = '' }) => speed),
  'lawn_mower.start_mowing': one('x.mower_state', () => 'mowing'),
  'lawn_mower.pause': one('x.mower_state', () => 'paused'),
  'lawn_mower.dock': one('x.mower_state', () => 'docked'),
  'notify.send_message': one(ANY, ({ message = '' }) => message),
  'scene.turn_on': one('press', () => null),
  'update.install': one('press', () => null),
  'vacuum.send_command': one('x.command', ({ command = '' }) => command),
  'cover.open_cover': one('cover_state', () => 'open'),
  'cover.close_cover': one('cover_state', () => 'close'),
  'cover.stop_cover': one('cover_state', () => 'stop'),
  'cover.set_cover_position': one('position', ({ position = 0 }) => position),
  'cover.set_cover_tilt_position': one('tilt', ({ tilt_position: tilt = 0 }) => tilt),
  'cover.open_cover_tilt': one('x.tilt_command', () => 'open'),
  'cover.close_cover_tilt': one('x.tilt_command', () => 'close'),
  'cover.stop_cover_tilt': one('x.tilt_command', () => 'stop'),
};

/** `undefined` for a call that the hub has no command for: a flash, more than a word, or a color that has its brightness in it. */
export function wishOf(call: string, data: Data): Wish | undefined {
  const { rgb_color: rgb, flash, ...rest } = data;
  if (flash !== undefined || data['params'] !== undefined) return undefined;
  if (!Array.isArray(rgb)) return CALLS[call]?.(data);
  const [red = 0, green = 0, blue = 0] = rgb.map(Number);
  if (Math.max(red, green, blue) < 255) return undefined;
  return CALLS[call]?.({ ...rest, hs_color: [...hsFromRgb([red, green, blue])] });
}
