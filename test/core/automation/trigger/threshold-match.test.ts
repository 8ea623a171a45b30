import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stageOf } from '#test/support/automation/trigger-stage.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { ThresholdTrigger } from '#core/automation/document/trigger.ts';
import { usualHysteresis } from '#core/automation/trigger/threshold-match.ts';

const device = 'attic' as DeviceId;
const watch = (part: Partial<ThresholdTrigger>, key = 'temperature') => {
  const stage = stageOf({ id: 't1', type: 'threshold', device, key, ...part });
  return {
    ...stage,
    stage,
    /** A value each second. */
    play: (values: readonly number[]) => {
      for (const [second, value] of values.entries()) stage.at(second).set(`attic ${key}`, value);
      return stage.fired;
    },
  };
};

describe('a threshold', () => {
  test.each<[words: string, Partial<ThresholdTrigger>, values: readonly number[], fired: readonly number[]]>([
    ['fires when the value comes above', { above: 26, hysteresis: 0 }, [25, 26, 26.1, 27], [2]],
    ['fires when it comes below', { below: 5, hysteresis: 0 }, [6, 5, 4, 3], [2]],
    [
      'fires again only after it was back by the hysteresis',
      { above: 26, hysteresis: 0.5 },
      [25, 27, 25.6, 27, 25.5, 27],
      [1, 5],
    ],
    ['has the usual hysteresis of its word', { above: 26 }, [25, 27, 25.8, 27, 25.7, 27], [1, 5]],
    ['is armed by a first value on this side', { above: 26, hysteresis: 1 }, [25.9, 26.1], [1]],
    ['does not fire at a first value beyond it', { above: 26, hysteresis: 0 }, [30, 31, 20, 30], [3]],
    [
      'between two limits fires from both sides',
      { above: 10, below: 20, hysteresis: 1 },
      [5, 15, 25, 15, 20.5, 15],
      [1, 3],
    ],
  ])('%s', (...[, part, values, fired]) => {
    expect(watch(part).play(values)).toEqual(fired);
  });

  test.each<[words: string, Partial<ThresholdTrigger>]>([
    ['fires for a value', { above: 26, hysteresis: 0 }],
    ['fires for a rise', { change: { by: 10, within_s: 60 } }],
  ])('%s that is there for a part of a moment', (...[, part]) => {
    const attic = watch(part).stage.set('attic temperature', 20);
    expect(attic.at(5).setAll('attic temperature', [30, 20]).facts).toEqual([30]);
  });

  test('ends the time for which a value is beyond it where the value was back for a part of a moment', () => {
    const attic = watch({ above: 26, hysteresis: 0, for_s: 10 }).stage.set('attic temperature', 20);
    attic.at(5).set('attic temperature', 30).at(10).setAll('attic temperature', [20, 30]);
    expect(attic.at(60).fired).toEqual([20]);
  });

  test('keeps its state while nobody knows the value', () => {
    const attic = watch({ above: 26, hysteresis: 0 }).stage;
    attic.set('attic temperature', 25).at(1).reach('attic', 'offline').at(2).reach('attic', 'online');
    attic.at(3).set('attic temperature', { value: 25, quality: 'stale' }).at(4).set('attic temperature', 27);
    attic.at(5).set('attic temperature', { value: 27, quality: 'stale' }).at(6).set('attic temperature', 27.5);
    expect(attic.fired).toEqual([4]);
  });

  test('fires for a crossing while the hub was off, as far as it remembers the other side', () => {
    const attic = watch({ above: 26, hysteresis: 0 }).stage;
    attic.set('attic temperature', 25).set('attic temperature', { value: 25, quality: 'restored' });
    expect(attic.at(900).set('attic temperature', 27).fired).toEqual([900]);
  });

  test('does nothing while a limit is not known', () => {
    const attic = watch({ above: { variable: 'gone' } });
    expect(attic.play([1, 100])).toEqual([]);
    expect(attic.near.at(-1)).toEqual({ why: 'unknown', atS: 1 });
  });

  test('does not believe what was only sent', () => {
    const attic = watch({ above: 26 })
      .stage.set('attic temperature', 20)
      .set('attic temperature', { value: 30, quality: 'assumed' });
    expect(attic.fired).toEqual([]);
  });

  test('says how near it was', () => {
    const attic = watch({ above: 26, hysteresis: 0.5 });
    attic.play([25, 25.8, 27, 25.6, 26.5]);
    expect(attic.near).toEqual([
      { why: 'not_crossed', value: 25.8, limit: 26, atS: 1 },
      { why: 'not_armed', value: 26.5, rearmsAt: 25.5, atS: 4 },
    ]);
  });

  test('waits for its time, in which small moves back do not count', () => {
    const attic = watch({ above: 26, hysteresis: 0.5, for_s: 10 });
    attic.play([25, 27, 25.8, 26.2]);
    expect(attic.stage.at(60).fired).toEqual([11]);
    const cooled = watch({ above: 26, hysteresis: 0.5, for_s: 10 });
    cooled.play([25, 27, 26.1, 25.4]);
    expect(cooled.stage.at(60).fired).toEqual([]);
    expect(cooled.near.at(-1)).toMatchObject({ why: 'for_cancelled', afterMs: 2000, by: 'value' });
  });

  test('fires again while it stays so, if it says so', () => {
    const attic = watch({ above: 26, hysteresis: 0, again_after_s: 10 }).stage;
    attic.set('attic temperature', 20).at(1).set('attic temperature', 27).at(25).set('attic temperature', 25).at(60);
    expect(attic.fired).toEqual([1, 11, 21]);
    const first = watch({ above: 26, hysteresis: 0, for_s: 5, again_after_s: 10 }).stage;
    first.set('attic temperature', 20).at(1).set('attic temperature', 27).at(20);
    expect(first.fired).toEqual([6, 16]);
  });

  test('as a wait, counts from its beginning', () => {
    const attic = watch({ above: 26, hysteresis: 0, for_s: 10 }).stage;
    attic.set('attic temperature', 25).at(3).begin(true);
    expect(attic.at(5).set('attic temperature', 30).at(60).fired).toEqual([15]);
  });
});

describe('a slope', () => {
  const slope = (by: number, withinS: number) => watch({ change: { by, within_s: withinS } });

  test.each<[words: string, by: number, values: readonly number[], fired: readonly number[]]>([
    ['fires when the value rose by so much', 2, [20, 21, 22, 23], [2]],
    ['counts from the lowest', 2, [21, 20, 21, 22], [3]],
    ['does not fire at a slow rise', 2, [20, 20.5, 21, 21.5, 22, 22.5], []],
    ['begins anew after it fired', 2, [20, 22, 23, 24, 25], [1, 3]],
    ['fires when the value fell', -2, [20, 19, 18], [2]],
    ['does not fire at a fall that is none', 2, [24, 20], []],
  ])('%s', (...[, by, values, fired]) => {
    expect(slope(by, 2).play(values)).toEqual(fired);
  });

  test('counts a value for as long as it was so', () => {
    const attic = slope(2, 10).stage.set('attic temperature', 20).at(1000).set('attic temperature', 22);
    expect(attic.fired).toEqual([1000]);
  });

  test('does not count over a time in which nobody knew', () => {
    const attic = slope(2, 10).stage.set('attic temperature', 20).at(100).reach('attic', 'offline');
    attic.at(500).reach('attic', 'online').set('attic temperature', 23);
    expect(attic.fired).toEqual([]);
  });

  test('is the same as a look at all values of the time', () => {
    const steps = fc.array(
      fc.record({ afterS: fc.integer({ min: 0, max: 5 }), value: fc.integer({ min: 0, max: 12 }) }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 6 }), fc.boolean(), (given, by, isFall) => {
        const attic = slope(isFall ? -by : by, 8).stage;
        const sign = isFall ? -1 : 1;
        const expected: number[] = [];
        let past: { fromS: number; untilS: number; value: number }[] = [];
        let nowS = 0;
        for (const { afterS, value } of given) {
          nowS += afterS;
          attic.at(nowS).set('attic temperature', value);
          past = past.map((one, at) => (at === past.length - 1 ? { ...one, untilS: nowS } : one));
          const start = past.filter(({ untilS }) => untilS >= nowS - 8).map((one) => sign * one.value);
          const isFired = start.length > 0 && sign * value - Math.min(...start) >= by;
          if (isFired) expected.push(nowS);
          past = [...(isFired ? [] : past), { fromS: nowS, untilS: nowS, value }];
        }
        expect(attic.fired).toEqual(expected);
      }),
      searchOf(2000),
    );
  });
});

test.each([
  ['temperature', 26, 0.3],
  ['left.humidity', 60, 2],
  ['power', 200, 10],
  ['power', -200, 10],
  ['power', undefined, 0],
  ['brightness', 50, 0],
  ['target_temperature', 20, 0],
  ['x.turbidity', 5, 0],
])('the usual hysteresis of %s at %s is %s', (key, limit, hysteresis) => {
  expect(usualHysteresis(key, limit)).toBe(hysteresis);
});
