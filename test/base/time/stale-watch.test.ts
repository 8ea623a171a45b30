import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStaleWatch } from '#base/time/stale-watch.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const RULES = [10, 20, 1000];
const THINGS = Array.from({ length: 4 }, (_, number) => ({ number }));

const numbersOf = (things: readonly { number: number }[]): number[] =>
  things.map(({ number }) => number).sort((left, right) => left - right);

test('finds each thing once when its last rule is over, after any sequence of reports, changes and removals', () => {
  const step = fc.record({
    afterMs: fc.nat(15),
    thing: fc.constantFrom(...THINGS),
    do: fc.constantFrom('touch', 'touch', 'forget', 'take'),
    rule: fc.constantFrom(...RULES),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const watch = createStaleWatch<(typeof THINGS)[number]>();
      const model = new Map<(typeof THINGS)[number], number>();
      const takes: [number[], number[]][] = [];
      let nowMs = 0;
      for (const { afterMs, thing, do: what, rule } of steps) {
        nowMs += afterMs;
        if (what === 'touch') {
          watch.touch(thing, rule, nowMs);
          model.set(thing, nowMs + rule);
        } else if (what === 'forget') {
          watch.forget(thing);
          model.delete(thing);
        } else {
          const found = watch.takeOverdue(nowMs);
          const due = [...model].flatMap(([one, dueMs]) => (dueMs <= nowMs ? [one] : []));
          for (const one of due) model.delete(one);
          takes.push([numbersOf(found), numbersOf(due)]);
        }
      }
      for (const [found, due] of takes) expect(found).toEqual(due);
    }),
    searchOf(100),
  );
});
