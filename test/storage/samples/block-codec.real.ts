import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { GAP_REASONS, type GapMark, type SampleValue } from '#core/past/history/sample.ts';
import { decodeBlock, encodeBlocks, MAX_BLOCK_SAMPLES, type EncodedBlock } from '#storage/samples/block-codec.ts';
import { deflated, withChecksum } from '#storage/engine/bytes.ts';
import type { Samples } from '#storage/samples/segment.ts';
import { decodeJournalRow, encodeJournalRow, type JournalRow } from '#storage/journal/journal-row.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';

type Dice = () => number;
type Value = SampleValue | GapMark;

const pick = <Item>(dice: Dice, items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(dice() * items.length)] ?? items[0];

const ODD_NUMBERS = [
  -0,
  1e300,
  -1e300,
  5e-324,
  2 ** 53,
  -(2 ** 53),
  2 ** 50,
  0.1 + 0.2,
  1e-5,
  Number.MAX_VALUE,
] as const;
const TEXTS = ['', 'single', 'half \ud800', 'nul \0', 'ü🏠', 'x'.repeat(300)] as const;

/** How the values of a series are drawn. */
const KINDS: readonly [(dice: Dice) => Value, ...((dice: Dice) => Value)[]] = [
  (dice) => Math.round(dice() * 5000) / 100,
  (dice) => Math.round((dice() - 0.5) * 1e6) / 10 ** Math.floor(dice() * 5),
  (dice) => Math.floor(dice() * 1e12),
  (dice) => (dice() - 0.5) * 10 ** Math.floor(dice() * 40),
  (dice) => pick(dice, ODD_NUMBERS),
  (dice) => dice() < 0.5,
  (dice) => pick(dice, TEXTS),
  (dice) => ({ gap: pick(dice, GAP_REASONS), ...(dice() < 0.3 ? { isUncertain: true } : {}) }),
];

function drawSamples(dice: Dice): Samples {
  const count = Math.floor(dice() ** 3 * (dice() < 0.02 ? 2.2 * MAX_BLOCK_SAMPLES : 300));
  const kinds = [pick(dice, KINDS), pick(dice, KINDS), pick(dice, KINDS)] as const;
  const other = dice() * 0.2;
  let tick = Math.floor(dice() * 2e10);
  const ticks = Array.from({ length: count }, () => (tick += Math.floor(dice() ** 4 * pick(dice, [1, 50, 5000, 1e7]))));
  const values = ticks.map(() => (dice() < other ? pick(dice, kinds) : kinds[0])(dice));
  return { ticks, values };
}

/** At most a dozen samples, of one kind but for the last ones. */
function drawShort(dice: Dice): Samples {
  const [kind, lastKind] = [pick(dice, KINDS), pick(dice, KINDS)];
  const spread = pick(dice, [1, 50, 5000, 1e7]);
  let tick = Math.floor(dice() * 2e10);
  const ticks = Array.from({ length: Math.floor(dice() * 12) }, () => (tick += Math.floor(dice() * spread)));
  return { ticks, values: ticks.map((_, index) => (index < 9 ? kind : lastKind)(dice)) };
}

function isSameValue(left: Value, right: Value | undefined): boolean {
  if (typeof left !== 'object') return Object.is(left, right);
  return typeof right === 'object' && left.gap === right.gap && left.isUncertain === right.isUncertain;
}

function decodeAll(blocks: readonly EncodedBlock[]): Samples {
  const parts = blocks.map((block) => decodeBlock(block) ?? { ticks: [NaN], values: [] });
  return { ticks: parts.flatMap(({ ticks }) => ticks), values: parts.flatMap(({ values }) => values) };
}

describe('a block', () => {
  test(`gives back exactly what went in: ${runs(20_000)} random series`, () => {
    const seed = drawSeed();
    const dice = createDice(seed);
    // An assertion for each would take longer than the work.
    const wrong: unknown[] = [];
    for (let run = 0; run < runs(20_000) && wrong.length === 0; run += 1) {
      const samples = drawSamples(dice);
      const blocks = encodeBlocks(samples);
      const parts = blocks.map((block) => decodeAll([block]));
      const found = { ticks: parts.flatMap(({ ticks }) => ticks), values: parts.flatMap(({ values }) => values) };
      if (!isDeepStrictEqual(found, samples)) wrong.push({ seed, run, samples, found });
      const ends = blocks.map(({ firstTick, lastTick, count }) => [firstTick, lastTick, count]);
      const decoded = parts.map(({ ticks }) => [ticks[0], ticks.at(-1), ticks.length]);
      if (!isDeepStrictEqual(ends, decoded)) wrong.push({ seed, run, ends, decoded });
    }
    expect(wrong).toEqual([]);
  });

  test(`gives back exactly what went in: ${runs(250_000)} random short series`, () => {
    const seed = drawSeed();
    const dice = createDice(seed);
    const wrong: unknown[] = [];
    for (let run = 0; run < runs(250_000) && wrong.length === 0; run += 1) {
      const samples = drawShort(dice);
      const found = decodeAll(encodeBlocks(samples));
      const isSame =
        found.ticks.length === samples.ticks.length &&
        found.values.length === samples.values.length &&
        samples.ticks.every((tick, index) => found.ticks[index] === tick) &&
        samples.values.every((value, index) => isSameValue(value, found.values[index]));
      if (!isSame) wrong.push({ seed, run, samples, found });
    }
    expect(wrong).toEqual([]);
  }, 600_000);

  test.each([
    ['numbers of every size', [...ODD_NUMBERS, 1.5, 21.4]],
    ['decimals that need different scales', [0.1, 1e11, 0.0001, 123456789.1234]],
    ['a feature that changed its type', [1, 2, true, 'on', 3, { gap: 'lost' }, 'off', false]],
    ['gaps alone', [{ gap: 'offline' }, { gap: 'hub_off', isUncertain: true }]],
  ] as const)('keeps %s', (_name, values: readonly Value[]) => {
    const samples = { ticks: values.map((_, index) => index * 7), values };
    expect(decodeAll(encodeBlocks(samples))).toEqual(samples);
  });

  test('of a thermometer takes less than two bytes a sample', () => {
    const dice = createDice(1);
    let value = 2150;
    let tick = 17_000_000_000;
    const values = Array.from({ length: 1440 }, () => (value += Math.round((dice() - 0.5) * 6)) / 100);
    const ticks = values.map(() => (tick += 600 + Math.round(dice() * 2)));
    const [block, ...others] = encodeBlocks({ ticks, values });
    expect(others).toEqual([]);
    expect((block?.data.length ?? Infinity) / 1440).toBeLessThan(2);
  });

  test(`that is damaged is never anything else than damaged: ${runs(20_000)} random ones`, () => {
    const seed = drawSeed();
    const dice = createDice(seed);
    const [good] = encodeBlocks(drawSamplesOf(dice, 200)) as [EncodedBlock];
    for (let run = 0; run < runs(20_000); run += 1) {
      const data = Buffer.from(good.data);
      const at = Math.floor(dice() * data.length);
      data[at] = (data[at] ?? 0) ^ (1 << Math.floor(dice() * 8));
      expect([seed, decodeBlock({ ...good, data })]).toEqual([seed, undefined]);
      const cut = good.data.subarray(0, at);
      expect([seed, decodeBlock({ ...good, data: cut })]).toEqual([seed, undefined]);
    }
  });

  test(`of random bytes with a right checksum never throws: ${runs(20_000)} random ones`, () => {
    const seed = drawSeed();
    const dice = createDice(seed);
    const wrong: unknown[] = [];
    for (let run = 0; run < runs(20_000) && wrong.length === 0; run += 1) {
      const bytes = Buffer.from(Array.from({ length: Math.floor(dice() * 60) }, () => Math.floor(dice() * 256)));
      // What cannot be inflated is refused at once, so that most of them can.
      const body = run % 20 === 0 ? bytes : deflated(bytes);
      for (const codec of [1, 2, 3, 4, 5]) {
        const count = Math.floor(dice() * 50);
        const found = decodeBlock({ codec, firstTick: 5, count, data: withChecksum(body) });
        const lengths = [found?.ticks.length ?? count, found?.values.length ?? count];
        if (lengths.some((length) => length !== count)) wrong.push({ seed, run, codec, count, lengths });
      }
      decodeJournalRow(withChecksum(body));
    }
    expect(wrong).toEqual([]);
  });
});

function drawSamplesOf(dice: Dice, count: number): Samples {
  const ticks = Array.from({ length: count }, (_, index) => index * 100);
  return { ticks, values: ticks.map(() => Math.round(dice() * 1000) / 10) };
}

describe('a row of the journal', () => {
  test(`gives back exactly what went in, with last values beside samples: ${runs(5_000)} random rows`, () => {
    const seed = drawSeed();
    const dice = createDice(seed);
    for (let run = 0; run < runs(5_000); run += 1) {
      const row = drawRow(dice);
      const found = decodeJournalRow(encodeJournalRow(row));
      const sorted = (values: JournalRow['values'] | undefined) =>
        values?.toSorted((left, right) => (String(left.series) < String(right.series) ? -1 : 1));
      expect({ seed, ...found, values: sorted(found?.values) }).toEqual({ seed, ...row, values: sorted(row.values) });
    }
  });
});

function drawRow(dice: Dice): JournalRow {
  let tick = 17_000_000_000;
  const samples = Array.from({ length: Math.floor(dice() * 60) }, () => ({
    series: 1 + Math.floor(dice() * 300),
    tick: (tick += Math.floor(dice() * 20)),
    value: pick(dice, KINDS)(dice),
  }));
  const lastOf = new Map(samples.map((sample) => [sample.series, sample]));
  const rides = [...lastOf.values()].filter(({ value }) => typeof value !== 'object' && dice() < 0.5);
  const time = (): number | null => pick(dice, [null, tick * 100 + Math.floor(dice() * 999), tick * 100 + dice(), -5]);
  const values = [
    ...rides.map(({ series, value }) => ({ series, value: value as SampleValue })),
    ...TEXTS.map((text, index) => ({ series: 1000 + index, value: { deep: [text, null, 0.1] } })),
    { series: 'a name \0 half \ud800', value: null },
  ].map((value) => ({ ...value, observedAtMs: time(), changedAtMs: time() }));
  return { samples, values, touches: [], meta: new Map([['clock', '{"a":1}']]) };
}
