import { countSteps } from '#test/support/attack/work-count.ts';
import { array, assert, constantFrom, property, record, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFilterTable, isFilter, isTopic } from '#integrations/mqtt/filter-table.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/** MQTT 3.1.1, section 4.7, filter by filter. */
function isMatch(filter: string, topic: string): boolean {
  const levels = filter.split('/');
  const names = topic.split('/');
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false;
  for (const [index, level] of levels.entries()) {
    if (level === '#') return true;
    if (index >= names.length || (level !== '+' && level !== names[index])) return false;
  }
  return levels.length === names.length;
}
const isMatchOrParent = (filter: string, topic: string): boolean =>
  isMatch(filter, topic) || (filter.endsWith('/#') && isMatch(filter.slice(0, -2), topic));

const level = constantFrom('a', 'b', '', '$x', 'c');
const topicText = array(level, { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'))
  .filter((topic) => topic !== '');
const filterText = record({
  names: array(constantFrom('a', 'b', '', '+', '+', '$x'), { minLength: 1, maxLength: 4 }),
  end: constantFrom('', '/#'),
})
  .map(({ names, end }) => names.join('/') + end)
  .filter((filter) => filter !== '');

test('a message reaches the users of the filters that match, also after others have left', () => {
  assert(
    property(
      uniqueArray(filterText, { maxLength: 12 }),
      array(constantFrom(true, false), { minLength: 12, maxLength: 12 }),
      topicText,
      (filters, leaves, topic) => {
        const table = createFilterTable<string>();
        for (const filter of filters) table.add(filter, filter);
        const gone = filters.filter((_, index) => leaves[index]);
        for (const filter of gone) expect(table.remove(filter, filter)).toBe(true);
        const left = filters.filter((filter) => !gone.includes(filter));
        expect([...table.filters()].toSorted()).toEqual(left.toSorted());
        expect(table.usersOf(topic).toSorted()).toEqual(
          left.filter((filter) => isMatchOrParent(filter, topic)).toSorted(),
        );
      },
    ),
    searchOf(5_000),
  );
});

test('a user gets a message once, however many of its filters match', () => {
  const table = createFilterTable<string>();
  for (const filter of ['a/b', 'a/+', 'a/#', '#', '+/b']) table.add(filter, 'one');
  table.add('a/b', 'two');
  expect(table.usersOf('a/b')).toEqual(['one', 'two']);
});

test('a filter is unused when its last user has left it', () => {
  const table = createFilterTable<string>();
  table.add('a/+', 'one');
  table.add('a/+', 'two');
  expect([table.remove('a/+', 'one'), table.usersOf('a/b')]).toEqual([false, ['two']]);
  expect([table.remove('a/+', 'two'), table.usersOf('a/b')]).toEqual([true, []]);
});

describe('a message costs what matches its topic', () => {
  const costWith = async (others: number, topic: string): Promise<number> => {
    const table = createFilterTable<number>();
    for (const filter of ['home/+/state', 'home/#', 'home/lamp/state']) table.add(filter, -1);
    for (let index = 0; index < others; index += 1) {
      table.add(`other/${index}/+`, index);
      table.add(`home/lamp-${index}/state`, index);
    }
    table.usersOf(topic);
    return countSteps(() => table.usersOf(topic));
  };

  test('and not the number of filters', async () => {
    expect(await costWith(10_000, 'home/lamp/state')).toBeLessThanOrEqual(
      1.1 * (await costWith(10, 'home/lamp/state')),
    );
  });

  test('and not the levels of a topic that no filter reaches', async () => {
    const deep = await costWith(10, `other/1/x${'/'.repeat(60_000)}`);
    expect(deep).toBeLessThan(4 * (await costWith(10, 'other/1/x')) + 60_000);
  });
});

describe('what a broker would end the connection for is none:', () => {
  test.each([
    '',
    'a+',
    'a/b#',
    '#/a',
    'a/#/b',
    'a\u0000',
    'a\u001f',
    '\ud800',
    '\uffff',
    'a'.repeat(65_536),
    '/'.repeat(200),
  ])('the filter %j', (text) => expect(isFilter(text)).toBe(false));
  test.each(['#', '+', '/', '/#', '+/+', 'a/#', 'a//b', '$SYS/#', 'Küche/Lampe 1', '/'.repeat(199)])(
    'but the filter %j is one',
    (text) => expect(isFilter(text)).toBe(true),
  );
  test.each(['', 'a/+', '#', 'a\u0007', 'é'.repeat(40_000)])('the topic %j', (text) =>
    expect(isTopic(text)).toBe(false),
  );
  test.each(['a', '/', 'zigbee2mqtt/Küche/set'])('but the topic %j is one', (text) => expect(isTopic(text)).toBe(true));
});
