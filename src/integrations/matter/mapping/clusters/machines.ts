import { ownFeature, wordFeature, ownAction, PERCENT } from '#core/feature/new-feature.ts';
import { type JsonValue, listOf } from '#base/json.ts';
import {
  addFaults,
  addReading,
  choice,
  clamp,
  flagIn,
  invoke,
  namedWords,
  numberFrom,
  numberIn,
  numberOf,
  type Part,
  type Place,
  reading,
  rounded,
  whereWritable,
  wordOf,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

/** Makes the parts that wash, cool and cook, and the filters that wear out on the way. */
export function machineSources(part: Part): void {
  temperatureSources(part);
  for (const [cluster, name] of SUPPLIES) addSupply(part, cluster, name);
  washerSources(part);
  microwaveSources(part);
  const door = 'refrigeratorAlarm.state';
  addReading(part, 'open', { place: door, read: (value) => flagIn(value, 'doorOpen') });
  addFaults(part, 'dishwasherAlarm.state', DISHWASHER_FAULTS);
}

const DISHWASHER_FAULTS = ['inflowError', 'drainError', 'doorError', 'tempTooLow', 'tempTooHigh', 'waterLevelError'];
/** These supplies run out or fill up. */
const SUPPLIES: readonly (readonly [cluster: string, name: string])[] = [
  ['hepaFilterMonitoring', 'hepa_filter'],
  ['activatedCarbonFilterMonitoring', 'carbon_filter'],
  ['waterTankLevelMonitoring', 'water_tank'],
];
const CONDITIONS = wordsFrom({ 0: 'ok', 1: 'warning', 2: 'critical' });

function addSupply(part: Part, cluster: string, name: string): void {
  const [condition, change, reset] = [
    `${cluster}.condition`,
    `${cluster}.changeIndication`,
    `${cluster}.resetCondition`,
  ] as const;
  if (part.has(condition)) {
    const feature = ownFeature(`${name}_condition`, part.component, PERCENT);
    part.add(
      reading(feature, condition, (value) => numberIn(value, [0, 100])),
      condition,
    );
  }
  if (part.has(change)) {
    const details = { valueType: 'enum', options: [...CONDITIONS.values()] } as const;
    part.add(
      reading(ownFeature(`${name}_change`, part.component, details), change, (value) => wordOf(CONDITIONS, value)),
      change,
    );
  }
  if (!part.takes(reset)) return;
  part.add({
    feature: ownAction(`${name}_reset`, part.component),
    write: () => [invoke(part, reset)],
  });
}

const RINSES = wordsFrom({ 0: 'none', 1: 'normal', 2: 'extra', 3: 'max' });
const DRYNESS = wordsFrom({ 0: 'low', 1: 'normal', 2: 'extra', 3: 'max' });

function washerSources(part: Part): void {
  const spins = listOf(part.find('laundryWasherControls.spinSpeeds')).slice(0, 16);
  const named = spins.map((name, index) => [index, typeof name === 'string' ? name : ''] as const);
  const choices = [
    ['spin_speed', 'laundryWasherControls.spinSpeedCurrent', namedWords(named, 'speed')],
    ['rinses', 'laundryWasherControls.numberOfRinses', RINSES],
    ['dryness', 'laundryDryerControls.selectedDrynessLevel', DRYNESS],
  ] as const;
  for (const [name, place, words] of choices) {
    if (!part.has(place) || words.size === 0) continue;
    const feature = ownFeature(name, part.component, { valueType: 'enum', category: 'config' });
    part.add(choice(part, feature, { place, words, writable: true }), place);
  }
  part.hide('laundryWasherControls.spinSpeeds');
}

const OVEN = 'microwaveOvenControl';

/** Set together, each of them keeps the other. */
function microwaveSources(part: Part): void {
  const command: Place = `${OVEN}.setCookingParameters`;
  const [time, power] = [`${OVEN}.cookTime`, `${OVEN}.powerSetting`] as const;
  const writable = part.takes(command);
  const most = numberIn(part.find(`${OVEN}.maxCookTime`), [1, 86_400]) ?? 86_400;
  const least = numberIn(part.find(`${OVEN}.minPower`), [1, 100]) ?? 10;
  const values = [
    ['cook_time', time, 'cookTime', { unit: 's', min: 1, max: most, step: 1 }],
    ['cook_power', power, 'powerSetting', { unit: 'percent', min: least, max: 100, step: 1 }],
  ] as const;
  for (const [name, place, field, range] of values) {
    if (!part.has(place)) continue;
    const details = { valueType: 'number', category: 'primary', writable, ...range } as const;
    part.add(
      {
        ...reading(ownFeature(name, part.component, details), place, (value) => numberIn(value, [0, most])),
        ...whereWritable(writable, (wanted, { look, also }) => {
          const otherPlace = field === 'cookTime' ? power : time;
          const otherField = field === 'cookTime' ? 'powerSetting' : 'cookTime';
          const otherWanted = also(field === 'cookTime' ? 'x.cook_power' : 'x.cook_time');
          // One message has both.
          if (otherWanted !== undefined && field === 'powerSetting') return [];
          const other = numberFrom(otherWanted ?? look(otherPlace));
          const fields: Record<string, JsonValue> = {
            [field]: rounded(clamp(Number(wanted), [range.min, range.max])),
          };
          if (other !== undefined) fields[otherField] = rounded(other);
          return [invoke(part, command, { fields })];
        }),
      },
      place,
    );
  }
}

const CONTROL = 'temperatureControl';
const MAX_LEVELS = 32;
const ANY: readonly [number, number] = [-27_315, 32_766];

/** A target as a number, or as one of the levels that the device names. */
function temperatureSources(part: Part): void {
  const [target, level, list] = [
    `${CONTROL}.temperatureSetpoint`,
    `${CONTROL}.selectedTemperatureLevel`,
    `${CONTROL}.supportedTemperatureLevels`,
  ] as const;
  const command: Place = `${CONTROL}.setTemperature`;
  const writable = part.takes(command);
  if (part.has(target)) {
    const min = numberIn(part.find(`${CONTROL}.minTemperature`), ANY) ?? ANY[0];
    const max = numberIn(part.find(`${CONTROL}.maxTemperature`), ANY) ?? ANY[1];
    const range: readonly [number, number] = min < max ? [min, max] : ANY;
    const step = numberIn(part.find(`${CONTROL}.step`), [1, 10_000]);
    const details = {
      writable,
      min: range[0] / 100,
      max: range[1] / 100,
      step: step === undefined ? null : step / 100,
    };
    part.add(
      {
        feature: wordFeature('target_temperature', part.component, details),
        from: [target],
        read: (look) => {
          const hundredths = numberIn(look(target), ANY);
          return hundredths === undefined ? undefined : hundredths / 100;
        },
        ...whereWritable(writable, (degrees) => {
          const targetTemperature = clamp(rounded(Number(degrees) * 100), range);
          return [invoke(part, command, { fields: { targetTemperature } })];
        }),
      },
      target,
      `${CONTROL}.minTemperature`,
      `${CONTROL}.maxTemperature`,
      `${CONTROL}.step`,
    );
  }
  if (!part.has(level)) return;
  const names = listOf(part.find(list)).slice(0, MAX_LEVELS);
  const words = namedWords(
    names.map((name, index) => [index, typeof name === 'string' ? name : ''] as const),
    'level',
  );
  const details = { valueType: 'enum', category: 'primary', writable, options: [...words.values()] } as const;
  part.add(
    {
      ...reading(ownFeature('temperature_level', part.component, details), level, (value) =>
        wordOf(words, value, 'level'),
      ),
      ...whereWritable(writable, (word) => {
        const targetTemperatureLevel = numberOf(words, word);
        return targetTemperatureLevel === undefined
          ? []
          : [invoke(part, command, { fields: { targetTemperatureLevel } })];
      }),
    },
    level,
    list,
  );
}
