import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { createTimeZone } from '#base/time/time-zone.ts';
import { mergeSlots } from '#core/energy/price-slots.ts';
import type { PriceRule, Tariff } from '#core/energy/settings.ts';
import { createPrices, type PriceSlot } from '#core/energy/tariff.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function tariff(changes: Partial<Tariff>): Tariff {
  return { id: 'a', for: 'import', currency: 'EUR', validFrom: '2026-01-01', kind: 'times', rules: [], ...changes };
}
const rule = (price: number, changes: Partial<PriceRule> = {}): PriceRule => ({
  price,
  days: null,
  time: null,
  ...changes,
});
const between = (from: number, to: number) => ({ time: { fromMinute: from * 60, toMinute: to * 60 } });

function pricesOf(tariffs: readonly Tariff[], zone = 'Europe/Berlin', slots: readonly PriceSlot[] = []) {
  const prices = createPrices({ tariffs, slotsOf: () => slots, zone: createTimeZone(zone) });
  return {
    ...prices,
    price: (at: string) => prices.at('import', Date.parse(at))?.price,
  };
}

describe('a tariff', () => {
  test('holds from the midnight of its first day on, in the time zone of the hub', () => {
    const { price } = pricesOf([
      tariff({ kind: 'fixed', rules: [rule(1)] }),
      tariff({ id: 'b', validFrom: '2026-07-01', kind: 'fixed', rules: [rule(2)] }),
    ]);
    expect(['2025-12-31T22:59:59Z', '2025-12-31T23:00:00Z'].map(price)).toEqual([undefined, 1]);
    expect(['2026-06-30T21:59:59Z', '2026-06-30T22:00:00Z'].map(price)).toEqual([1, 2]);
  });

  test('has the price of the first rule that applies', () => {
    const weekend = rule(1, { days: ['sat', 'sun'] });
    const night = rule(2, between(22, 6));
    const { price } = pricesOf([tariff({ rules: [weekend, night, rule(3)] })], 'UTC');
    // 2026-11-21 is a Saturday.
    expect(['2026-11-20T21:59:00Z', '2026-11-20T22:00:00Z', '2026-11-21T00:00:00Z'].map(price)).toEqual([3, 2, 1]);
    expect(['2026-11-23T05:59:00Z', '2026-11-23T06:00:00Z'].map(price)).toEqual([2, 3]);
  });

  test('of a night belongs to the day on which that begins', () => {
    const { price } = pricesOf([tariff({ rules: [rule(1, { days: ['fri'], ...between(22, 6) }), rule(2)] })], 'UTC');
    expect(['2026-11-20T23:00:00Z', '2026-11-21T05:00:00Z', '2026-11-20T05:00:00Z'].map(price)).toEqual([1, 1, 2]);
  });

  test('follows the clock on the wall when that is set forward and back', () => {
    const { price } = pricesOf([tariff({ rules: [rule(1, between(2, 3)), rule(2)] })]);
    // On 29 March 2026 there is no hour from 2 to 3; on 25 October there are two.
    expect(['2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z'].map(price)).toEqual([2, 2]);
    const autumn = ['2026-10-24T23:59:00Z', '2026-10-25T00:00:00Z', '2026-10-25T01:59:00Z', '2026-10-25T02:00:00Z'];
    expect(autumn.map(price)).toEqual([2, 1, 1, 2]);
  });

  test('without a rule that applies has no price', () => {
    expect(pricesOf([tariff({ rules: [rule(1, between(2, 3))] })], 'UTC').price('2026-11-20T05:00:00Z')).toBe(
      undefined,
    );
  });

  test('that is pushed has the prices that were sent, and its own elsewhere', () => {
    const slots = [
      { fromMs: Date.parse('2026-11-20T05:00:00Z'), toMs: Date.parse('2026-11-20T06:00:00Z'), price: -0.1 },
    ];
    const { price } = pricesOf([tariff({ kind: 'pushed', rules: [rule(0.4)] })], 'UTC', slots);
    const around = ['2026-11-20T04:59:59Z', '2026-11-20T05:00:00Z', '2026-11-20T05:59:59Z', '2026-11-20T06:00:00Z'];
    expect(around.map(price)).toEqual([0.4, -0.1, -0.1, 0.4]);
  });

  test('keeps its price until the next change that it announces', () => {
    const minute = fc.integer({ min: 0, max: 1_440 });
    const rules = fc.array(fc.tuple(minute, minute, fc.integer({ min: 1, max: 5 })), { maxLength: 4 });
    const zone = fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Sao_Paulo');
    fc.assert(
      fc.property(rules, zone, fc.integer({ min: 0, max: 365 * 24 }), (list, name, hour) => {
        const given = list.flatMap(([fromMinute, toMinute, price]) =>
          fromMinute === toMinute ? [] : [rule(price, { time: { fromMinute, toMinute } })],
        );
        const prices = pricesOf([tariff({ validFrom: '2026-03-01', rules: [...given, rule(9)] })], name);
        const atMs = Date.UTC(2026, 0) + hour * HOUR_MS;
        const nextMs = prices.nextChange('import', atMs);
        expect(nextMs).toBeGreaterThan(atMs);
        expect(nextMs - atMs).toBeLessThanOrEqual(25 * HOUR_MS);
        const now = prices.at('import', atMs)?.price;
        const found = new Set<number | undefined>();
        for (let ms = atMs; ms < nextMs; ms += 5 * MINUTE_MS) found.add(prices.at('import', ms)?.price);
        found.add(prices.at('import', nextMs - 1)?.price);
        expect([...found]).toEqual([now]);
      }),
      searchOf(1_000),
    );
  });
});

describe('prices that a script sends', () => {
  const slot = (from: number, to: number, price: number): PriceSlot => ({ fromMs: from, toMs: to, price });

  test('replace what it sent of the same times, and change nothing when they come again', () => {
    const merged = mergeSlots([slot(0, 10, 1), slot(10, 20, 2)], [slot(5, 12, 3)], 0);
    expect(merged?.slots).toEqual([slot(0, 5, 1), slot(5, 12, 3), slot(12, 20, 2)]);
    expect(mergeSlots(merged?.slots ?? [], [slot(5, 12, 3)], 0)).toBe(undefined);
  });

  test('are at each time those that were sent last', () => {
    const slots = fc
      .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 12 })
      .map((edges) => edges.toSorted((left, right) => left - right))
      .chain((edges) =>
        fc.tuple(
          ...edges
            .slice(1)
            .map((to, index) => fc.integer({ min: 1, max: 9 }).map((price) => slot(edges[index] ?? 0, to, price))),
        ),
      );
    fc.assert(
      fc.property(fc.array(slots, { maxLength: 6 }), (calls) => {
        const sent = new Map<number, number>();
        let kept: readonly PriceSlot[] = [];
        for (const call of calls) {
          const before = kept;
          const merged = mergeSlots(kept, call, 0);
          if (merged !== undefined) kept = merged.slots;
          for (const { fromMs, toMs, price } of call) for (let at = fromMs; at < toMs; at += 1) sent.set(at, price);
          // What is kept on disk is what is in memory.
          const onDisk = new Map(before.map((one) => [one.fromMs, one]));
          for (const { fromMs } of merged?.removed ?? []) onDisk.delete(fromMs);
          for (const one of merged?.added ?? []) onDisk.set(one.fromMs, one);
          expect([...onDisk.values()].toSorted((left, right) => left.fromMs - right.fromMs)).toEqual(kept);
        }
        for (let at = 0; at < 61; at += 1) {
          expect(kept.find(({ fromMs, toMs }) => fromMs <= at && at < toMs)?.price).toBe(sent.get(at));
        }
      }),
      searchOf(2_000),
    );
  });

  test('are forgotten after 62 days', () => {
    const nowMs = 100 * 24 * HOUR_MS;
    const merged = mergeSlots([slot(0, HOUR_MS, 1)], [slot(nowMs, nowMs + HOUR_MS, 2)], nowMs);
    expect(merged?.slots).toEqual([slot(nowMs, nowMs + HOUR_MS, 2)]);
  });
});
