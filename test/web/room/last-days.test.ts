import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HistoryAnswer } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { createDays, pathOf } from '#web/room/last-days.ts';

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

describe('the last days of many series', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const answerTo = (path: string): HistoryAnswer => {
    const names = (new URLSearchParams(path.split('?')[1]).get('series') ?? '').split(',');
    const series = names.map((name) => {
      const [id = '', key = ''] = name.split('/');
      return { series: name, device: { id, selector: id }, key, rows: [], gaps: [] };
    });
    return {
      from: new Date(0).toISOString(),
      to: new Date(960).toISOString(),
      time_zone: 'UTC',
      next: null,
      series,
    } as unknown as HistoryAnswer;
  };

  test('come with one question for fifty, and again every ten minutes while a page shows them', async () => {
    const asked: number[] = [];
    const days = createDays(
      {
        call: async <Json>(_method: string, path: string): Promise<Json> => {
          const answer = answerTo(path);
          asked.push(answer.series.length);
          return answer as Json;
        },
      },
      () => false,
    );
    const ends = Array.from({ length: 60 }, (_, index) => days.want(`d${index}/temperature`));
    await vi.advanceTimersByTimeAsync(100);
    expect(asked).toEqual([50, 10]);
    expect(days.of('d7/temperature').value?.range).toEqual(RANGE);
    // What another page wants is there already.
    days.want('d7/temperature')();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual([50, 10]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toEqual([50, 10, 50, 10]);
    for (const end of ends) end();
    await vi.advanceTimersByTimeAsync(1_200_000);
    expect(asked).toEqual([50, 10, 50, 10]);
  });

  test('are tried again where the hub was too busy', async () => {
    let tries = 0;
    const days = createDays(
      {
        call: async <Json>(_method: string, path: string): Promise<Json> => {
          tries += 1;
          if (tries === 1) throw new HubProblem(503, { code: 'OVERLOADED' }, 1);
          return answerTo(path) as Json;
        },
      },
      () => false,
    );
    days.want('a/temperature');
    await vi.advanceTimersByTimeAsync(100);
    expect(days.of('a/temperature').value).toBeUndefined();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(days.of('a/temperature').value?.range).toEqual(RANGE);
  });
});
