import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateFinder, refuseDates } from '#core/calendar/calendar.ts';
import { searchOf } from '#test/support/machine/runs.ts';

describe('the dates of a calendar', () => {
  test.each([
    ['a day of every year', ['12-25'], ['2026-12-25', '2031-12-25'], ['2026-12-24', '2026-11-25']],
    ['a day of one year', ['2026-04-03'], ['2026-04-03'], ['2027-04-03']],
    ['a range over the end of each year', ['12-24..01-06'], ['2026-12-31', '2027-01-06'], ['2027-01-07', '2026-12-23']],
    ['a range of one year', ['2026-07-20..2026-08-31'], ['2026-07-20', '2026-08-31'], ['2026-09-01', '2027-08-01']],
    ['29 February', ['02-29'], ['2028-02-29'], ['2027-02-28', '2027-03-01']],
    ['none', [], [], ['2026-01-01']],
  ])('can be %s', (...[, dates, inside, outside]) => {
    const has = dateFinder(dates);
    expect(inside.map(has)).toEqual(inside.map(() => true));
    expect(outside.map(has)).toEqual(outside.map(() => false));
  });

  test('are found as a scan of all ranges finds them', () => {
    const dayOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
    const day = fc.integer({ min: 19_700, max: 21_200 }).map(dayOf);
    const yearly = day.map((date) => date.slice(5));
    const range = fc.oneof(
      day,
      yearly,
      fc.tuple(day, day).map((pair) => pair.toSorted().join('..')),
      fc.tuple(yearly, yearly).map((pair) => pair.join('..')),
    );
    const isWithin = (date: string, one: string): boolean => {
      const [from = '', to = from] = one.split('..');
      const own = date.slice(-from.length);
      return from <= to ? from <= own && own <= to : own >= from || own <= to;
    };
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), fc.array(day, { minLength: 20 }), (dates, days) => {
        const has = dateFinder(dates);
        for (const one of days) expect(has(one)).toBe(dates.some((date) => isWithin(one, date)));
      }),
      searchOf(2_000),
    );
  });

  test.each([
    ['2026-02-29', 'is not a day of the calendar'],
    ['04-31', 'is not a day of the calendar'],
    ['2026-08-01..2026-07-01', 'must not end before it begins'],
    ['2026-08-01..08-03', 'must have a year on both sides or on none'],
  ])('that cannot be, as %s, are refused with the reason', (date, message) => {
    expect(refuseDates(['12-25', date], '/dates')).toMatchObject([
      { pointer: '/dates/1', code: 'INVALID_VALUE', message },
    ]);
  });

  test('that can be are not refused', () => {
    expect(refuseDates(['02-29', '12-24..01-06', '2028-02-29', '2026-07-20..2026-08-31'], '/dates')).toEqual([]);
  });
});
