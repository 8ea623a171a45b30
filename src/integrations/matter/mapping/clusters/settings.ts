import { neat } from '#core/feature/measure.ts';
import { snakeOf } from '#integrations/peer/snake-word.ts';
import { type JsonValue, isJsonObject } from '#base/json.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import {
  booleanFrom,
  choice,
  flagIn,
  numberIn,
  type Part,
  type Place,
  reading,
  rounded,
  type Words,
  wordsFrom,
  write,
} from '#integrations/matter/mapping/source.ts';

/** A device remembers a setting; how it is made stands nowhere else. */
type Setting =
  | { readonly type: 'boolean' }
  | { readonly type: 'choice'; readonly words: Words }
  | {
      readonly type: 'number';
      readonly unit: 's' | 'celsius' | 'percent' | 'A';
      /** The number of the attribute for one of the unit. */
      readonly scale: number;
      /** The range of the attribute; a device may have narrower limits at the places in `limits`. */
      readonly range: readonly [min: number, max: number];
      readonly limits?: readonly [min: Place | null, max: Place];
    }
  /** Flags of one bitmap that can be set, each by itself. */
  | { readonly type: 'flags'; readonly flags: readonly string[] };

const TRANSITION: Setting = { type: 'number', unit: 's', scale: 10, range: [0, 65_534] };
const LEVEL: Setting = { type: 'number', unit: 'percent', scale: 2.54, range: [1, 254] };
const bound = (end: 'Heat' | 'Cool'): Setting => ({
  type: 'number',
  unit: 'celsius',
  scale: 100,
  range: [-27_315, 32_767],
  limits: [`thermostat.absMin${end}SetpointLimit`, `thermostat.absMax${end}SetpointLimit`],
});
const SETTINGS: ReadonlyMap<Place, Setting> = new Map<Place, Setting>([
  ['levelControl.onLevel', LEVEL],
  ['levelControl.onOffTransitionTime', TRANSITION],
  ['levelControl.onTransitionTime', TRANSITION],
  ['levelControl.offTransitionTime', TRANSITION],
  ['doorLock.soundVolume', { type: 'choice', words: wordsFrom({ 0: 'silent', 1: 'low', 2: 'high', 3: 'medium' }) }],
  [
    'doorLock.ledSettings',
    { type: 'choice', words: wordsFrom({ 0: 'never', 1: 'except_access_allowed', 2: 'always' }) },
  ],
  ['doorLock.enableOneTouchLocking', { type: 'boolean' }],
  ['doorLock.enablePrivacyModeButton', { type: 'boolean' }],
  ['doorLock.enableInsideStatusLed', { type: 'boolean' }],
  ['thermostat.minHeatSetpointLimit', bound('Heat')],
  ['thermostat.maxHeatSetpointLimit', bound('Heat')],
  ['thermostat.minCoolSetpointLimit', bound('Cool')],
  ['thermostat.maxCoolSetpointLimit', bound('Cool')],
  ['thermostat.minSetpointDeadBand', { type: 'number', unit: 'celsius', scale: 10, range: [0, 127] }],
  ['thermostat.temperatureSetpointHold', { type: 'choice', words: wordsFrom({ 0: 'off', 1: 'on' }) }],
  [
    'thermostatUserInterfaceConfiguration.scheduleProgrammingVisibility',
    { type: 'choice', words: wordsFrom({ 0: 'allowed', 1: 'denied' }) },
  ],
  // Calibration and maintenance would make it deaf to commands.
  ['windowCovering.mode', { type: 'flags', flags: ['motorDirectionReversed', 'ledFeedback'] }],
  ['valveConfigurationAndControl.defaultOpenLevel', { type: 'number', unit: 'percent', scale: 1, range: [1, 100] }],
  [
    'energyEvse.userMaximumChargeCurrent',
    { type: 'number', unit: 'A', scale: 1_000, range: [0, 1_000_000], limits: [null, 'energyEvse.circuitCapacity'] },
  ],
  ['energyEvse.randomizationDelayWindow', { type: 'number', unit: 's', scale: 1, range: [0, 86_400] }],
]);

/** Under the names that they would have without this: `x.<cluster>_<attribute>`. */
export function settingSources(part: Part): void {
  for (const [place, setting] of SETTINGS) if (part.has(place)) addSetting(part, place, setting);
}

function addSetting(part: Part, place: Place, setting: Setting): void {
  const name = place
    .split('.')
    .map((word) => snakeOf(word))
    .join('_');
  switch (setting.type) {
    case 'boolean': {
      const feature = ownFeature(name, part.component, { valueType: 'boolean', writable: true });
      part.add({ ...reading(feature, place, booleanFrom), write: (wanted) => [write(part, place, wanted)] }, place);
      return;
    }
    case 'choice': {
      const feature = ownFeature(name, part.component, { valueType: 'enum', category: 'config' });
      part.add(choice(part, feature, { place, words: setting.words, writable: true }), place);
      return;
    }
    case 'number':
      return addNumber(part, place, { ...setting, name });
    case 'flags':
      for (const flag of setting.flags) addFlag(part, place, { flag, name: `${name}_${snakeOf(flag)}` });
      return part.hide(place);
    default:
  }
}

type NumberSetting = Setting & { readonly type: 'number' } & { readonly name: string };

function addNumber(part: Part, place: Place, { name, unit, scale, range, limits }: NumberSetting): void {
  const [least, most] = limits ?? [null, null];
  const own = [
    least === null ? range[0] : (numberIn(part.find(least), range) ?? range[0]),
    most === null ? range[1] : (numberIn(part.find(most), range) ?? range[1]),
  ] as const;
  const [min, max] = own[0] < own[1] ? own : range;
  const inUnit = (raw: number): number => (unit === 'percent' ? rounded(raw / scale) : neat(raw / scale));
  const details = { valueType: 'number', unit, min: inUnit(min), max: inUnit(max), writable: true } as const;
  part.add(
    {
      ...reading(ownFeature(name, part.component, details), place, (value) => {
        const raw = numberIn(value, range);
        return raw === undefined ? undefined : inUnit(raw);
      }),
      write: (wanted) => [write(part, place, Math.min(max, Math.max(min, rounded(Number(wanted) * scale))))],
    },
    place,
  );
}

/** The other flags stay as they are; a bitmap that nobody has heard yet is not written. */
function addFlag(part: Part, place: Place, { flag, name }: { readonly flag: string; readonly name: string }): void {
  const feature = ownFeature(name, part.component, { valueType: 'boolean', writable: true });
  part.add({
    ...reading(feature, place, (value) => flagIn(value, flag)),
    write: (wanted, { look }) => {
      const now: JsonValue | undefined = look(place);
      return isJsonObject(now) ? [write(part, place, { ...now, [flag]: wanted })] : [];
    },
  });
}
