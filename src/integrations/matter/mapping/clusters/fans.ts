import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import {
  choice,
  clamp,
  flagIn,
  numberFrom,
  meaningOf,
  numberIn,
  type Part,
  type Place,
  rounded,
  wordOf,
  wordsFrom,
  write,
} from '#integrations/matter/mapping/source.ts';

const MODE = 'fanControl.fanMode';
const SETTING = 'fanControl.percentSetting';
const MODES = wordsFrom({ 0: 'off', 1: 'low', 2: 'medium', 3: 'high', 4: 'on', 5: 'auto', 6: 'smart' });
/** By `fanModeSequence`: numbers of the modes. */
const SEQUENCES: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [0, 1, 3],
  [0, 1, 2, 3, 5],
  [0, 1, 3, 5],
  [0, 3, 5],
  [0, 3],
];
const [OFF, AUTO] = [0, 5];
const IS_ON: ReadonlyMap<number, boolean> = new Map([...MODES.keys()].map((mode) => [mode, mode !== OFF]));

/** Fans, also those of hoods, purifiers and air conditioners. */
export function fanSources(part: Part): void {
  if (!part.hasCluster('fanControl')) return;
  const sequence = numberFrom(part.find('fanControl.fanModeSequence'));
  const offered = SEQUENCES[sequence ?? 0] ?? SEQUENCES[0] ?? [];
  const words = new Map([...MODES].filter(([number]) => offered.includes(number)));
  if (part.has(MODE)) {
    const mode = choice(part, wordFeature('fan_mode', part.component), { place: MODE, words, writable: true });
    part.add({ ...mode, read: (look) => wordOf(MODES, look(MODE)) }, MODE);
    if (!part.has('onOff.onOff')) addSwitch(part, offered);
  }
  addSpeed(part);
  addFlags(part, { word: 'swing', place: 'fanControl.rockSetting', support: 'fanControl.rockSupport', names: ROCKS });
  addFlags(part, { word: 'wind', place: 'fanControl.windSetting', support: 'fanControl.windSupport', names: WINDS });
  const direction = 'fanControl.airflowDirection';
  if (!part.has(direction)) return;
  const feature = ownFeature('direction', part.component, { valueType: 'enum' });
  part.add(choice(part, feature, { place: direction, words: DIRECTIONS, writable: true }), direction);
}

const DIRECTIONS = wordsFrom({ 0: 'forward', 1: 'reverse' });

/** A fan without a switch goes on by itself where it can, else as gently as it can. */
function addSwitch(part: Part, offered: readonly number[]): void {
  const gentle = offered.includes(AUTO) ? AUTO : (offered.find((number) => number !== OFF) ?? AUTO);
  part.add({
    feature: wordFeature('on', part.component, { writable: true }),
    from: [MODE],
    read: (look) => meaningOf(IS_ON, look(MODE)),
    write: (on, { also }) => {
      const isSaid = also('fan_mode') !== undefined || also('fan_speed') !== undefined;
      if (on === true && isSaid) return [];
      return [write(part, MODE, on === true ? gentle : OFF)];
    },
  });
}

/** Adds the speed that the fan was set to, or while it chooses by itself, the speed at which it turns. */
function addSpeed(part: Part): void {
  const current = 'fanControl.percentCurrent';
  if (!part.has(SETTING)) return;
  const speeds = part.can('fanControl', 'multiSpeed')
    ? numberIn(part.find('fanControl.speedMax'), [1, 100])
    : undefined;
  const step = speeds === undefined ? 1 : Math.floor(1_000 / speeds) / 10;
  part.add(
    {
      feature: wordFeature('fan_speed', part.component, { writable: true, min: 0, max: 100, step }),
      from: [SETTING, current],
      read: (look) => numberIn(look(SETTING), [0, 100]) ?? numberIn(look(current), [0, 100]),
      write: (percent, { also }) =>
        also('on') === false || also('fan_mode') === 'off'
          ? []
          : [write(part, SETTING, clamp(rounded(Number(percent)), [0, 100]))],
    },
    SETTING,
  );
}

type Names = readonly (readonly [flag: string, word: string])[];
const ROCKS: Names = [
  ['rockLeftRight', 'horizontal'],
  ['rockUpDown', 'vertical'],
  ['rockRound', 'round'],
];
const WINDS: Names = [
  ['sleepWind', 'sleep'],
  ['naturalWind', 'natural'],
];
const ALL = 'all';

type Flags = {
  readonly word: 'swing' | 'wind';
  readonly place: Place;
  readonly support: Place;
  readonly names: Names;
};

/** One word for a bitmap of which people use one flag at a time. */
function addFlags(part: Part, { word, place, support, names }: Flags): void {
  if (!part.has(place)) return;
  const known = names.filter(([flag]) => flagIn(part.find(support), flag) === true);
  const offered = known.length === 0 ? names : known;
  const options = ['off', ...offered.map(([, name]) => name), ...(offered.length > 1 ? [ALL] : [])];
  const details = { writable: true, options };
  part.add(
    {
      feature:
        word === 'swing'
          ? wordFeature(word, part.component, details)
          : ownFeature(word, part.component, { ...details, valueType: 'enum' }),
      from: [place],
      read: (look) => {
        const value = look(place);
        if (typeof value !== 'object' || value === null) return undefined;
        const set = offered.filter(([flag]) => flagIn(value, flag) === true);
        return set.length === 0 ? 'off' : set.length > 1 ? ALL : set[0]?.[1];
      },
      write: (wanted: JsonValue) => [
        write(part, place, Object.fromEntries(names.map(([flag, name]) => [flag, isIn(offered, { name, wanted })]))),
      ],
    },
    place,
    support,
  );
}

function isIn(offered: Names, { name, wanted }: { readonly name: string; readonly wanted: JsonValue }): boolean {
  return offered.some(([, one]) => one === name) && (wanted === ALL || wanted === name);
}
