import { describe, expect, test } from 'vitest';
import type { Feature } from '#core/feature/feature.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { isRecordedByItself, seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { csvFile, withTitles } from '#web/history/csv.ts';
import {
  chartOf,
  drawnAtFirst,
  indexAt,
  isRecordable,
  joined,
  lineOf,
  scaleOf,
  stretchesOf,
} from '#web/history/stretches.ts';
import { createMoments } from '#web/history/time-axis.ts';

const RANGE = { fromMs: 1000, toMs: 2000 };
const gap = (from: number, to: number, reason: 'offline' | 'hub_off' = 'offline') => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  reason,
  from_uncertain: false,
});

describe('the rows of an answer', () => {
  test('hold until the next one, from what held before to the end', () => {
    const rows = [
      [1200, 2],
      [1500, 3],
    ];
    expect(stretchesOf({ rows, before: [10, 1], gaps: [] }, RANGE)).toEqual([
      { fromMs: 1000, toMs: 1200, value: 1 },
      { fromMs: 1200, toMs: 1500, value: 2 },
      { fromMs: 1500, toMs: 2000, value: 3 },
    ]);
  });

  test('end at a gap, and nothing is known until the next row', () => {
    const stretches = stretchesOf(
      { rows: [[1700, 3]], before: [10, 1], gaps: [gap(1100, 1300), gap(1300, 1700, 'hub_off')] },
      RANGE,
    );
    expect(stretches).toEqual([
      { fromMs: 1000, toMs: 1100, value: 1 },
      { fromMs: 1100, toMs: 1300, gap: 'offline' },
      { fromMs: 1300, toMs: 1700, gap: 'hub_off' },
      { fromMs: 1700, toMs: 2000, value: 3 },
    ]);
    expect(lineOf(stretches)).toEqual([
      [1000, 1100, 1100, 1700, 2000],
      [1, 1, null, 3, 3],
    ]);
  });

  test('are unknown before the first one, and none at all if nothing was recorded', () => {
    expect(stretchesOf({ rows: [[1600, 1]], before: null, gaps: [] }, RANGE)).toEqual([
      { fromMs: 1600, toMs: 2000, value: 1 },
    ]);
    expect(stretchesOf({ rows: [], before: null, gaps: [] }, RANGE)).toEqual([]);
    expect(lineOf([])).toEqual([[], []]);
  });

  test('a gap up to the end leaves no line behind it', () => {
    const stretches = stretchesOf({ rows: [[1100, 5]], before: null, gaps: [gap(1500, 2000)] }, RANGE);
    expect(lineOf(stretches)).toEqual([
      [1100, 1500],
      [5, 5],
    ]);
  });

  test('a state that is reported again is the same bar, but not across a gap', () => {
    const rows = [
      [1000, true],
      [1200, true],
      [1600, true],
    ];
    expect(joined(stretchesOf({ rows, before: null, gaps: [gap(1400, 1600)] }, RANGE))).toEqual([
      { fromMs: 1000, toMs: 1400, value: true },
      { fromMs: 1400, toMs: 1600, gap: 'offline' },
      { fromMs: 1600, toMs: 2000, value: true },
    ]);
  });

  test('are found by a moment', () => {
    const stretches = stretchesOf({ rows: [[1500, 2]], before: [1, 1], gaps: [] }, RANGE);
    expect([999, 1000, 1499, 1500, 5000].map((atMs) => indexAt(stretches, atMs))).toEqual([0, 0, 0, 1, 1]);
  });
});

test('the page draws what the hub records by itself', () => {
  for (const capability of ['x.other', ...Object.keys(VOCABULARY)]) {
    for (const kind of ['state', 'event', 'action'] as const)
      for (const category of ['primary', 'config', 'diagnostic'] as const)
        for (const valueType of ['boolean', 'number', 'string', 'enum', 'object', 'list'] as const) {
          const isRecorded = isRecordedByItself({ capability, kind, category, valueType } as Feature);
          const chart = chartOf({ capability, kind, category, value_type: valueType });
          const found = [capability, kind, category, valueType, chart !== null];
          const canBe = isRecordable({ capability, kind, category, value_type: valueType });
          expect([...found, canBe]).toEqual([
            ...found,
            seriesKindOf({ capability, kind, category, valueType } as Feature) !== null,
          ]);
          // What only happens has no value over time.
          expect(found).toEqual([capability, kind, category, valueType, isRecorded && kind === 'state']);
        }
  }
});

describe('the time axis', () => {
  const HOUR_MS = 3_600_000;
  const range = (to: string, hours: number) => ({ fromMs: Date.parse(to) - hours * HOUR_MS, toMs: Date.parse(to) });
  const labelsOf = (zone: string, to: string, [span, hours]: ['hours' | 'day' | 'week' | 'month', number]) =>
    createMoments(zone, 'en-GB')
      .marks(range(to, hours), span)
      .map(({ atMs, label }) => `${label} ${new Date(atMs).toISOString().slice(11, 16)}`);

  test.each([
    ['Europe/Berlin', ['12:00 11:00', '18:00 17:00', '0:00 23:00', '6:00 05:00']],
    ['Asia/Kathmandu', ['18:00 12:15', '0:00 18:15', '6:00 00:15', '12:00 06:15']],
    ['No/Such_Zone', ['12:00 12:00', '18:00 18:00', '0:00 00:00', '6:00 06:00']],
  ])('has the whole hours of the hub in %s', (zone, labels) => {
    expect(labelsOf(zone, '2026-11-22T10:10:00Z', ['day', 24])).toEqual(labels);
  });

  test('has midnights as its days, also over a change of the clocks', () => {
    expect(labelsOf('Europe/Berlin', '2026-10-27T10:00:00Z', ['week', 7 * 24])).toEqual([
      'Wed 22:00',
      'Thu 22:00',
      'Fri 22:00',
      'Sat 22:00',
      'Sun 22:00',
      'Mon 23:00',
      'Tue 23:00',
    ]);
    expect(labelsOf('Europe/Berlin', '2026-03-29T04:00:00Z', ['hours', 6])).toEqual([
      '0:00 23:00',
      '3:00 01:00',
      '4:00 02:00',
      '6:00 04:00',
    ]);
  });

  test('is short with a clock of twelve hours', () => {
    const marks = createMoments('Europe/Berlin', 'en-US').marks(range('2026-11-22T10:10:00Z', 24), 'day');
    expect(marks.map(({ label }) => label.replace(/\s/, ' '))).toEqual(['12 PM', '6 PM', '12 AM', '6 AM']);
  });

  test('counts the weeks of a month back from its last day', () => {
    expect(labelsOf('Europe/Berlin', '2026-11-22T10:00:00Z', ['month', 30 * 24])).toEqual([
      '25 Oct 22:00',
      '1 Nov 23:00',
      '8 Nov 23:00',
      '15 Nov 23:00',
      '22 Nov 23:00',
    ]);
  });
});

describe('the CSV', () => {
  test('has one header, and 50 features in each question', async () => {
    const asked: number[] = [];
    const keys = Array.from({ length: 51 }, (_, index) => `f${index}`);
    const file = await csvFile(keys, async (some) => {
      asked.push(some.length);
      return new Blob(['series,at,value,gap\r\n', ...some.map((key) => `a/${key},2026-11-22T09:00:00.000Z,1,\r\n`)]);
    });
    expect(asked).toEqual([50, 1]);
    const lines = (await file.text()).split('\r\n');
    expect([lines.length, lines[0], lines[51]]).toEqual([
      53,
      'series,at,value,gap',
      'a/f50,2026-11-22T09:00:00.000Z,1,',
    ]);
  });

  test.each([',', ';'])('as a table has titles for people, none of which a spreadsheet runs (%s)', async (sign) => {
    const rows = `2026-11-22 11:00:10${sign}20${sign === ';' ? ',' : '.'}5${sign}1\r\n`;
    const table = new Blob([`\uFEFF${['time', 'a/temperature', 'a/on'].join(sign)}\r\n${rows}`]);
    const file = await withTitles(table, ['Küche – Lampe: Temperatur (°C)', '=1+1;2']);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
    expect(text).toBe(`\uFEFF${['Time', 'Küche – Lampe: Temperatur (°C)', `"'=1+1;2"`].join(sign)}\r\n${rows}`);
  });
});

test('the axis of a percentage stays within 0 and 100, and what never changed has one around it', () => {
  const scale = (min: number, max: number, isPercent: boolean) => scaleOf([min, max], isPercent, [min - 5, max + 5]);
  expect(scale(96, 100, true)).toEqual([91, 100]);
  expect(scale(0, 4, true)).toEqual([0, 9]);
  expect(scale(7, 7, true)).toEqual([0, 100]);
  // A sensor that tells nonsense is drawn as it is.
  expect(scale(105, 110, true)).toEqual([100, 115]);
  expect(scale(2_700, 2_700, false)).toEqual([2_430, 2_970]);
});

describe('a device draws at first', () => {
  const feature = (capability: string, type: 'number' | 'boolean') =>
    ({ capability, kind: 'state', category: 'primary', value_type: type }) as const;
  const [white, level] = [feature('color_temperature', 'number'), feature('brightness', 'number')];
  const onOff = feature('on', 'boolean');
  const steady = { min: 2700, max: 2700 };
  const unknown = { min: null, max: null };
  const changing = { min: 5, max: 70 };

  test.each([
    ['not the number that never changed', { color_temperature: steady, brightness: changing }, [level, onOff]],
    ['every number that changed or is not read yet', { brightness: changing }, [white, level, onOff]],
    ['a number that nobody knows', { color_temperature: unknown, brightness: steady }, [white, onOff]],
    ['what is on or off, also if it stayed so', { color_temperature: steady, brightness: steady }, [onOff]],
  ] as const)('%s', (_what, summaries: Readonly<Record<string, typeof steady | typeof unknown>>, drawn) => {
    expect(drawnAtFirst([white, level, onOff], ({ capability }) => summaries[capability])).toEqual(drawn);
  });

  test('the only number, although it never changed', () => {
    expect(drawnAtFirst([white, level], () => steady)).toEqual([white]);
  });
});
