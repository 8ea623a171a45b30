import { describe, expect, test } from 'vitest';
import { pathOf } from '#web/history/stretches.ts';

const RANGE = { fromMs: 0, toMs: 960 };

describe('the line of a day', () => {
  test('has a step for each value, and none where nothing is known', () => {
    const path = pathOf(
      [
        { fromMs: 0, toMs: 240, value: 20 },
        { fromMs: 240, toMs: 480, value: 24 },
        { fromMs: 480, toMs: 720, gap: 'offline' },
        { fromMs: 720, toMs: 960, value: 22 },
      ],
      RANGE,
      { min: 20, max: 24 },
    );
    expect(path).toBe('M0 23H24V1H48M72 12H96');
  });
  test('is flat in the middle if nothing changes', () => {
    expect(pathOf([{ fromMs: 0, toMs: 960, value: 20 }], RANGE, { min: 20, max: 20 })).toBe('M0 12H96');
  });
});
