import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findSettable, findState, type Part } from '#integrations/offering/part.ts';
import { clamp, fitting, hundredths, type Mapped, numberOf, type ReadCommand, valueOf } from './endpoint.ts';

const USUAL = { min: 5, max: 35 };
const ANY_CELSIUS: readonly [number, number] = [-27_315, 32_767];
/** The numbers of Thermostat.SystemMode, and the words that devices have for them. */
const MODES: readonly (readonly [number: number, words: readonly string[]])[] = [
  [0, ['off']],
  [3, ['cool']],
  [4, ['heat', 'auto', 'heat_cool']],
];
const OFF = 0;
const COOL = 3;
const HEAT = 4;

export function thermostatFrom(part: Part): Mapped | undefined {
  const heating = findSettable(part, 'target_temperature');
  if (heating === undefined) return undefined;
  const mode = findSettable(part, 'thermostat_mode');
  const cooling = findSettable(part, 'target_temperature_cool');
  const present = findState(part, 'temperature');
  const commands = new Map<string, ReadCommand>([['thermostat.heating', settingOf(heating)]]);
  if (cooling !== undefined) commands.set('thermostat.cooling', settingOf(cooling));
  if (mode !== undefined) commands.set('thermostat.mode', ({ value }) => modeCommand(value, mode));
  return {
    kind: 'thermostat',
    parts: cooling === undefined ? ['heating'] : ['heating', 'cooling'],
    main: heating,
    used: [heating, mode, cooling, present].filter((feature) => feature !== undefined),
    state: (device) => ({
      thermostat: {
        externalMeasuredIndoorTemperature: hundredths(numberOf(device, present), ANY_CELSIUS),
        systemMode: modeOf(device, mode, cooling !== undefined),
        controlSequenceOfOperation: cooling === undefined ? 2 : 4,
        ...limitsOf('Heat', heating),
        occupiedHeatingSetpoint: targetOf(device, heating),
        ...(cooling === undefined
          ? {}
          : { ...limitsOf('Cool', cooling), occupiedCoolingSetpoint: targetOf(device, cooling) }),
      },
    }),
    commands,
  };
}

function settingOf(feature: Feature): ReadCommand {
  return ({ value }) =>
    typeof value === 'number' ? { set: { [feature.key]: fitting(feature, value / 100) } } : undefined;
}

function wordOf(device: Device, feature: Feature | undefined): string {
  const value = valueOf(device, feature);
  return typeof value === 'string' ? value : '';
}

function boundsOf({ min, max }: Feature): readonly [number, number] {
  return [Math.round((min ?? USUAL.min) * 100), Math.round((max ?? USUAL.max) * 100)];
}

function limitsOf(name: 'Heat' | 'Cool', feature: Feature): JsonObject {
  const [min, max] = boundsOf(feature);
  return {
    [`absMin${name}SetpointLimit`]: min,
    [`absMax${name}SetpointLimit`]: max,
    [`min${name}SetpointLimit`]: min,
    [`max${name}SetpointLimit`]: max,
  };
}

function targetOf(device: Device, feature: Feature): number {
  const bounds = boundsOf(feature);
  return hundredths(numberOf(device, feature), bounds) ?? clamp(2_000, ...bounds);
}

/** Reads the mode; an appliance that has none heats. */
function modeOf(device: Device, mode: Feature | undefined, canCool: boolean): number {
  const word = wordOf(device, mode);
  const found = MODES.find(([, words]) => words.includes(word))?.[0] ?? HEAT;
  return found === COOL && !canCool ? HEAT : found;
}

function modeCommand(value: JsonValue | undefined, mode: Feature) {
  const words = MODES.find(([number]) => number === value)?.[1] ?? [];
  const word = words.find((one) => mode.options?.includes(one) === true);
  return word === undefined ? undefined : { set: { [mode.key]: word } };
}

/** The numbers of FanControl.FanMode, and the words that devices have for them. */
const FAN_MODES: readonly (readonly [number: number, words: readonly string[]])[] = [
  [OFF, ['off']],
  [1, ['low', 'quiet', 'silent']],
  [2, ['medium', 'middle', 'mid']],
  [3, ['high', 'on', 'turbo', 'max']],
  [5, ['auto', 'smart']],
];
const HIGH = 3;

export function fanFrom(part: Part): Mapped | undefined {
  const on = findSettable(part, 'on');
  const speed = findSettable(part, 'fan_speed');
  const mode = findSettable(part, 'fan_mode');
  const main = speed ?? mode ?? (part.device.type === 'fan' ? on : undefined);
  if (main === undefined) return undefined;
  const fan: Fan = { on, speed, mode };
  return {
    kind: 'fan',
    parts: [],
    main,
    used: [on, speed, mode].filter((feature) => feature !== undefined),
    state: (device) => {
      const percent = percentOf(device, fan);
      return {
        fanControl: {
          fanModeSequence: 0,
          fanMode: fanModeOf(device, fan, percent),
          percentSetting: percent,
          percentCurrent: percent,
        },
      };
    },
    commands: new Map<string, ReadCommand>([
      ['fan.percent', ({ value }) => percentCommand(value, fan)],
      ['fan.mode', ({ value }) => fanModeCommand(value, fan)],
    ]),
  };
}

type Fan = {
  readonly on: Feature | undefined;
  readonly speed: Feature | undefined;
  readonly mode: Feature | undefined;
};

function percentOf(device: Device, { on, speed, mode }: Fan): number {
  if (valueOf(device, on) === false) return 0;
  const percent = numberOf(device, speed);
  if (percent !== null) return clamp(Math.round(percent), 0, 100);
  const word = wordOf(device, mode);
  const number = FAN_MODES.find(([, words]) => words.includes(word))?.[0] ?? (on === undefined ? OFF : HIGH);
  return number === OFF ? 0 : number > HIGH ? 100 : Math.round((number * 100) / HIGH);
}

function fanModeOf(device: Device, { mode }: Fan, percent: number): number {
  if (percent === 0) return OFF;
  const word = wordOf(device, mode);
  const known = FAN_MODES.find(([, words]) => words.includes(word))?.[0];
  // The sequence that every fan has knows no "auto".
  if (known !== undefined && known !== OFF && known <= HIGH) return known;
  return Math.max(1, Math.ceil((percent * HIGH) / 100));
}

function percentCommand(value: JsonValue | undefined, { on, speed, mode }: Fan) {
  if (typeof value !== 'number') return undefined;
  if (value === 0 && on !== undefined) return { set: { [on.key]: false } };
  const switched = on === undefined ? {} : { [on.key]: true };
  if (speed !== undefined) return { set: { ...switched, [speed.key]: fitting(speed, value) } };
  const words = FAN_MODES[value === 0 ? 0 : Math.max(1, Math.ceil((value * HIGH) / 100))]?.[1] ?? [];
  const word = words.find((one) => mode?.options?.includes(one) === true);
  if (mode !== undefined && word !== undefined) return { set: { ...switched, [mode.key]: word } };
  return on === undefined ? undefined : { set: switched };
}

function fanModeCommand(value: JsonValue | undefined, fan: Fan) {
  const { on, mode } = fan;
  if (value === OFF) return percentCommand(0, fan);
  const words = FAN_MODES.find(([number]) => number === value)?.[1] ?? [];
  const word = words.find((one) => mode?.options?.includes(one) === true);
  if (mode === undefined || word === undefined) {
    return typeof value === 'number'
      ? percentCommand(Math.round((clamp(value, 1, HIGH) * 100) / HIGH), fan)
      : undefined;
  }
  return { set: { ...(on === undefined ? {} : { [on.key]: true }), [mode.key]: word } };
}
