import { flag, textArgument } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { itemOf } from '#integrations/home-assistant-discovery/python/attribute.ts';
import { outside, pythonFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import {
  allFound,
  compilePattern,
  isFound,
  substituted,
  type Pattern,
} from '#integrations/home-assistant-discovery/python/pattern.ts';
import { isKind, isUndefined, type Value } from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';
import { plainText } from './text-filters.ts';

const FIND = { parameters: ['value', 'find', 'ignorecase'], required: 1 };

/** Filters with a regular expression. */
export const PATTERN_FILTERS: readonly (readonly [string, Filter])[] = [
  ['regex_match', { ...FIND, call: (run, given) => isFound(...searchOf(run, given), 'start') }],
  ['regex_search', { ...FIND, call: (run, given) => isFound(...searchOf(run, given), 'anywhere') }],
  ['regex_findall', { ...FIND, call: (run, given) => allFound(...searchOf(run, given)) }],
  [
    'regex_findall_index',
    {
      parameters: ['value', 'find', 'index', 'ignorecase'],
      required: 1,
      call: (run, [value, find, index = 0n, ignores]) => {
        const item = itemOf(run.budget, allFound(...searchOf(run, [value, find, ignores])), index);
        if (isUndefined(item)) throw pythonFault('list index out of range');
        return item;
      },
    },
  ],
  [
    'regex_replace',
    {
      parameters: ['value', 'find', 'replace', 'ignorecase'],
      required: 0,
      call: (run, [value = '', find, replacement, ignores]) =>
        substituted(...searchOf(run, [value, find, ignores]), textArgument(replacement, '')),
    },
  ],
];

function searchOf(run: Run, [value = null, find, ignores]: readonly (Value | undefined)[]): readonly [Pattern, string] {
  if (find !== undefined && typeof find !== 'string')
    throw isUndefined(find) || isKind(find, 'markup')
      ? outside('such a pattern')
      : pythonFault('first argument must be string or compiled pattern');
  return [compilePattern(find ?? '', flag(ignores)), typeof value === 'string' ? value : plainText(run, value)];
}
