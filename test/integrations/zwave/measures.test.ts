import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { type LeftOut, numbersIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';
import { listOf, nodeWith, PEER } from '#test/support/zwave/lone-value.ts';

test('sensors have the word of what they measure', () => {
  const sensors = listOf<readonly [type: number, units: readonly string[]]>('sensors');
  const known = {
    'Air temperature': 'temperature',
    'Water temperature': 'temperature',
    'Soil temperature': 'temperature',
    'Outside temperature': 'temperature',
    Illuminance: 'illuminance',
    Power: 'power',
    Humidity: 'humidity',
    'Atmospheric pressure': 'pressure',
    'Barometric pressure': 'pressure',
    'Rain rate': 'rain_rate',
    Voltage: 'voltage',
    Current: 'current',
    'Carbon dioxide (CO₂) level': 'co2',
    Distance: 'distance',
    Ultraviolet: 'uv_index',
    Loudness: 'sound_level',
    Frequency: 'frequency',
    'Particulate Matter 1': 'pm1',
    'Particulate Matter 2.5': 'pm25',
    'Particulate Matter 10': 'pm10',
    'Radon concentration': 'radon',
    'Volatile Organic Compound level': 'tvoc',
    'Carbon monoxide (CO) level': 'co',
    'Soil humidity': 'soil_moisture',
    'Water flow': 'water_flow',
    'RF signal strength': 'signal_strength',
    Ozone: 'ozone',
    'Nitrogen dioxide': 'no2',
  };
  expect(
    wrongMeanings(Object.keys(sensors), { known, leftOut: SENSORS_LEFT_OUT }, (label) => {
      const [type, units] = sensors[label] ?? [0, []];
      const words = [...units, undefined].map((unit) => {
        const metadata = {
          type: 'number',
          ccSpecific: { sensorType: type, scale: 0 },
          ...(unit === undefined ? {} : { unit }),
        };
        return nodeWith({ cc: 'Multilevel Sensor', property: label, metadata }).word;
      });
      return words.find((word) => word !== undefined);
    }),
  ).toEqual([]);
});

const OF_A_MACHINE = 'is a value inside of a machine: a room is not as warm or as full as that';
const OF_A_BODY = 'is of a body, which the hub has no words for';
const NO_WORD = 'has no word in the vocabulary';
const SENSORS_LEFT_OUT: LeftOut = [
  {
    why: OF_A_MACHINE,
    of: [
      'Boiler water temperature',
      'Domestic Hot Water (DHW) temperature',
      'Exhaust temperature',
      'Return Air temperature',
      'Supply Air temperature',
      'Condenser Coil temperature',
      'Evaporator Coil temperature',
      'Liquid Line temperature',
      'Discharge Line temperature',
      'Defrost temperature',
      'Suction Pressure',
      'Discharge Pressure',
      'Water pressure',
      'Relative Modulation level',
      'Tank capacity',
      'Target temperature',
    ],
  },
  {
    why: OF_A_BODY,
    of: [
      'Weight',
      'Heart rate',
      'Heart Rate LF/HF ratio',
      'Blood pressure',
      'Muscle mass',
      'Fat mass',
      'Bone mass',
      'Total body water (TBW)',
      'Basis metabolic rate (BMR)',
      'Body Mass Index (BMI)',
      'Respiratory rate',
    ],
  },
  { why: 'comes in moles, which are no mass without a guess', of: ['Formaldehyde (CH₂O) level'] },
  {
    why: NO_WORD,
    of: [
      'General purpose',
      'Velocity',
      'Direction',
      'Solar radiation',
      'Dew point',
      'Tide level',
      'Air flow',
      'Angle position',
      'Rotation',
      'Seismic Intensity',
      'Seismic magnitude',
      'Electrical resistivity',
      'Electrical conductivity',
      'Moisture',
      'Time',
      'Methane (CH₄) density',
      'Soil reactivity',
      'Soil salinity',
      'Acceleration X-axis',
      'Acceleration Y-axis',
      'Acceleration Z-axis',
      'Smoke density',
      'Water Chlorine level',
      'Water acidity',
      'Water Oxidation reduction potential',
      'Motion Direction',
      'Applied force on the sensor',
      'Sulfur dioxide',
      'Ammonia',
      'Lead',
      'Person counter (entering)',
      'Person counter (exiting)',
    ],
  },
];

test('sensors of yes and no have the word of what they notice', () => {
  const known = {
    Smoke: 'smoke',
    CO: 'co_alarm',
    Water: 'water_leak',
    Tamper: 'tamper',
    'Door/Window': 'open',
    Motion: 'motion',
  };
  const leftOut = [
    { why: NO_WORD, of: ['General Purpose', 'CO2', 'Heat', 'Freeze', 'Aux', 'Tilt', 'Glass Break', 'Any'] },
  ];
  const types = numbersIn(PEER, 'BinarySensorType');
  expect(
    wrongMeanings(Object.keys(types), { known, leftOut }, (label) => {
      const metadata = { type: 'boolean', ccSpecific: { sensorType: types[label] ?? 0 } };
      return nodeWith({ cc: 'Binary Sensor', property: label, metadata }).word;
    }),
  ).toEqual([]);
});

test('meters have the word of what they count', () => {
  const known = {
    'Electric kWh': 'energy',
    'Electric W': 'power',
    'Electric V': 'voltage',
    'Electric A': 'current',
    'Electric Power Factor': 'power_factor',
    'Electric kVar': 'reactive_power',
    'Gas Cubic meters': 'gas_volume',
    'Gas Cubic feet': 'gas_volume',
    'Water Cubic meters': 'water_volume',
    'Water Cubic feet': 'water_volume',
    'Water US gallons': 'water_volume',
  };
  const leftOut = [
    { why: NO_WORD, of: ['Electric kVAh', 'Electric kVarh'] },
    { why: 'says not how much a pulse is', of: ['Electric Pulse count', 'Gas Pulse count', 'Water Pulse count'] },
    { why: 'is heat, and the energy of the home is electric', of: ['Heating kWh', 'Cooling kWh'] },
  ];
  const meters = listOf<readonly [type: number, scales: Readonly<Record<string, number>>]>('meters');
  const units: Readonly<Record<string, string>> = { 'Cubic meters': 'm³', 'Cubic feet': 'ft³', 'US gallons': 'gallon' };
  const scales = Object.entries(meters).flatMap(([meter, [meterType, own]]) =>
    Object.entries(own).map(([label, scale]) => {
      const unit = label === 'Power Factor' ? {} : { unit: units[label] ?? label };
      return [`${meter} ${label}`, { type: 'number', ccSpecific: { meterType, scale, rateType: 1 }, ...unit }] as const;
    }),
  );
  const byName = new Map<string, JsonObject>(scales);
  expect(
    wrongMeanings(byName.keys(), { known, leftOut }, (name) => {
      return nodeWith({ cc: 'Meter', property: 'value', key: 1, metadata: byName.get(name) ?? {} }).word;
    }),
  ).toEqual([]);
});
