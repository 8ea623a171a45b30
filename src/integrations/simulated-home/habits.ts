import { meterReading } from './payload.ts';
import { type Habit, type Step, type Values, between, numberAt, valuesOf, wander } from './simulated-device.ts';

const S = 1000;
const MIN = 60 * S;
const HOUR = 60 * MIN;

const METER_EVERY_MS = 15 * S;
const AWAKE_MS = 3 * S;

/** Power wanders while the plug is on. The energy is its sum. */
export const meterHabit: Habit = {
  everyMs: [METER_EVERY_MS, METER_EVERY_MS],
  live: (values, dice) => {
    if (values.get('on') !== true) return [];
    const power = wander(numberAt(values, 'power'), { min: 60, max: 120, by: 6 }, dice);
    const energy = numberAt(values, 'energy') + (power * METER_EVERY_MS) / HOUR / 1000;
    const voltage = wander(numberAt(values, 'voltage'), { min: 225, max: 235, by: 0.6 }, dice);
    return [{ afterMs: 0, values: new Map([...meterReading(power), ...valuesOf({ energy, voltage })]) }];
  },
};

/** The room warms towards the target temperature, or cools towards that of the walls. */
export const heatingHabit: Habit = {
  everyMs: [20 * S, 20 * S],
  live: (values, dice) => {
    const temperature = numberAt(values, 'temperature');
    const isOff = values.get('thermostat_mode') === 'off';
    const missing = isOff ? 0 : numberAt(values, 'target_temperature') - temperature;
    const demand = Math.round(Math.min(1, Math.max(0, missing / 1.5)) * 100);
    const drift = (demand / 100) * 0.12 - (temperature - 16) * 0.005;
    return [
      {
        afterMs: 0,
        values: valuesOf({
          temperature: wander(temperature + drift, { min: 5, max: 32, by: 0.02 }, dice),
          heating_demand: demand,
          thermostat_state: demand > 0 ? 'heat' : 'idle',
        }),
      },
    ];
  },
};

/** Wakes, reports temperature and humidity, listens for a moment and sleeps again. */
export const wakingHabit: Habit = {
  everyMs: [45 * S, 75 * S],
  live: (values, dice) => [
    { afterMs: 0, availability: { state: 'online', reason: null }, values: airAfter(values, dice) },
    { afterMs: AWAKE_MS, availability: { state: 'asleep', reason: 'asleep' } },
  ],
};

function airAfter(values: Values, dice: () => number): Values {
  return valuesOf({
    temperature: wander(numberAt(values, 'temperature'), { min: 16, max: 25, by: 0.15 }, dice),
    humidity: wander(numberAt(values, 'humidity'), { min: 35, max: 65, by: 0.8 }, dice),
  });
}

/** A person walks by and is gone again. */
export const motionHabit: Habit = {
  everyMs: [1.5 * MIN, 4 * MIN],
  live: (values, dice) => {
    const illuminance = wander(numberAt(values, 'illuminance'), { min: 5, max: 600, by: 40 }, dice);
    return [
      { afterMs: 0, values: valuesOf({ motion: true, illuminance }) },
      { afterMs: between([30 * S, 80 * S], dice), values: valuesOf({ motion: false }) },
    ];
  },
};

export const airingHabit: Habit = {
  everyMs: [8 * MIN, 20 * MIN],
  live: (_, dice) => [
    { afterMs: 0, values: valuesOf({ open: true }) },
    { afterMs: between([1 * MIN, 6 * MIN], dice), values: valuesOf({ open: false }) },
  ],
};

export const leakHabit: Habit = {
  everyMs: [4 * HOUR, 9 * HOUR],
  live: () => [
    { afterMs: 0, values: valuesOf({ water_leak: true }) },
    { afterMs: 3 * MIN, values: valuesOf({ water_leak: false }) },
  ],
};

export const pressHabit: Habit = {
  everyMs: [2 * MIN, 6 * MIN],
  live: (_, dice) => {
    const press = (action: string, details: { afterMs: number; count?: number }): Step => {
      const { afterMs, ...rest } = details;
      return { afterMs, occurrence: { key: 'button', occurrence: { action, ...rest, raw: action } } };
    };
    const kind = dice();
    if (kind < 0.6) return [press('single', { afterMs: 0, count: 1 })];
    if (kind < 0.85) return [press('double', { afterMs: 0, count: 2 })];
    return [press('hold', { afterMs: 0 }), press('release', { afterMs: 1200 })];
  },
};

/** A person uses the wall switch: the lamp is unreachable until it has power again, and then it is on. */
export const powerCutHabit: Habit = {
  everyMs: [5 * MIN, 12 * MIN],
  live: (_, dice) => [
    { afterMs: 0, availability: { state: 'offline', reason: 'no_response' } },
    {
      afterMs: between([1 * MIN, 3 * MIN], dice),
      availability: { state: 'online', reason: null },
      values: valuesOf({ on: true }),
    },
  ],
};
