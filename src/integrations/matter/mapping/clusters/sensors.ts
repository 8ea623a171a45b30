import { neat } from '#core/feature/measure.ts';
import { type JsonValue, objectOf } from '#base/json.ts';
import { ownFeature, wordFeature, ownAction } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { airSources } from './air.ts';
import { DEVICE } from '#integrations/matter/mapping/device-types.ts';
import {
  addReading,
  booleanFrom,
  choice,
  flagIn,
  invoke,
  numberFrom,
  meaningOf,
  numberIn,
  type Part,
  type Place,
  reading,
  rounded,
  wordOf,
  wordsFrom,
  write,
} from '#integrations/matter/mapping/source.ts';

/** Makes the parts that measure and notice. */
export function sensorSources(part: Part): void {
  stateSources(part);
  occupancySources(part);
  for (const measure of MEASURES) addMeasure(part, measure);
  addReading(part, 'soil_moisture', {
    place: 'soilMeasurement.soilMoistureMeasuredValue',
    read: (value) => numberIn(value, [0, 100]),
  });
  pressureSource(part);
  airSources(part);
  alarmSources(part);
  const rssi = 'wiFiNetworkDiagnostics.rssi';
  addReading(part, 'signal_strength', { place: rssi, read: (value) => numberIn(value, [-120, 0]) });
}

const STATE = 'booleanState.stateValue';
const STATES: readonly (readonly [device: number, word: VocabularyWord | 'freeze'])[] = [
  [DEVICE.contactSensor, 'open'],
  [DEVICE.leakDetector, 'water_leak'],
  [DEVICE.rainSensor, 'rain'],
  [DEVICE.freezeDetector, 'freeze'],
];

/** One bit, whose meaning the type of the endpoint says. */
function stateSources(part: Part): void {
  const word = STATES.find(([device]) => part.types.has(device))?.[1];
  if (word !== undefined && part.has(STATE)) {
    const feature =
      word === 'freeze'
        ? ownFeature(word, part.component, { valueType: 'boolean', category: 'primary' })
        : wordFeature(word, part.component);
    // A contact is true where it is closed.
    const isTrue = word !== 'open';
    const read = (value: JsonValue | undefined): boolean | undefined => {
      const flag = booleanFrom(value);
      return flag === undefined ? undefined : flag === isTrue;
    };
    part.add(reading(feature, STATE, read), STATE);
  }
  const level = 'booleanStateConfiguration.currentSensitivityLevel';
  const count = numberIn(part.find('booleanStateConfiguration.supportedSensitivityLevels'), [2, 10]);
  if (part.has(level) && count !== undefined) {
    const words = new Map(Array.from({ length: count }, (_, number) => [number, `level_${number}`] as const));
    part.add(
      choice(part, wordFeature('sensitivity', part.component), { place: level, words, writable: true }),
      level,
      'booleanStateConfiguration.supportedSensitivityLevels',
    );
  }
  const fault = 'booleanStateConfiguration.sensorFault';
  addReading(part, 'problem', { place: fault, read: (value) => flagIn(value, 'generalFault') });
}

const OCCUPANCY = 'occupancySensing.occupancy';
const HOLD = 'occupancySensing.holdTime';
const STILL = ['ultrasonic', 'radar', 'rfSensing', 'vision', 'physicalContact'];

/** Warm bodies that move, or also those that keep still. */
function occupancySources(part: Part): void {
  const kinds = part.find('occupancySensing.occupancySensorTypeBitmap');
  const seesStill =
    STILL.some((flag) => part.can('occupancySensing', flag)) ||
    (!part.can('occupancySensing', 'passiveInfrared') &&
      (flagIn(kinds, 'ultrasonic') === true || flagIn(kinds, 'physicalContact') === true));
  addReading(part, seesStill ? 'presence' : 'motion', {
    place: OCCUPANCY,
    read: (value) => (numberFrom(value) === undefined ? flagIn(value, 'occupied') : numberFrom(value) === 1),
  });
  if (!part.has(HOLD)) return;
  const { holdTimeMin, holdTimeMax } = objectOf(part.find('occupancySensing.holdTimeLimits'));
  const [min, max] = [numberIn(holdTimeMin, [0, 65_534]) ?? 0, numberIn(holdTimeMax, [0, 65_534]) ?? 65_534];
  const range = min < max ? { min, max } : { min: 0, max: 65_534 };
  const details = { valueType: 'number', unit: 's', step: 1, writable: true, ...range } as const;
  part.add(
    {
      feature: ownFeature('hold_time', part.component, details),
      from: [HOLD],
      read: (look) => numberIn(look(HOLD), [0, 65_534]),
      write: (seconds) => [write(part, HOLD, rounded(Number(seconds)))],
    },
    HOLD,
    'occupancySensing.holdTimeLimits',
  );
}

type Measure = {
  readonly word: VocabularyWord;
  readonly cluster: string;
  /** What the standard allows; the device may say less. */
  readonly range: readonly [number, number];
  readonly convert: (raw: number) => number;
};
const MEASURES: readonly Measure[] = [
  {
    word: 'temperature',
    cluster: 'temperatureMeasurement',
    range: [-27_315, 32_767],
    convert: (hundredths) => hundredths / 100,
  },
  {
    word: 'humidity',
    cluster: 'relativeHumidityMeasurement',
    range: [0, 10_000],
    convert: (hundredths) => hundredths / 100,
  },
  // Tenths of a cubic meter an hour.
  { word: 'water_flow', cluster: 'flowMeasurement', range: [0, 65_534], convert: (tenths) => tenths / 10 },
  { word: 'illuminance', cluster: 'illuminanceMeasurement', range: [0, 65_534], convert: luxFrom },
];

/** 0 is too dark to be measured. */
function luxFrom(raw: number): number {
  return raw === 0 ? 0 : Number((10 ** ((raw - 1) / 10_000)).toPrecision(4));
}

/** The values that a device says it can have; what it says against the standard does not count. */
function rangeOf(part: Part, cluster: string, [least, most]: readonly [number, number]): readonly [number, number] {
  const min = numberIn(part.find(`${cluster}.minMeasuredValue`), [least, most]) ?? least;
  const max = numberIn(part.find(`${cluster}.maxMeasuredValue`), [least, most]) ?? most;
  return min < max ? [min, max] : [least, most];
}

function addMeasure(part: Part, { word, cluster, range, convert }: Measure): void {
  const place: Place = `${cluster}.measuredValue`;
  if (!part.has(place)) return;
  const [min, max] = rangeOf(part, cluster, range);
  // Too dark to be measured is outside of what can be measured.
  const isZeroFine = cluster === 'illuminanceMeasurement';
  part.add(
    reading(wordFeature(word, part.component), place, (value) => {
      const raw = numberIn(value, isZeroFine ? [0, max] : [min, max]);
      return raw === undefined ? undefined : convert(raw);
    }),
    place,
    `${cluster}.minMeasuredValue`,
    `${cluster}.maxMeasuredValue`,
  );
}

/** In tenths of a kilopascal, or in pascals with an exponent. */
function pressureSource(part: Part): void {
  const [plain, scaled] = ['pressureMeasurement.measuredValue', 'pressureMeasurement.scaledValue'] as const;
  if (!part.has(plain)) return;
  const [min, max] = rangeOf(part, 'pressureMeasurement', [-32_767, 32_767]);
  const scale = part.has(scaled) ? numberIn(part.find('pressureMeasurement.scale'), [-20, 20]) : undefined;
  part.add(
    {
      feature: wordFeature('pressure', part.component),
      from: scale === undefined ? [plain] : [plain, scaled],
      read: (look) => {
        const pascals = scale === undefined ? undefined : numberIn(look(scaled), [-32_767, 32_767]);
        if (pascals === undefined || scale === undefined) return numberIn(look(plain), [min, max]);
        return neat(pascals / 10 ** scale / 100);
      },
    },
    plain,
    'pressureMeasurement.minMeasuredValue',
    'pressureMeasurement.maxMeasuredValue',
    ...(scale === undefined ? [] : [scaled]),
  );
}

const ALARM = 'smokeCoAlarm';
const SENSITIVITIES = wordsFrom({ 0: 'high', 1: 'standard', 2: 'low' });
const EXPRESSED = wordsFrom({
  0: 'normal',
  1: 'smoke_alarm',
  2: 'co_alarm',
  3: 'battery_alert',
  4: 'testing',
  5: 'hardware_fault',
  6: 'end_of_service',
  7: 'interconnect_smoke',
  8: 'interconnect_co',
  9: 'inoperative',
});
/** By the states of an alarm: normal, warning, critical. */
const RAISED: ReadonlyMap<number, boolean> = new Map([
  [0, false],
  [1, true],
  [2, true],
]);
const END_OF_SERVICE = wordsFrom({ 0: 'normal', 1: 'expired' });

function alarmSources(part: Part): void {
  if (!part.hasCluster(ALARM)) return;
  const isRaised = (value: JsonValue | undefined) => meaningOf(RAISED, value);
  addReading(part, 'smoke', { place: `${ALARM}.smokeState`, read: isRaised });
  addReading(part, 'co_alarm', { place: `${ALARM}.coState`, read: isRaised });
  addReading(part, 'battery_low', { place: `${ALARM}.batteryAlert`, read: isRaised });
  addReading(part, 'problem', { place: `${ALARM}.hardwareFaultAlert`, read: booleanFrom });
  const sensitivity: Place = `${ALARM}.smokeSensitivityLevel`;
  if (part.has(sensitivity)) {
    const feature = wordFeature('sensitivity', part.component);
    part.add(choice(part, feature, { place: sensitivity, words: SENSITIVITIES, writable: true }), sensitivity);
  }
  for (const [name, attribute, words] of [
    ['alarm_state', 'expressedState', EXPRESSED],
    ['end_of_service', 'endOfServiceAlert', END_OF_SERVICE],
  ] as const) {
    const place: Place = `${ALARM}.${attribute}`;
    if (!part.has(place)) continue;
    const details = { valueType: 'enum', options: [...words.values()] } as const;
    part.add(
      reading(ownFeature(name, part.component, details), place, (value) => wordOf(words, value)),
      place,
    );
  }
  if (!part.takes(`${ALARM}.selfTestRequest`)) return;
  part.add({
    feature: ownAction('alarm_self_test', part.component),
    write: () => [invoke(part, `${ALARM}.selfTestRequest`)],
  });
}
