import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { createTimeZone } from '#base/time/time-zone.ts';
import { BUCKETS, createBucketEdges } from '#core/past/history/bucket-edges.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const HOUR_MS = 3_600_000;
const iso = (atMs: number): string => new Date(atMs).toISOString();

/** All edges within the range, as ISO times. */
function edgesWithin(bucket: (typeof BUCKETS)[number], zone: string, [from, to]: readonly [string, string]): string[] {
  const edges = createBucketEdges(bucket, createTimeZone(zone));
  const found: string[] = [];
  for (let at = edges.startOf(Date.parse(from)); at <= Date.parse(to); at = edges.endOf(at)) found.push(iso(at));
  return found;
}

describe('the edges of buckets', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-11-22', 24],
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['Africa/Cairo', '2024-04-26', 23],
    ['America/Havana', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Antarctica/Troll', '2026-03-29', 22],
    ['Pacific/Apia', '2011-12-29', 24],
  ])('in %s the day %s has %s hours', (name, date, hours) => {
    const zone = createTimeZone(name);
    const edges = createBucketEdges('1d', zone);
    const start = edges.startOf(zone.instantOf(Date.parse(`${date}T12:00:00Z`)));
    expect((edges.endOf(start) - start) / HOUR_MS).toBe(hours);
  });

  test('a day that a zone leaves out has no bucket', () => {
    expect(edgesWithin('1d', 'Pacific/Apia', ['2011-12-29T11:00:00Z', '2011-12-31T11:00:00Z'])).toEqual([
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      '2011-12-31T10:00:00.000Z',
    ]);
  });

  test('hours begin at whole local hours', () => {
    expect(edgesWithin('1h', 'Asia/Kathmandu', ['2026-11-22T10:00:00Z', '2026-11-22T11:30:00Z'])).toEqual([
      '2026-11-22T09:15:00.000Z',
      '2026-11-22T10:15:00.000Z',
      '2026-11-22T11:15:00.000Z',
    ]);
  });

  test('half an hour that a clock repeats is a bucket of its own', () => {
    expect(edgesWithin('1h', 'Australia/Lord_Howe', ['2026-04-04T14:00:00Z', '2026-04-04T16:00:00Z'])).toEqual([
      '2026-04-04T14:00:00.000Z',
      '2026-04-04T15:00:00.000Z',
      '2026-04-04T15:30:00.000Z',
    ]);
  });

  test('weeks begin on Monday and months on their first', () => {
    expect(edgesWithin('1w', 'Europe/Berlin', ['2026-11-22T10:00:00Z', '2026-11-24T00:00:00Z'])).toEqual([
      '2026-11-15T23:00:00.000Z',
      '2026-11-22T23:00:00.000Z',
    ]);
    expect(edgesWithin('1mo', 'Europe/Berlin', ['2026-03-30T10:00:00Z', '2026-04-01T00:00:00Z'])).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
    ]);
  });

  test('every instant is in exactly one bucket', () => {
    const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Cairo', 'America/St_Johns', 'UTC'];
    const known = new Map(zones.map((name) => [name, createTimeZone(name)]));
    const atMs = fc.integer({ min: Date.parse('2015-01-01'), max: Date.parse('2035-01-01') });
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...BUCKETS), atMs, (name, bucket, at) => {
        // They remember the bucket that was asked for last.
        const open = () => createBucketEdges(bucket, known.get(name) ?? createTimeZone(name));
        const edges = open();
        const start = edges.startOf(at);
        const end = edges.endOf(start);
        expect(start <= at && at < end).toBe(true);
        expect(open().endOf(start)).toBe(end);
        for (const one of [edges, open()]) {
          expect(one.startOf(start)).toBe(start);
          expect(one.startOf(end - 1)).toBe(start);
          expect(one.startOf(end)).toBe(end);
          expect(one.startOf(start - 1)).toBeLessThan(start);
        }
      }),
      searchOf(20_000),
    );
  });
});
