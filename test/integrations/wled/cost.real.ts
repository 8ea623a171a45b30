// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { describe, expect, test } from 'vitest';
import { lightFromStatus } from '#integrations/wled/light.ts';
import { readSources } from '#integrations/peer/source.ts';
import { NO_LISTS, readNames, readPresets, readStatus } from '#integrations/wled/wled-message.ts';

const INFO = { mac: 'a0b0c0d1e010', name: 'Shelf', leds: { lc: 7 } };
const SEGMENT = { start: 0, stop: 30, on: true, bri: 255, cct: 127, col: [[1, 2, 3, 4]], fx: 0, pal: 0 };
const NOBODY = { sink: { reportRefused: () => undefined }, externalId: '' };

function takeStatus(text: string): number {
  const status = readStatus(text);
  if (status === undefined) return 0;
  return readSources(lightFromStatus(status, NO_LISTS).sources, ({ read }) => read?.(status), NOBODY).size;
}

describe('I1: what a light sends costs in proportion to its length', () => {
  test.each<[string, (count: number) => unknown, (text: string) => unknown]>([
    [
      'segments',
      (count) => ({ state: { on: true, seg: Array.from({ length: 400 * count }, () => SEGMENT) }, info: INFO }),
      takeStatus,
    ],
    ['a name', (count) => ({ state: { on: true }, info: { ...INFO, name: 'x'.repeat(40_000 * count) } }), takeStatus],
    ['effects', (count) => Array.from({ length: 2_000 * count }, () => 'same'), readNames],
    [
      'presets',
      (count) => Object.fromEntries(Array.from({ length: 2_000 * count }, (_, id) => [`p${id}`, {}])),
      readPresets,
    ],
  ])('%s', async (_what, make, take) => {
    const texts = [1, 2, 16].map((count) => JSON.stringify(make(count)));
    await countSteps(() => take(texts[0] ?? ''));
    const [few, many] = [await countSteps(() => take(texts[1] ?? '')), await countSteps(() => take(texts[2] ?? ''))];
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});
