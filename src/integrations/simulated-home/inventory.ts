import type { JsonValue } from '#base/json.ts';
import type { DeviceType } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import {
  airingHabit,
  heatingHabit,
  leakHabit,
  meterHabit,
  motionHabit,
  powerCutHabit,
  pressHabit,
  wakingHabit,
} from './habits.ts';
import { reactAsBlind, reactAsLight, reactAsLock, reactAsPlug, reactPlainly } from './payload.ts';
import { type SimulatedDevice, featureOf, valuesOf } from './simulated-device.ts';

const SENSOR_STALE_MS = 30 * 60_000;

export const ON = featureOf('on');
export const BRIGHTNESS = featureOf('brightness');
export const IDENTIFY = featureOf('identify', { category: 'config' });
export const WHITES = featureOf('color_temperature', { min: 2200, max: 6500, step: 1 });
const EFFECT = featureOf('effect', { readable: false, options: ['blink', 'breathe', 'okay', 'finish_effect'] });
const POWER_ON = featureOf('power_on_behavior', { options: ['off', 'on', 'previous', 'toggle'] });
const TEMPERATURE = featureOf('temperature', { step: 0.1 });
export const BATTERY = featureOf('battery');
const BATTERY_LOW = featureOf('battery_low');
const LINK = featureOf('link_quality', { min: 0, max: 255, step: 1 });

type Place = { readonly id: string; readonly name: string; readonly room: string; readonly type: DeviceType };
type Nature = Partial<Pick<SimulatedDevice, 'react' | 'habits' | 'isSleepy' | 'isShy'>> & {
  readonly features: readonly Feature[];
  readonly initial: { readonly [key: string]: JsonValue };
  readonly staleAfterMs?: number;
};

export function place({ id, name, room, type }: Place, nature: Nature): SimulatedDevice {
  const { features, initial, staleAfterMs, ...life } = nature;
  return {
    description: {
      externalId: id,
      name,
      type,
      manufacturer: 'Hearth Simulations',
      model: `SIM-${type}`,
      firmware: '1.0.0',
      features: [...features, LINK],
      staleAfterMs: staleAfterMs ?? null,
    },
    room,
    initial: valuesOf({ ...initial, link_quality: 80 + ((id.length * 17) % 120) }),
    react: reactPlainly,
    habits: [],
    ...life,
  };
}

const LIGHTS_AND_PLUGS: readonly SimulatedDevice[] = [
  place(
    { id: 'kitchen-ceiling', name: 'Kitchen ceiling', room: 'Kitchen', type: 'color_temperature_light' },
    {
      features: [ON, BRIGHTNESS, WHITES, EFFECT, POWER_ON, IDENTIFY],
      initial: { on: true, brightness: 80, color_temperature: 3000, power_on_behavior: 'previous' },
      react: reactAsLight,
    },
  ),
  place(
    { id: 'living-room-lamp', name: 'Living room lamp', room: 'Living room', type: 'extended_color_light' },
    {
      features: [ON, BRIGHTNESS, WHITES, featureOf('color'), EFFECT, POWER_ON, IDENTIFY],
      initial: {
        on: true,
        brightness: 45,
        color_temperature: 2700,
        color: { x: 0.46, y: 0.41 },
        power_on_behavior: 'previous',
      },
      react: reactAsLight,
    },
  ),
  place(
    { id: 'bedroom-bedside', name: 'Bedroom bedside lamp', room: 'Bedroom', type: 'dimmable_light' },
    { features: [ON, BRIGHTNESS, IDENTIFY], initial: { on: false, brightness: 30 }, react: reactAsLight },
  ),
  place(
    { id: 'hallway-ceiling', name: 'Hallway ceiling', room: 'Hallway', type: 'on_off_light' },
    { features: [ON, IDENTIFY], initial: { on: false }, react: reactAsLight, habits: [powerCutHabit] },
  ),
  place(
    { id: 'kitchen-fridge', name: 'Kitchen fridge plug', room: 'Kitchen', type: 'on_off_plug_in_unit' },
    {
      features: [
        ON,
        featureOf('power', { step: 0.1 }),
        featureOf('energy', { step: 0.001 }),
        featureOf('voltage', { step: 0.1 }),
        featureOf('current', { step: 0.01 }),
        POWER_ON,
      ],
      initial: { on: true, power: 85, energy: 128.4, voltage: 230, current: 0.37, power_on_behavior: 'on' },
      react: reactAsPlug,
      habits: [meterHabit],
    },
  ),
];

const HEATING_AND_DOORS: readonly SimulatedDevice[] = [
  place(
    { id: 'living-room-blind', name: 'Living room blind', room: 'Living room', type: 'window_covering' },
    {
      features: [featureOf('cover_state', { options: ['open', 'close', 'stop'] }), featureOf('position')],
      initial: { cover_state: 'open', position: 100 },
      react: reactAsBlind,
    },
  ),
  place(
    { id: 'living-room-thermostat', name: 'Living room thermostat', room: 'Living room', type: 'thermostat' },
    {
      features: [
        featureOf('target_temperature', { min: 5, max: 30, step: 0.5 }),
        TEMPERATURE,
        featureOf('thermostat_mode', { options: ['off', 'heat', 'auto'] }),
        featureOf('thermostat_state', { options: ['idle', 'heat'] }),
        featureOf('heating_demand'),
        featureOf('child_lock'),
        BATTERY,
      ],
      initial: {
        target_temperature: 21,
        temperature: 19.6,
        thermostat_mode: 'heat',
        thermostat_state: 'heat',
        heating_demand: 60,
        child_lock: false,
        battery: 74,
      },
      habits: [heatingHabit],
    },
  ),
  place(
    { id: 'hallway-front-door', name: 'Front door lock', room: 'Hallway', type: 'door_lock' },
    {
      features: [
        featureOf('locked'),
        featureOf('lock_state', { options: ['not_fully_locked', 'locked', 'unlocked'] }),
        BATTERY,
      ],
      initial: { locked: true, lock_state: 'locked', battery: 88 },
      react: reactAsLock,
    },
  ),
];

const SENSORS_AND_REMOTES: readonly SimulatedDevice[] = [
  place(
    { id: 'bedroom-window', name: 'Bedroom window', room: 'Bedroom', type: 'contact_sensor' },
    { features: [featureOf('open'), BATTERY], initial: { open: false, battery: 91 }, habits: [airingHabit] },
  ),
  place(
    { id: 'hallway-motion', name: 'Hallway motion', room: 'Hallway', type: 'occupancy_sensor' },
    {
      features: [featureOf('motion'), featureOf('illuminance', { step: 1 }), BATTERY],
      initial: { motion: false, illuminance: 120, battery: 63 },
      habits: [motionHabit],
    },
  ),
  place(
    { id: 'bedroom-climate', name: 'Bedroom climate', room: 'Bedroom', type: 'temperature_sensor' },
    {
      features: [
        TEMPERATURE,
        featureOf('humidity', { step: 0.1 }),
        featureOf('calibration', { unit: 'celsius', min: -5, max: 5, step: 0.1 }),
        BATTERY,
      ],
      initial: { temperature: 20.3, humidity: 47, calibration: 0, battery: 57 },
      habits: [wakingHabit],
      isSleepy: true,
      staleAfterMs: SENSOR_STALE_MS,
    },
  ),
  place(
    { id: 'living-room-remote', name: 'Living room remote', room: 'Living room', type: 'generic_switch' },
    {
      features: [featureOf('button', { options: ['single', 'double', 'hold', 'release'] }), BATTERY],
      initial: { battery: 96 },
      habits: [pressHabit],
    },
  ),
  place(
    { id: 'kitchen-leak', name: 'Kitchen sink leak sensor', room: 'Kitchen', type: 'water_leak_detector' },
    {
      features: [featureOf('water_leak'), BATTERY_LOW, BATTERY],
      initial: { water_leak: false, battery_low: false, battery: 41 },
      habits: [leakHabit],
    },
  ),
];

/**
 * Every kind of device that a home may have, in four rooms. The ids must never change: hubs store names and rooms by
 * them.
 */
export const INVENTORY: readonly SimulatedDevice[] = [
  ...LIGHTS_AND_PLUGS,
  ...HEATING_AND_DOORS,
  ...SENSORS_AND_REMOTES,
];
