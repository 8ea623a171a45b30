import { flag, textArgument } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { itemOf } from '#integrations/home-assistant-discovery/python/attribute.ts';
import { outside, pythonFault, reserveText } from '#integrations/home-assistant-discovery/python/fault.ts';
import {
  allMatches,
  findFrom,
  matchAt,
  partOf,
  subjectOf,
  substituted,
  type Search,
} from '#integrations/home-assistant-discovery/python/pattern.ts';
import {
  isKind,
  isUndefined,
  listOf,
  tupleOf,
  type PyList,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import { patternOf, type Filter, type Run } from './run.ts';
import { plainText } from './text-filters.ts';

/** Filters with a regular expression. */
export const PATTERN_FILTERS: readonly (readonly [string, Filter])[] = [
  [
    'regex_match',
    {
      parameters: ['value', 'find', 'ignorecase'],
      required: 1,
      call: (run, given) => matchAt(run.budget, searchOf(run, given), { at: 0, mustAdvance: false }) !== undefined,
    },
  ],
  [
    'regex_search',
    {
      parameters: ['value', 'find', 'ignorecase'],
      required: 1,
      call: (run, given) => findFrom(run.budget, searchOf(run, given), { at: 0, mustAdvance: false }) !== undefined,
    },
  ],
  ['regex_findall', { parameters: ['value', 'find', 'ignorecase'], required: 1, call: findAll }],
  [
    'regex_findall_index',
    {
      parameters: ['value', 'find', 'index', 'ignorecase'],
      required: 1,
      call: (run, [value, find, index = 0n, ignores]) => {
        const item = itemOf(run.budget, findAll(run, [value, find, ignores]), index);
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
        substituted(run.budget, searchOf(run, [value, find, ignores]), textArgument(replacement, '')),
    },
  ],
];

function searchOf(run: Run, [value = null, find, ignores]: readonly (Value | undefined)[]): Search {
  const subject = subjectOf(run.budget, typeof value === 'string' ? value : plainText(run, value));
  if (find !== undefined && typeof find !== 'string')
    throw isUndefined(find) || isKind(find, 'markup')
      ? outside('such a pattern')
      : pythonFault('first argument must be string or compiled pattern');
  return { pattern: patternOf(run, find ?? '', flag(ignores)), subject };
}

function findAll(run: Run, given: readonly (Value | undefined)[]): PyList {
  const search = searchOf(run, given);
  const { groups } = search.pattern;
  const found: Value[] = [];
  for (const match of allMatches(run.budget, search)) {
    reserveText(run.budget, (match[1] ?? 0) - (match[0] ?? 0));
    const parts = Array.from({ length: groups }, (_, at) => partOf(search.subject, match, at + 1));
    found.push(groups > 1 ? tupleOf(parts) : (parts[0] ?? partOf(search.subject, match, 0)));
  }
  return listOf(found);
}
