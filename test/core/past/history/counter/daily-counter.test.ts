import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { maxPerHourOf } from '#core/past/history/counter/counter.ts';
import { createDailyCounterReader, warmUp } from '#core/past/history/counter/daily-counter.ts';
import type { SampleRange } from '#core/past/history/history-store.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const DAY_MS = 86_400_000;
const BEGIN_MS = 20_000 * DAY_MS;

type Meter = {
  readonly size: number;
  readonly everyS: number;
  /** The most that is used; each interval uses one of these shares of it. */
  readonly kW: number;
  readonly shares: readonly number[];
  readonly isOfTheDay: boolean;
  readonly faults: readonly Fault[];
};
type Fault = {
  /** The part of the time before it. */
  readonly at: number;
  readonly name: 'reset' | 'zero' | 'dip' | 'unit';
  /** How deep a dip is, and how long. */
  readonly share: number;
};

/**
 * What a meter shows over some days, and what was used. Faults keep a distance, and a restart has readings enough
 * below the old count: what passes it at once looks like a zero of one reading, to everybody.
 */
function hear({ size, everyS, kW, shares, isOfTheDay, faults }: Meter): { samples: readonly Sample[]; used: number } {
  const steps = Math.min(2_000, Math.floor((3 * 86_400) / everyS));
  const apart = Math.ceil(1_200 / everyS) + 3;
  const most = (kW * everyS) / 3_600;
  const dueAt = new Map(faults.map((fault) => [Math.floor(fault.at * steps), fault]));
  const samples: Sample[] = [];
  let [count, used, freeAt] = [size, 0, 2];
  let dip = { until: 0, part: 0 };
  for (let step = 0; step < steps; step += 1) {
    const atMs = BEGIN_MS + step * everyS * 1_000;
    const rise = step === 0 ? 0 : most * (shares[step % shares.length] ?? 0);
    const isFree = step >= freeAt && step < steps - 2 * apart;
    const isMidnight = isOfTheDay && step > 0 && atMs % DAY_MS < everyS * 1_000;
    const fault = isMidnight ? { name: 'reset' as const, share: 0 } : isFree ? dueAt.get(step) : undefined;
    used += rise;
    const isReset = fault?.name === 'reset' && isFree && count > 2 * apart * most;
    count = isReset ? rise : count + rise;
    if (fault !== undefined && isFree) freeAt = step + 2 * apart;
    if (fault?.name === 'dip' && isFree)
      dip = { until: step + 1 + fault.share * apart, part: 0.01 + 0.08 * fault.share };
    let shown = step < dip.until ? count * (1 - dip.part) : count;
    if (isFree && fault?.name === 'zero') shown = 0;
    if (isFree && fault?.name === 'unit') shown = count / 1_000;
    // Samples are changes.
    if (samples.at(-1)?.value !== shown) samples.push({ atMs, value: shown });
  }
  return { samples, used };
}

function storeOf(samples: readonly Sample[]) {
  return {
    findBefore: async (_: string, atMs: number) => samples.findLast((sample) => sample.atMs < atMs) ?? null,
    readSlice: async ({ fromMs, toMs }: SampleRange) => {
      const part = samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      const timesMs = Float64Array.from(part, ({ atMs }) => atMs);
      return { timesMs, values: part.map(({ value }) => Number(value)), gaps: new Map(), next: null };
    },
  };
}

/** What a range counted, read as the hub reads it. */
async function countedIn(samples: readonly Sample[], fromMs: number, toMs: number): Promise<number> {
  const reader = createDailyCounterReader({ maxPerHour: maxPerHourOf('kWh') });
  await warmUp(storeOf(samples), { series: 'meter/energy', fromMs }, reader.read);
  let total = 0;
  for (const sample of samples) {
    if (sample.atMs < fromMs || sample.atMs >= toMs) continue;
    const { increase, inGap } = reader.read(sample) ?? { increase: 0, inGap: 0 };
    total += increase + inGap;
  }
  return total;
}

const share = fc.nat(1_000).map((part) => part / 1_000);
const meter: fc.Arbitrary<Meter> = fc.record({
  size: fc.integer({ min: -1_000, max: 5_000 }).map((power) => 10 ** (power / 1_000)),
  everyS: fc.constantFrom(10, 30, 60, 300, 900, 3_600),
  kW: fc.constantFrom(0.005, 0.1, 1, 5, 20),
  shares: fc.array(fc.oneof(fc.constant(0), share), { minLength: 1, maxLength: 50 }),
  isOfTheDay: fc.boolean(),
  faults: fc.array(
    fc.record({
      at: share,
      name: fc.constantFrom('reset' as const, 'zero' as const, 'dip' as const, 'unit' as const),
      share,
    }),
    { maxLength: 4 },
  ),
});

describe('a meter with restarts, dips, zeros and readings in another unit', () => {
  test('counts what was used, whatever its size and however often it is read', async () => {
    await fc.assert(
      fc.asyncProperty(meter, async (given) => {
        const { samples, used } = hear(given);
        const counted = await countedIn(samples, BEGIN_MS, Infinity);
        expect(Math.abs(counted - used)).toBeLessThan(1e-6 * Math.max(1, given.size));
      }),
      searchOf(4_000),
    );
  });

  test('has the same sum in parts as in a whole', async () => {
    await fc.assert(
      fc.asyncProperty(meter, fc.array(share, { maxLength: 6 }), async (given, cuts) => {
        const { samples } = hear(given);
        const edges = [0, ...cuts.toSorted((left, right) => left - right), 1].map((at) => BEGIN_MS + at * 3 * DAY_MS);
        let sum = 0;
        for (const [at, fromMs] of edges.slice(0, -1).entries())
          sum += await countedIn(samples, fromMs, edges[at + 1] ?? 0);
        const whole = await countedIn(samples, BEGIN_MS, BEGIN_MS + 3 * DAY_MS);
        expect(Math.abs(sum - whole)).toBeLessThan(1e-6 * Math.max(1, given.size));
      }),
      searchOf(1_000),
    );
  });

  test('counts a restart whose second reading comes days later', async () => {
    const at = (day: number): number => BEGIN_MS + day * DAY_MS;
    const samples = [
      [0, 8],
      [0.5, 9],
      [1, 0.5],
      [6, 0.7],
      [7, 1.5],
    ].map(([day = 0, value = 0]): Sample => ({ atMs: at(day), value }));
    expect(await countedIn(samples, at(0), at(8))).toBeCloseTo(2.5);
    expect(await countedIn(samples, at(5), at(8))).toBeCloseTo(1.5);
  });
});
