import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { differencesOf } from '#core/automation/document/difference.ts';

describe('the differences of two documents', () => {
  test.each<[words: string, JsonValue, JsonValue, changes: readonly object[]]>([
    ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [
      'a value deep inside',
      { steps: [{ delay: { s: 5 } }] },
      { steps: [{ delay: { s: 6 } }] },
      [{ pointer: '/steps/0/delay/s', from: 5, to: 6 }],
    ],
    ['a member more', { a: 1 }, { a: 1, b: null }, [{ pointer: '/b', from: undefined, to: null }]],
    ['a member less', { a: 1, 'b/~': 2 }, { a: 1 }, [{ pointer: '/b~1~0', from: 2, to: undefined }]],
    [
      'a step more',
      [1],
      [1, 2, 3],
      [
        { pointer: '/1', from: undefined, to: 2 },
        { pointer: '/2', from: undefined, to: 3 },
      ],
    ],
    [
      'steps less, the last first',
      [1, 2, 3],
      [1],
      [
        { pointer: '/2', from: 3, to: undefined },
        { pointer: '/1', from: 2, to: undefined },
      ],
    ],
    ['another kind of value', { a: [1] }, { a: { b: 1 } }, [{ pointer: '/a', from: [1], to: { b: 1 } }]],
    ['the whole', 1, 2, [{ pointer: '', from: 1, to: 2 }]],
  ])('are %s', (...[, from, to, changes]) => {
    expect(differencesOf(from, to)).toEqual(changes);
  });

  test('make one of the other, and back', () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: true }) as fc.Arbitrary<JsonValue>;
    const related = fc.tuple(json, json, json).chain(([left, middle, right]) =>
      fc.constantFrom<readonly [JsonValue, JsonValue]>(
        [left, right],
        [
          { left, middle },
          { middle, right },
        ],
        [
          [left, middle],
          [right, middle, left],
        ],
        [{ a: { '/': left } }, { a: { '/': right, '~': middle } }],
      ),
    );
    fc.assert(
      fc.property(related, ([given, other]) => {
        // As a client sees them: fast-check also makes −0.
        const [from, to] = JSON.parse(JSON.stringify([given, other])) as readonly [JsonValue, JsonValue];
        expect(applyChanges(from, differencesOf(from, to))).toEqual(to);
        expect(applyChanges(to, differencesOf(to, from))).toEqual(from);
      }),
      searchOf(3000),
    );
  });
});

/** The document after these changes. */
function applyChanges(document: JsonValue, changes: ReturnType<typeof differencesOf>): JsonValue {
  return changes.reduce(
    (changed, { pointer, to }) => place(changed, pointer.split('/').slice(1), to) ?? null,
    document,
  );
}

function place(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return to;
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
  if (Array.isArray(value)) {
    const at = Number(name);
    const item = place(value[at] as JsonValue | undefined, rest, to);
    return value.toSpliced(at, 1, ...(item === undefined ? [] : [item]));
  }
  const object = isJsonObject(value) ? value : {};
  const member = place(Object.hasOwn(object, name) ? object[name] : undefined, rest, to);
  const others = Object.entries(object).filter(([other]) => other !== name);
  return Object.fromEntries(member === undefined ? others : [...others, [name, member]]);
}
