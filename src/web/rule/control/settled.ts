import { inside, isObject, type Json, valueAt, withValueAt } from '#web/rule/sentence/json.ts';
import { deviceOf, type Look } from '#web/rule/sentence/look.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';

type Changed = { readonly pointer: string; readonly say: string; readonly name: string };

/**
 * The definition after a device or feature was chosen: what does not fit the new one is replaced by what people most
 * probably mean, so that few sentences are left with an empty hole.
 */
export function settled(definition: Json, { pointer, say, name }: Changed, home: RuleHome): Json {
  const node = valueAt(definition, pointer);
  if (!isObject(node) || !KEYED.has(say)) return definition;
  if (name === 'device' || name === 'group') {
    const device = deviceOf(node);
    const offered = home.features(device).filter((look) => isFit(say, look));
    const known = offered.find(({ key }) => key === node['key']);
    const look = known ?? offered.find(({ kind }) => kind !== 'action') ?? offered[0];
    if (look === undefined) return definition;
    const keyed = withValueAt(definition, inside(pointer, 'key'), look.key);
    return known === undefined ? withValue(keyed, { pointer, say }, look) : keyed;
  }
  if (name !== 'key') return definition;
  const { key } = node;
  const look = typeof key === 'string' ? home.feature(deviceOf(node), key) : undefined;
  return look === undefined ? definition : withValue(definition, { pointer, say }, look);
}

const KEYED: ReadonlySet<string> = new Set([
  'trigger.feature',
  'trigger.threshold',
  'trigger.occurrence',
  'condition.feature',
  'condition.changed',
]);

/** Whether a sentence is about such a feature at all. */
export function isFit(say: string, { kind, value_type: type, writable }: Look): boolean {
  switch (say) {
    case 'trigger.occurrence':
      return kind === 'event';
    case 'trigger.threshold':
    case 'operand.history':
      return kind === 'state' && type === 'number';
    case 'targets':
      return writable || kind === 'action';
    case 'trigger.feature':
    case 'condition.feature':
    case 'condition.changed':
      return kind === 'state';
    default:
      return true;
  }
}

/** The value that a sentence about another feature begins with. */
function withValue(definition: Json, { pointer, say }: Pick<Changed, 'pointer' | 'say'>, look: Look): Json {
  const put = (name: string, value: Json): Json => withValueAt(definition, inside(pointer, name), value);
  const node = valueAt(definition, pointer);
  const has = (name: string): boolean => isObject(node) && name in node;
  const first = firstValue(look);
  if (say === 'trigger.feature') return has('from') ? definition : put('to', first);
  if (say === 'trigger.occurrence') {
    const [press] = look.options ?? [];
    return press === undefined || has('raw') ? definition : put('action', press);
  }
  if (say === 'trigger.threshold') return has('below') || has('change') ? definition : put('above', middleOf(look));
  if (say !== 'condition.feature') return definition;
  const others = ['is_not', 'above', 'below', 'between'].filter(has);
  if (others.length > 0 && look.value_type === 'number') return definition;
  const without = others.reduce((left, name) => withValueAt(left, inside(pointer, name), undefined), definition);
  return look.value_type === 'number'
    ? withValueAt(withValueAt(without, inside(pointer, 'is'), undefined), inside(pointer, 'above'), middleOf(look))
    : withValueAt(without, inside(pointer, 'is'), first);
}

function firstValue({ value_type: type, options }: Look): Json {
  return type === 'boolean' ? true : (options?.[0] ?? '*');
}

function middleOf({ unit, min, max }: Look): number {
  if (unit === 'celsius') return 20;
  return min === null || max === null ? 0 : Math.round((min + max) / 2);
}
