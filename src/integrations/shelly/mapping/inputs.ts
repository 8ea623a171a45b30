import type { JsonObject } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { booleanAt, numberAt, ownReading, type Part, reading, type Source } from './source.ts';

/** The vocabulary's words for what a button does: those of Home Assistant at 4b2b4090, and further ones of BLU remotes. */
const ACTIONS: ReadonlyMap<string, Omit<Occurrence, 'raw'>> = new Map([
  ['btn_down', { action: 'press' }],
  ['btn_up', { action: 'release' }],
  ['single_push', { action: 'single', count: 1 }],
  ['double_push', { action: 'double', count: 2 }],
  ['triple_push', { action: 'triple', count: 3 }],
  ['long_push', { action: 'hold' }],
  ['long_double_push', { action: 'hold_double', count: 2 }],
  ['long_triple_push', { action: 'hold_triple', count: 3 }],
  ['hold_press', { action: 'hold' }],
  ['rotate_left', { action: 'rotate_left' }],
  ['rotate_right', { action: 'rotate_right' }],
]);
const BUTTON = ['press', 'release', 'single', 'double', 'triple', 'hold'];

/** A terminal of the device, as its owner has set it: a switch, a button, a level or a counter. */
export function inputSources(part: Part): Source[] {
  const { config } = part;
  if (config['enable'] === false) return [];
  switch (config['type']) {
    case 'button':
      return [buttonSource(part, BUTTON)];
    case 'analog':
      return ownReading(part, numberAt('percent'), { own: 'level', valueType: 'number', unit: 'percent' });
    case 'count':
      return [
        ...ownReading(part, numberAt('counts.total'), { own: 'count', valueType: 'number' }),
        ...reading(part, 'frequency', numberAt('freq')),
      ];
    default:
      return [
        {
          from: part.key,
          feature: ownFeature('input', part.name, { valueType: 'boolean', category: 'primary' }),
          read: booleanAt('state'),
        },
      ];
  }
}

/** A button: of a terminal, of a remote, or the pressing of a virtual one. `index` counts those of one remote. */
export function buttonSource(part: Part, options: readonly string[] | null, index?: number): Source {
  return {
    from: part.key,
    feature: wordFeature('button', part.name, { options }),
    readEvent: (event, details) => (isOf(details, index) ? occurrenceOf(event) : undefined),
  };
}

function isOf({ idx }: JsonObject, index: number | undefined): boolean {
  return index === undefined || (typeof idx === 'number' ? idx : 0) === index;
}

const WORD = /^[a-z][a-z0-9_]{0,31}$/;

function occurrenceOf(event: string): Occurrence | undefined {
  const known = ACTIONS.get(event);
  if (known !== undefined) return { ...known, raw: event };
  return WORD.test(event) && event.endsWith('_push') ? { action: event.replace(/_push$/, ''), raw: event } : undefined;
}
