import { assert as assertProperty, constantFrom, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { converted, sensorWord, toUnitOf } from '#core/feature/measure.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/**
 * The units that Home Assistant 2026.1 takes for a class of sensor that the vocabulary has a word for, and how much one
 * is in the unit of the word, by its converters (`homeassistant/util/unit_conversion.py`). `null` is left alone.
 */
const OF_HOME_ASSISTANT: Readonly<Record<string, Readonly<Record<string, number | null>>>> = {
  apparent_power: { mVA: 0.001, VA: 1, kVA: 1_000 },
  atmospheric_pressure: { hPa: 1, mbar: 1, Pa: 0.01, inHg: 33.8639, mmHg: 1.33322, psi: 68.94757 },
  battery: { '%': 1 },
  carbon_dioxide: { ppm: 1 },
  carbon_monoxide: { ppb: 0.001, ppm: 1, 'mg/m³': 0.8588, 'µg/m³': 0.000_858_8 },
  current: { A: 1, mA: 0.001 },
  distance: { km: 1_000, m: 1, cm: 0.01, mm: 0.001, mi: 1_609.344, nmi: 1_852, yd: 0.9144, ft: 0.3048, in: 0.0254 },
  energy: {
    J: 2.777_78e-7,
    kJ: 2.777_78e-4,
    MJ: 0.277_778,
    GJ: 277.778,
    mWh: 1e-6,
    Wh: 1e-3,
    kWh: 1,
    MWh: 1e3,
    GWh: 1e6,
    TWh: 1e9,
    cal: 1.162_222e-6,
    kcal: 1.162_222e-3,
    Mcal: 1.162_222,
    Gcal: 1_162.222,
  },
  frequency: { Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9 },
  gas: { 'm³': 1, L: 0.001, 'ft³': 0.028_316_8, CCF: 2.831_685, MCF: 28.316_85 },
  humidity: { '%': 1 },
  illuminance: { lx: 1 },
  nitrogen_dioxide: { ppb: 1, ppm: 1_000, 'µg/m³': 0.522_87 },
  ozone: { ppb: 1, ppm: 1_000, 'µg/m³': 0.501_15 },
  pm1: { 'µg/m³': 1 },
  pm25: { 'µg/m³': 1 },
  pm10: { 'µg/m³': 1 },
  power: { mW: 0.001, W: 1, kW: 1e3, MW: 1e6, GW: 1e9, TW: 1e12, 'BTU/h': 0.293_071 },
  power_factor: { '': 1, '%': 0.01 },
  precipitation: { in: 25.4, cm: 10, mm: 1 },
  precipitation_intensity: { 'in/d': 1.058_333, 'in/h': 25.4, 'mm/d': 0.041_666_7, 'mm/h': 1 },
  pressure: {
    mPa: 1e-5,
    Pa: 0.01,
    hPa: 1,
    kPa: 10,
    bar: 1_000,
    cbar: 10,
    mbar: 1,
    mmHg: 1.333_22,
    inHg: 33.8639,
    'inH₂O': 2.490_889,
    psi: 68.947_57,
  },
  reactive_power: { mvar: 0.001, var: 1, kvar: 1_000 },
  // A ratio without a reference: it may be of noise as well.
  signal_strength: { dB: null, dBm: 1 },
  sound_pressure: { dB: 1, dBA: 1 },
  temperature: { '°C': 1, '°F': 5 / 9, K: 1 },
  volatile_organic_compounds_parts: { ppb: 1, ppm: 1_000 },
  voltage: { V: 1, mV: 1e-3, µV: 1e-6, kV: 1e3, MV: 1e6 },
  volume_flow_rate: {
    'm³/h': 1,
    'm³/min': 60,
    'm³/s': 3_600,
    'ft³/min': 1.699_01,
    'L/h': 0.001,
    'L/min': 0.06,
    'L/s': 3.6,
    'mL/s': 0.0036,
    'gal/h': 0.003_785_41,
    'gal/min': 0.227_125,
    'gal/d': 0.000_157_725,
  },
  water: { 'm³': 1, L: 0.001, 'ft³': 0.028_316_8, CCF: 2.831_685, MCF: 28.316_85, gal: 0.003_785_41 },
  wind_speed: {
    'm/s': 1,
    'km/h': 0.277_778,
    'ft/s': 0.3048,
    'in/s': 0.0254,
    'm/min': 0.016_666_7,
    'mm/s': 0.001,
    mph: 0.447_04,
    kn: 0.514_444,
    // A scale with steps of different sizes.
    Beaufort: null,
  },
};

const near = (value: number): unknown => expect.closeTo(value, 3);
const ROWS = Object.entries(OF_HOME_ASSISTANT).flatMap(([deviceClass, units]) =>
  Object.entries(units).map(([unit, amount]) => [deviceClass, unit, amount] as const),
);

describe('units', () => {
  test.each(ROWS)('%s in "%s" is %s in the unit of the word', (deviceClass, unit, amount) => {
    const word = sensorWord(deviceClass);
    if (word === undefined) throw new Error('no word');
    const factor = toUnitOf(word, unitFromSpelling(unit))?.factor ?? null;
    expect(factor === null || amount === null ? factor : factor / amount).toEqual(amount === null ? null : near(1));
  });

  test.each([
    ['percent', '%', ' % '],
    ['celsius', '°C', 'ºC', '℃', 'C'],
    ['fahrenheit', '°F', 'ºF', '℉', 'F'],
    ['ug/m3', 'µg/m³', 'μg/m³', 'µg/m3'],
    ['m3', 'm³', '㎥'],
    ['kvarh', 'kvarh', 'kVArh', 'kVARh'],
    ['uV', 'µV', 'μV'],
    ['kWh', 'kWh', 'KWh', 'kwh'],
    ['W/m²', 'W/m²'],
    ['__proto__', '__proto__'],
  ])('%s is the spelling of all that means it', (unit, ...spellings) => {
    expect(spellings.map(unitFromSpelling)).toEqual(spellings.map(() => unit));
  });

  test('no word takes a unit of something else', () => {
    expect(toUnitOf('energy', 'W')).toBeUndefined();
    expect(toUnitOf('power', 'kWh')).toBeUndefined();
    expect(toUnitOf('humidity', null)).toBeUndefined();
    expect(toUnitOf('co2', 'ug/m3')).toBeUndefined();
    expect(toUnitOf('temperature', 'constructor')).toBeUndefined();
  });

  test.each([
    [72, 'fahrenheit', 'temperature', 22.222],
    [72.5, 'fahrenheit', 'temperature', 22.5],
    [293.15, 'K', 'temperature', 20],
    [12.345, 'GJ', 'energy', 3_429.17],
    [0.1, 'kW', 'power', 100],
    [1_234_567, 'Wh', 'energy', 1_234.567],
    [2.5, 'kVA', 'apparent_power', 2_500],
    [3, 'mph', 'wind_speed', 1.341],
    [21.350_000_381, 'celsius', 'temperature', 21.350_000_381],
  ] as const)('%s %s as %s is %s', (...[value, unit, word, shown]) => {
    const linear = toUnitOf(word, unit);
    expect(linear && converted(value, linear)).toBe(shown);
  });

  test('two values of a device that differ never become one, and keep their order', () => {
    const units = ROWS.flatMap(([deviceClass, spelling]) => {
      const word = sensorWord(deviceClass);
      const linear = word && toUnitOf(word, unitFromSpelling(spelling));
      return linear === undefined ? [] : [linear];
    });
    expect(() =>
      assertProperty(
        property(
          constantFrom(...units),
          integer({ min: -1_000_000, max: 1_000_000 }),
          integer({ min: 0, max: 2 }),
          (linear, steps, decimals) => {
            const [value, next] = [steps, steps + 1].map((count) => Number((count / 10 ** decimals).toFixed(decimals)));
            return converted(value ?? 0, linear) < converted(next ?? 0, linear);
          },
        ),
        searchOf(20_000),
      ),
    ).not.toThrow();
  });

  test('every unit of a word is one that the table spells', () => {
    const own = Object.values(VOCABULARY).flatMap(({ unit }) => (unit === null ? [] : [unit]));
    expect(own.map(unitFromSpelling)).toEqual(own);
  });
});
