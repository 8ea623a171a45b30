import { type JsonValue, listOf, objectOf } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { type Capability, isVocabularyWord } from '#core/feature/vocabulary.ts';
import { DEVICE } from '#integrations/matter/mapping/device-types.ts';
import {
  addReading,
  choice,
  clamp,
  flagIn,
  invoke,
  type Look,
  namedWords,
  numberFrom,
  meaningOf,
  numberIn,
  numberOf,
  type Part,
  type Place,
  reading,
  rounded,
  wordOf,
  wordsFrom,
  write,
} from '#integrations/matter/mapping/source.ts';

/** Makes the parts that heat and cool: thermostats and their panels. */
export function climateSources(part: Part): void {
  if (part.hasCluster('thermostat')) thermostatSources(part);
  panelSources(part);
}

const ANY: readonly [number, number] = [-27_315, 32_766];
const CELSIUS = { unit: 'celsius' } as const;
const STEP = 0.1;

function celsiusFrom(value: JsonValue | undefined): number | undefined {
  const hundredths = numberIn(value, ANY);
  return hundredths === undefined ? undefined : hundredths / 100;
}

function thermostatSources(part: Part): void {
  addModes(part);
  addTargets(part);
  if (!part.can('thermostat', 'localTemperatureNotExposed')) {
    addReading(part, 'temperature', { place: 'thermostat.localTemperature', read: celsiusFrom });
  }
  addReading(part, 'presence', { place: 'thermostat.occupancy', read: (value) => flagIn(value, 'occupied') });
  addReading(part, 'heating_demand', {
    place: 'thermostat.piHeatingDemand',
    read: (value) => numberIn(value, [0, 100]),
  });
  const outdoor = 'thermostat.outdoorTemperature';
  if (part.has(outdoor)) {
    const details = { valueType: 'number', category: 'primary', ...CELSIUS } as const;
    part.add(reading(ownFeature('outdoor_temperature', part.component, details), outdoor, celsiusFrom), outdoor);
  }
  addState(part);
  addPresets(part);
  const calibration = 'thermostat.localTemperatureCalibration';
  if (!part.has(calibration)) return;
  const range = { min: -12.7, max: 12.7, step: STEP };
  part.add(
    {
      feature: wordFeature('calibration', part.component, { writable: true, ...CELSIUS, ...range }),
      from: [calibration],
      read: (look) => {
        const tenths = numberIn(look(calibration), [-127, 127]);
        return tenths === undefined ? undefined : tenths / 10;
      },
      write: (degrees) => [write(part, calibration, rounded(Number(degrees) * 10))],
    },
    calibration,
  );
}

const MODES = wordsFrom({
  0: 'off',
  1: 'auto',
  3: 'cool',
  4: 'heat',
  5: 'emergency_heat',
  6: 'precooling',
  7: 'fan_only',
  8: 'dry',
  9: 'sleep',
});
/** By the sequence of operation: whether it heats, and whether it cools. */
const SEQUENCES: readonly (readonly [heats: boolean, cools: boolean])[] = [
  [false, true],
  [false, true],
  [true, false],
  [true, false],
  [true, true],
  [true, true],
];

function addModes(part: Part): void {
  const place = 'thermostat.systemMode';
  if (!part.has(place)) return;
  const sequence = numberFrom(part.find('thermostat.controlSequenceOfOperation'));
  const [heats, cools] = SEQUENCES[sequence ?? -1] ?? [true, true];
  const isAir = part.types.has(DEVICE.roomAirConditioner);
  const modes = new Map([...MODES].filter(([number]) => isOffered(number)));
  function isOffered(number: number): boolean {
    switch (MODES.get(number)) {
      case 'off':
        return true;
      case 'auto':
        return part.can('thermostat', 'autoMode');
      case 'heat':
        return heats && part.can('thermostat', 'heating');
      case 'cool':
        return cools && part.can('thermostat', 'cooling');
      case 'fan_only':
      case 'dry':
        return isAir;
      default:
        return false;
    }
  }
  const feature = wordFeature('thermostat_mode', part.component);
  part.add(
    {
      ...choice(part, feature, { place, words: modes, writable: true }),
      // One that it has chosen at the device itself may be none of these.
      read: (look) => wordOf(MODES, look(place)),
    },
    place,
  );
}

type Target = {
  readonly word: Capability;
  readonly place: Place;
  readonly side: 'Heat' | 'Cool';
};
const TARGETS: readonly Target[] = [
  { word: 'target_temperature', place: 'thermostat.occupiedHeatingSetpoint', side: 'Heat' },
  { word: 'target_temperature_cool', place: 'thermostat.occupiedCoolingSetpoint', side: 'Cool' },
  { word: 'away_target_temperature', place: 'thermostat.unoccupiedHeatingSetpoint', side: 'Heat' },
  { word: 'x.away_target_temperature_cool', place: 'thermostat.unoccupiedCoolingSetpoint', side: 'Cool' },
];
const PARTNERS = new Map<Place, Place>([
  ['thermostat.occupiedHeatingSetpoint', 'thermostat.occupiedCoolingSetpoint'],
  ['thermostat.occupiedCoolingSetpoint', 'thermostat.occupiedHeatingSetpoint'],
  ['thermostat.unoccupiedHeatingSetpoint', 'thermostat.unoccupiedCoolingSetpoint'],
  ['thermostat.unoccupiedCoolingSetpoint', 'thermostat.unoccupiedHeatingSetpoint'],
]);

const USUAL: Readonly<Record<Target['side'], readonly [number, number]>> = { Heat: [700, 3_000], Cool: [1_600, 3_200] };

function limitsOf(part: Part, side: Target['side']): readonly [number, number] {
  const at = (name: string): readonly number[] => {
    const limit = numberIn(part.find(`thermostat.${name}${side}SetpointLimit`), ANY);
    return limit === undefined ? [] : [limit];
  };
  const [lower, upper] = [
    [...at('min'), ...at('absMin')],
    [...at('max'), ...at('absMax')],
  ];
  const min = lower.length === 0 ? USUAL[side][0] : Math.max(...lower);
  const max = upper.length === 0 ? USUAL[side][1] : Math.min(...upper);
  return min < max ? [min, max] : USUAL[side];
}

/** The device keeps heating and cooling apart, and moves the other one where they would come too near. */
function addTargets(part: Part): void {
  const coolLimits = limitsOf(part, 'Cool');
  for (const { word, place, side } of TARGETS) {
    if (!part.has(place)) continue;
    const limits = limitsOf(part, side);
    const details = { writable: true, min: limits[0] / 100, max: limits[1] / 100, step: STEP };
    const feature = isVocabularyWord(word)
      ? wordFeature(word, part.component, details)
      : ownFeature(word.slice(2), part.component, { ...details, valueType: 'number', ...CELSIUS });
    const partner = TARGETS.find((one) => one.place === PARTNERS.get(place));
    const rawOf = (degrees: JsonValue): number => clamp(rounded(Number(degrees) * 100), limits);
    part.add(
      {
        feature,
        from: [place],
        read: (look) => celsiusFrom(look(place)),
        write: (degrees, { also, look }) => {
          const other = partner === undefined ? undefined : also(partner.word);
          if (partner === undefined || typeof other !== 'number') return [write(part, place, rawOf(degrees))];
          // Heating sends both, in the order in which neither comes too near to the other on the way.
          if (side === 'Cool') return [];
          const wanted = rawOf(degrees);
          const own = write(part, place, wanted);
          const cooler = write(part, partner.place, clamp(rounded(other * 100), coolLimits));
          return wanted > (numberFrom(look(place)) ?? wanted) ? [cooler, own] : [own, cooler];
        },
      },
      place,
    );
  }
}

const RUNNING = wordsFrom({ 0: 'idle', 3: 'cool', 4: 'heat' });
const STATES = ['idle', 'heat', 'cool', 'fan'];

function addState(part: Part): void {
  const [relays, mode] = ['thermostat.thermostatRunningState', 'thermostat.thermostatRunningMode'] as const;
  const place = part.has(relays) ? relays : mode;
  if (!part.has(place)) return;
  part.add(
    {
      feature: wordFeature('thermostat_state', part.component, { options: STATES }),
      from: [place],
      read: (look: Look) => {
        const value = look(place);
        if (place === mode) return wordOf(RUNNING, value);
        const isOn = (...flags: readonly string[]): boolean => flags.some((flag) => flagIn(value, flag) === true);
        if (typeof value !== 'object' || value === null) return undefined;
        if (isOn('heat', 'heatStage2')) return 'heat';
        if (isOn('cool', 'coolStage2')) return 'cool';
        return isOn('fan', 'fanStage2', 'fanStage3') ? 'fan' : 'idle';
      },
    },
    place,
  );
}

const SCENARIOS = wordsFrom({
  1: 'occupied',
  2: 'unoccupied',
  3: 'sleep',
  4: 'wake',
  5: 'vacation',
  6: 'going_to_sleep',
  254: 'user_defined',
});
const MAX_PRESETS = 64;
const NONE = 'none';
const UNNAMED = 'preset';

/** Each by its name, or by what it is for. The device knows them by handles. */
function addPresets(part: Part): void {
  const place = 'thermostat.activePresetHandle';
  if (!part.has(place) || !part.takes('thermostat.setActivePresetRequest')) return;
  const handles: string[] = [];
  const labels: string[] = [];
  for (const preset of listOf(part.find('thermostat.presets')).slice(0, MAX_PRESETS)) {
    const { presetHandle, name, presetScenario } = objectOf(preset);
    if (typeof presetHandle !== 'string' || presetHandle === '') continue;
    handles.push(presetHandle);
    const isNamed = typeof name === 'string' && name !== '';
    labels.push(isNamed ? name : (wordOf(SCENARIOS, presetScenario, UNNAMED) ?? ''));
  }
  const words = namedWords(labels.entries(), UNNAMED);
  if (words.size === 0) return;
  part.add(
    {
      feature: wordFeature('preset', part.component, { writable: true, options: [NONE, ...words.values()] }),
      from: [place],
      read: (look) => {
        const handle = look(place);
        return handle === null ? NONE : words.get(handles.findIndex((one) => one === handle));
      },
      write: (word) => {
        const presetHandle = handles[numberOf(words, word) ?? -1] ?? null;
        return [invoke(part, 'thermostat.setActivePresetRequest', { fields: { presetHandle } })];
      },
    },
    place,
    'thermostat.presets',
  );
}

/** By the levels that lock some keys, or all. */
const IS_LOCKED_OUT: ReadonlyMap<number, boolean> = new Map([0, 1, 2, 3, 4, 5].map((level) => [level, level > 0]));
const UNITS = wordsFrom({ 0: 'celsius', 1: 'fahrenheit' });

function panelSources(part: Part): void {
  const lockout = 'thermostatUserInterfaceConfiguration.keypadLockout';
  if (part.has(lockout)) {
    part.add(
      {
        feature: wordFeature('child_lock', part.component, { writable: true }),
        from: [lockout],
        read: (look) => meaningOf(IS_LOCKED_OUT, look(lockout)),
        write: (locked) => [write(part, lockout, locked === true ? 1 : 0)],
      },
      lockout,
    );
  }
  const unit = 'thermostatUserInterfaceConfiguration.temperatureDisplayMode';
  if (!part.has(unit)) return;
  const feature = ownFeature('display_unit', part.component, { valueType: 'enum', category: 'config' });
  part.add(choice(part, feature, { place: unit, words: UNITS, writable: true }), unit);
}
