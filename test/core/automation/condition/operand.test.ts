import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { FACTS, scopeOf, type SeenHome } from '#test/support/automation/seen-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { compileOperand } from '#core/automation/condition/condition.ts';
import type { Operand } from '#core/automation/document/condition.ts';
import type { OperandSeen, RunScope } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';

function evaluate(operand: Operand, home: SeenHome = {}, run: Partial<RunScope> = {}): JsonValue | undefined {
  return compileOperand(operand)(scopeOf(home, run), []);
}

const LUX = { device: 'lux' as DeviceId, key: 'illuminance' };
const HOME: SeenHome = {
  values: { 'lux illuminance': 12 },
  variables: { level: 30 },
  sun: { elevationDeg: -4.5 },
  history: 19.5,
};
const BODY = { ...FACTS, body: { temperature: 21, 'a/b': { '~': [7] } }, lateMs: 2500 };

describe('an operand', () => {
  test.each<[words: string, Operand, JsonValue | undefined]>([
    ['a value', 5, 5],
    ['a color', { x: 0.3, y: 0.4 }, { x: 0.3, y: 0.4 }],
    ['a value that looks like an operation', { value: { add: [1] } }, { add: [1] }],
    ['an object with an operation and more', { min: 1, max: 2 }, { min: 1, max: 2 }],
    ['a feature', { feature: LUX }, 12],
    ['a feature that is gone', { feature: { ...LUX, key: 'other' } }, undefined],
    ['a variable', { variable: 'level' }, 30],
    ['the sun', { sun: 'elevation' }, -4.5],
    ['the past', { history: { ...LUX, over_s: 3600, fn: 'mean' } }, 19.5],
    ['a sum', { add: [1, 2, { feature: LUX }] }, 15],
    ['a difference', { sub: [10, 2, 3] }, 5],
    ['a product', { mul: [2, 3, 4] }, 24],
    ['a quotient', { div: [12, 2, 3] }, 2],
    ['a division by zero', { div: [1, 0] }, undefined],
    ['more than a number can be', { mul: [1e300, 1e300] }, undefined],
    ['the least', { min: [3, 1, 2] }, 1],
    ['the greatest of known and unknown', { max: [3, { variable: 'gone' }] }, undefined],
    ['a text is no number', { add: [1, 'one'] }, undefined],
    ['rounded', { round: [2.345, 1] }, 2.3],
    ['never −0', { round: [-0.2, 0] }, 0],
    ['clamped from above', { clamp: [{ feature: LUX }, 0, 10] }, 10],
    ['clamped from below', { clamp: [-5, 0, 10] }, 0],
    ['clamped between ends the wrong way round', { clamp: [5, 10, 0] }, undefined],
    ['from one range into another', { map: [{ feature: LUX }, 0, 24, 100, 0] }, 50],
    ['beyond the range', { map: [48, 0, 24, 100, 0] }, -100],
    ['from a range without width', { map: [1, 5, 5, 0, 1] }, undefined],
    ['if met', { if: [{ feature: { ...LUX, below: 40 } }, 10, 70] }, 10],
    ['if not met', { if: [{ feature: { ...LUX, above: 40 } }, 10, 70] }, 70],
    ['if unknown', { if: [{ mode: { gone: 'x' } }, 10, 70] }, undefined],
    ['the first that is known', { coalesce: [{ variable: 'gone' }, { div: [1, 0] }, 4, 5] }, 4],
    ['none that is known', { coalesce: [{ variable: 'gone' }] }, undefined],
  ])('%s', (_words, operand, value) => {
    expect(evaluate(operand, HOME)).toEqual(value);
  });

  test.each<[Operand, JsonValue | undefined]>([
    [{ trigger: 'value' }, true],
    [{ trigger: 'from' }, false],
    [{ trigger: 'device' }, 'hall-motion'],
    [{ trigger: 'action' }, undefined],
    [{ trigger: 'late_s' }, 2.5],
    [{ trigger: 'at' }, 999_000],
    [{ trigger: '/temperature' }, 21],
    [{ trigger: '/a~1b/~0/0' }, 7],
    [{ trigger: '/a~1b/constructor' }, undefined],
    [{ trigger: '/temperature/deeper' }, undefined],
  ])('%j is of what started the run', (operand, value) => {
    expect(evaluate(operand, {}, { trigger: BODY })).toEqual(value);
    expect(evaluate(operand, {})).toBeUndefined();
  });

  test('takes a variable of the document before one of the home, even if it is unknown', () => {
    expect(evaluate({ variable: 'level' }, HOME, { variables: new Map([['level', 5]]) })).toBe(5);
    expect(evaluate({ variable: 'level' }, HOME, { variables: new Map([['level', undefined]]) })).toBeUndefined();
  });

  test('notes what it looked at and why it is unknown', () => {
    const seen: OperandSeen[] = [];
    compileOperand({ div: [{ feature: LUX }, { variable: 'zero' }] })(
      scopeOf({ ...HOME, variables: { zero: 0 } }),
      seen,
    );
    expect(seen).toEqual([
      { ...LUX, value: 12, quality: 'confirmed', changedAtMs: 0, unknown: null },
      { name: 'variable/zero', value: 0, unknown: null },
      { name: 'result', value: null, unknown: 'not_calculable' },
    ]);
  });

  test('is a finite number or unknown, whatever is calculated', () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1e308, Number.MIN_VALUE));
    const tree = fc.letrec<{ tree: Operand }>((tie) => {
      const several = fc.array(tie('tree'), { minLength: 1, maxLength: 3 });
      return {
        tree: fc.oneof(
          { maxDepth: 4 },
          number,
          fc.constantFrom<Operand>({ variable: 'gone' }, { feature: LUX }),
          fc.record({ add: several }),
          fc.record({ sub: several }),
          fc.record({ mul: several }),
          fc.record({ div: several }),
          fc.record({ min: several }),
          fc.record({ max: several }),
          fc.record({ round: fc.tuple(tie('tree'), fc.integer({ min: 0, max: 6 })) }),
          fc.record({ clamp: fc.tuple(tie('tree'), tie('tree'), tie('tree')) }),
          fc.record({ map: fc.tuple(tie('tree'), tie('tree'), tie('tree'), tie('tree'), tie('tree')) }),
        ),
      };
    }).tree;
    fc.assert(
      fc.property(tree, (operand) => {
        const value = evaluate({ add: [operand, 0] }, HOME);
        expect(value === undefined || (Number.isFinite(value) && !Object.is(value, -0))).toBe(true);
      }),
      searchOf(2000),
    );
  });
});
