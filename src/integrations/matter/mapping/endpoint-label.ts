import { listOf, objectOf } from '#base/json.ts';
import { readName } from '#core/integration/read-name.ts';
import { type Look, numberFrom } from './source.ts';

/** What a tag says of where an endpoint is or what it is for, by the number of its namespace. */
export const TAGS: ReadonlyMap<number, readonly string[]> = new Map([
  [5, ['low', 'medium', 'high']],
  [8, ['left', 'right', 'top', 'bottom', 'middle']],
  [
    0x43,
    ['on', 'off', 'toggle', 'up', 'down', 'next', 'previous', 'enter ok select', 'custom', 'open', 'close', 'stop'],
  ],
]);
const NUMBERS = 7;
const MOST_NUMBER = 99;
const MAX_TAGS = 6;
const MAX_LABEL = 40;

/** A label for people, for one of several endpoints of a kind: `left`, `2`, `left, 2`. */
export function labelOf(look: Look): string | null {
  const words = listOf(look('descriptor.tagList'))
    .slice(0, MAX_TAGS)
    .flatMap((entry) => {
      const { mfgCode, namespaceId, tag, label } = objectOf(entry);
      const own = readName(label, MAX_LABEL);
      if (own !== null) return [own];
      const [namespace, number] = [numberFrom(namespaceId), numberFrom(tag)];
      // The tags of a maker have numbers that only the maker knows.
      if (typeof mfgCode === 'number' || namespace === undefined || number === undefined) return [];
      if (namespace === NUMBERS)
        return Number.isInteger(number) && number >= 0 && number <= MOST_NUMBER ? [`${number}`] : [];
      return TAGS.get(namespace)?.[number] ?? [];
    });
  return words.length === 0 ? null : [...new Set(words)].join(', ').slice(0, MAX_LABEL);
}
