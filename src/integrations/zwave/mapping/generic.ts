import { snakeOf } from '#integrations/peer/snake-word.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import type { FeatureCategory, ValueType } from '#core/feature/value-type.ts';
import type { NodeValue } from '#integrations/zwave/zwave-message.ts';
import { BASIC } from './outputs.ts';
import { asSaid, choice, control, type Part, sendingOf, type Source, unitOf, wordsOf } from './source.ts';

const CONFIGURATION = 112;
const MANUFACTURER = 114;
const NAMING = 119;
const WAKE_UP = 132;
const VERSION = 134;
const INDICATOR = 135;
const SETTINGS: ReadonlySet<number> = new Set([CONFIGURATION, WAKE_UP, INDICATOR]);
/** The description of the device has these already. */
const DESCRIBED: ReadonlySet<number> = new Set([MANUFACTURER, NAMING]);

/** A feature for a value that no other feature shows, so that nothing a node offers is hidden. */
export function genericSource(part: Part, value: NodeValue, name: string): Source | undefined {
  const { metadata, id } = value;
  if (DESCRIBED.has(id.commandClass) || (id.commandClass === VERSION && id.property === 'firmwareVersions'))
    return undefined;
  const title = {
    category: categoryOf(value),
    ...(metadata.label === null ? {} : { name: metadata.label }),
    description: metadata.description,
  };
  if (!metadata.isStateful) return happening(part, value, name);
  if (!metadata.readable) return order(part, value, name);
  const ends = { shown: value, target: value };
  const words = wordsOf(value);
  if (words.size > 0 && !metadata.takesOthers && metadata.type !== 'boolean') {
    return choice(ownFeature(name, part.component, { ...title, valueType: 'enum' }), ends, words);
  }
  const valueType = VALUE_TYPES.get(metadata.type) ?? 'any';
  const isNumber = valueType === 'number';
  const details = {
    ...title,
    valueType,
    ...(isNumber ? { min: metadata.min, max: metadata.max, unit: unitOf(value) } : {}),
    ...(isNumber && id.commandClass === CONFIGURATION ? { step: 1 } : {}),
  };
  return control(ownFeature(name, part.component, details), ends, {
    read: isNumber ? (raw) => mapNumber(raw, (number) => number) : asSaid,
    write: asSaid,
  });
}

const VALUE_TYPES = new Map<string, ValueType>([
  ['boolean', 'boolean'],
  ['number', 'number'],
  ['string', 'string'],
  ['color', 'string'],
  ['boolean[]', 'list'],
  ['number[]', 'list'],
  ['string[]', 'list'],
]);

/** Parameters by their number, because their labels change with the server's list of products. */
export function nameOf({ id, ccName, propertyName, keyName }: NodeValue): string {
  if (id.commandClass === CONFIGURATION) {
    const parameter = snakeOf(`parameter ${id.property}`);
    return id.propertyKey === undefined ? parameter : `${parameter}_${snakeOf(String(id.propertyKey))}`;
  }
  const own = snakeOf(ccName);
  const property = snakeOf(propertyName);
  const key = keyName === null ? '' : snakeOf(keyName);
  const said = own === property || own.endsWith(`_${property}`) || (property === 'value' && key !== '') ? '' : property;
  return [own, said, key].filter((word) => word !== '').join('_') || `cc_${id.commandClass}`;
}

function categoryOf({ id, metadata }: NodeValue): FeatureCategory {
  if (SETTINGS.has(id.commandClass)) return metadata.writeable ? 'config' : 'diagnostic';
  return metadata.writeable && id.commandClass !== BASIC ? 'config' : 'diagnostic';
}

const IDENTIFY = 'identify';

/**
 * Makes a value that can only be written an action if there is one thing to say, else a switch that nobody can read.
 */
function order(part: Part, value: NodeValue, name: string): Source | undefined {
  const { metadata } = value;
  if (!metadata.writeable) return undefined;
  const isAction = metadata.type === 'boolean' && !metadata.states.has('false');
  const isIdentify = value.id.property === IDENTIFY;
  const plain: Feature = ownFeature(name, part.component, {
    category: isIdentify ? 'primary' : 'config',
    ...(metadata.label === null ? {} : { name: metadata.label }),
    valueType: isAction ? 'none' : (VALUE_TYPES.get(metadata.type) ?? 'any'),
    readable: false,
    writable: true,
  });
  return {
    feature: isAction ? { ...plain, kind: 'action' } : plain,
    from: [],
    write: (wanted) => [sendingOf(value, isAction ? true : wanted)],
  };
}

/** Makes an event of a value that happens and leaves nothing. */
function happening(part: Part, value: NodeValue, name: string): Source {
  const words = wordsOf(value);
  return {
    feature: {
      ...ownFeature(name, part.component, { valueType: 'object', category: 'primary', readable: false }),
      kind: 'event',
      options: words.size === 0 ? null : [...words.values()],
    },
    from: [value.key],
    happen: (raw) => {
      const text = typeof raw === 'object' ? 'event' : String(raw).slice(0, 60);
      return { action: words.get(text) ?? (snakeOf(text) || 'event'), raw: value.metadata.states.get(text) ?? text };
    },
  };
}
