import * as astronomy from 'astronomy-engine';
import * as fc from 'fast-check';
import { Cron } from 'croner';
import { describe, expect, test, vi } from 'vitest';
import { createCivilTime, type CivilTime } from '#automations/civil-time.ts';
import type { CivilPorts } from '#automations/civil-plan.ts';
import { faultOfCron } from '#automations/cron.ts';
import { createTimeZone, type TimeZone } from '#base/time/time-zone.ts';
import type { SunTrigger, TimeTrigger } from '#core/automation/document/trigger.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { drawSeed, runs, searchOf } from '#test/support/machine/runs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2024, 0, 1);
const TO_MS = Date.UTC(2036, 0, 1);
const BERLIN = { latitude: 52.5, longitude: 13.4 };

function civilTimeIn(zone: string | TimeZone, ports: Partial<CivilPorts> = {}): CivilTime {
  const opened = typeof zone === 'string' ? createTimeZone(zone) : zone;
  return createCivilTime({
    zone: () => opened,
    place: () => undefined,
    isFree: () => false,
    timeIn: () => undefined,
    ...ports,
  });
}
const time = (fields: Omit<TimeTrigger, 'id' | 'type'>): TimeTrigger => ({ id: 't1', type: 'time', ...fields });
const sun = (fields: Omit<SunTrigger, 'id' | 'type'>): SunTrigger => ({ id: 't1', type: 'sun', ...fields });

/** All times of a rule after `fromMs` and before `toMs`, as text. */
function timesOf(
  civil: CivilTime,
  rule: TimeTrigger | SunTrigger,
  [from, to]: readonly [string, string],
): readonly string[] {
  const found: string[] = [];
  for (
    let at = civil.next(rule, Date.parse(from));
    at !== undefined && at < Date.parse(to);
    at = civil.next(rule, at)
  ) {
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('clock times', () => {
  test('come at the end of a jump that leaves them out, and at the first of two', () => {
    const civil = civilTimeIn('Europe/Berlin');
    const rule = time({ at: '02:30' });
    expect(timesOf(civil, rule, ['2025-03-29T00:00Z', '2025-04-01T00:00Z'])).toEqual([
      '2025-03-29T01:30',
      '2025-03-30T01:00',
      '2025-03-31T00:30',
    ]);
    expect(timesOf(civil, rule, ['2025-10-25T00:00Z', '2025-10-28T00:00Z'])).toEqual([
      '2025-10-25T00:30',
      '2025-10-26T00:30',
      '2025-10-27T01:30',
    ]);
  });

  test('come once where two of them fall on the end of one jump', () => {
    const rule = time({ at: ['02:15', '02:45', '03:00'] });
    expect(timesOf(civilTimeIn('Europe/Berlin'), rule, ['2025-03-30T00:00Z', '2025-03-30T22:00Z'])).toEqual([
      '2025-03-30T01:00',
    ]);
  });

  test('leave out a day that the zone left out', () => {
    const rule = time({ at: '12:00' });
    expect(timesOf(civilTimeIn('Pacific/Apia'), rule, ['2011-12-28T00:00Z', '2012-01-01T00:00Z'])).toEqual([
      '2011-12-28T22:00',
      '2011-12-29T22:00',
      '2011-12-30T22:00',
      '2011-12-31T22:00',
    ]);
    const friday = time({ at: '12:00', dates: ['2011-12-30'] });
    expect(civilTimeIn('Pacific/Apia').next(friday, Date.parse('2011-12-01T00:00Z'))).toBeUndefined();
  });

  test('hold on their weekdays, dates and free days alone', () => {
    const civil = civilTimeIn('UTC', { isFree: (date) => date === '2026-12-25' });
    const all = (fields: Omit<TimeTrigger, 'id' | 'type'>): readonly string[] =>
      timesOf(civil, time({ at: '08:00', ...fields }), ['2026-12-19T00:00Z', '2027-01-08T00:00Z']).map((at) =>
        at.slice(5, 10),
      );
    expect(all({ days: ['sun'] })).toEqual(['12-20', '12-27', '01-03']);
    expect(all({ days: ['workday'], dates: ['12-24..12-28'] })).toEqual(['12-24', '12-28']);
    expect(all({ dates: ['12-30..01-02'], except_dates: ['2027-01-01'] })).toEqual(['12-30', '12-31', '01-02']);
    expect(all({ dates: ['2026-12-31..2027-01-01'] })).toEqual(['12-31', '01-01']);
  });

  test('wait for 29 February, and end where no date is left', () => {
    const civil = civilTimeIn('Europe/Berlin');
    const next = civil.next(time({ at: '00:00', dates: ['02-29'] }), Date.parse('2096-03-01T00:00Z'));
    expect(new Date(next ?? 0).toISOString()).toBe('2104-02-28T23:00:00.000Z');
    expect(civil.next(time({ at: '00:00', dates: ['2026-01-01'] }), Date.parse('2026-06-01T00:00Z'))).toBeUndefined();
    expect(civil.next(time({ every_s: 60, dates: ['2026-01-01'] }), Date.parse('2026-06-01T00:00Z'))).toBeUndefined();
    for (const cron of ['0 0 30 2 *', 'a b c d e', '0 0 a * *']) {
      expect(civil.next(time({ cron }), Date.parse('2026-06-01T00:00Z'))).toBeUndefined();
    }
  });

  test('of a variable follow it, and do not come while it holds no clock time', () => {
    let held: string | undefined = '06:45';
    const civil = civilTimeIn('UTC', { timeIn: (name) => (name === 'wake' ? held : undefined) });
    const rule = time({ at: { variable: 'wake' } });
    expect(civil.next(rule, Date.UTC(2026, 0, 1))).toBe(Date.UTC(2026, 0, 1, 6, 45));
    held = '07:00:30';
    expect(civil.next(rule, Date.UTC(2026, 0, 1))).toBe(Date.UTC(2026, 0, 1, 7, 0, 30));
    held = 'soon';
    expect(civil.next(rule, Date.UTC(2026, 0, 1))).toBeUndefined();
  });

  test('move with the zone of the hub', () => {
    let zone = createTimeZone('Europe/Berlin');
    const civil = civilTimeIn(zone, { zone: () => zone });
    const rule = time({ cron: '*/30 7 * * *' });
    expect(civil.next(rule, Date.UTC(2026, 0, 1))).toBe(Date.UTC(2026, 0, 1, 6));
    zone = createTimeZone('Asia/Kathmandu');
    expect(civil.next(rule, Date.UTC(2026, 0, 1))).toBe(Date.UTC(2026, 0, 1, 1, 15));
  });
});

describe('patterns', () => {
  test('of plain numbers are clock times: each comes once on each of its dates', () => {
    const civil = civilTimeIn('Europe/Berlin');
    const rule = time({ cron: '0,30 2,3 * * *' });
    expect(timesOf(civil, rule, ['2025-10-25T22:00Z', '2025-10-26T22:00Z'])).toEqual([
      '2025-10-26T00:00',
      '2025-10-26T00:30',
      '2025-10-26T02:00',
      '2025-10-26T02:30',
    ]);
  });

  test('with a star, range or step go on by elapsed time', () => {
    const civil = civilTimeIn('Europe/Berlin');
    const rule = time({ cron: '*/30 * * * *' });
    expect(timesOf(civil, rule, ['2025-10-25T23:45Z', '2025-10-26T02:15Z'])).toEqual([
      '2025-10-26T00:00',
      '2025-10-26T00:30',
      '2025-10-26T01:00',
      '2025-10-26T01:30',
      '2025-10-26T02:00',
    ]);
    expect(timesOf(civil, time({ cron: '0 12 1 */3 *' }), ['2026-01-01T00:00Z', '2026-08-01T00:00Z'])).toEqual([
      '2026-01-01T11:00',
      '2026-04-01T10:00',
      '2026-07-01T10:00',
    ]);
  });

  test('hold on their days alone, however many times of other days lie between', () => {
    const civil = civilTimeIn('UTC');
    const rule = time({ cron: '* * * * *', dates: ['2033-07-01'] });
    expect(civil.next(rule, FROM_MS)).toBeUndefined();
    expect(civil.next(rule, Date.UTC(2026, 0, 1))).toBe(Date.UTC(2033, 6, 1));
    expect(civil.last(rule, FROM_MS, Date.UTC(2034, 0, 1))).toBe(Date.UTC(2033, 6, 1, 23, 59));
  });

  test('that never meet their days are looked for no longer than nine years', () => {
    const civil = civilTimeIn('UTC');
    // The first day of 1970 was a Thursday.
    const weekly = time({ every_s: 604_800, days: ['fri'] });
    expect(civil.next(weekly, FROM_MS)).toBeUndefined();
    expect(civil.last(weekly, 0, FROM_MS)).toBeUndefined();
    expect(civil.next(time({ every_s: 604_800, days: ['thu'] }), FROM_MS)).toBe(Date.UTC(2024, 0, 4));
    const asked = vi.spyOn(Cron.prototype, 'nextRun');
    expect(civil.next(time({ cron: '*/5 6 * * 1', days: ['tue'] }), FROM_MS)).toBeUndefined();
    expect(asked.mock.calls.length).toBeLessThan(500);
    asked.mockClear();
    for (const dates of [['02-30'], ['12-20..01-06']]) {
      const last = civil.last(time({ cron: '*/5 * * * *', dates }), Date.UTC(2024, 0, 7), Date.UTC(2024, 11, 19));
      expect(last).toBeUndefined();
    }
    expect(asked.mock.calls.length).toBeLessThan(50);
    asked.mockRestore();
  });

  test.each([
    ['* * * 1-6 *', '2026-12-31T12:00Z', '2026-06-30T23:59'],
    ['*/5 * * 5-9 *', '2027-04-30T12:00Z', '2026-09-30T23:55'],
    ['0 7 29 2 *', '2027-12-01T00:00Z', '2024-02-29T07:00'],
    ['0 0 30 2 *', '2027-12-01T00:00Z', undefined],
  ])('before now are found with few looks: %s', (cron, now, last) => {
    const civil = civilTimeIn('UTC');
    const asked = vi.spyOn(Cron.prototype, 'nextRun');
    const found = civil.last(time({ cron }), 0, Date.parse(now));
    const looks = asked.mock.calls.length;
    asked.mockRestore();
    expect(found && new Date(found).toISOString().slice(0, 16)).toBe(last);
    expect(looks).toBeLessThan(150);
  });

  test('before now are the same as those that come one after the other', () => {
    const dice = createDice(drawSeed());
    const field = (least: number, most: number): string => {
      const one = (): number => least + Math.floor(dice() * (most - least + 1));
      return ['*', '*/7', String(one()), `${least}-${one()}`, `${one()},${one()}`][Math.floor(dice() * 5)] ?? '*';
    };
    for (let at = 0; at < runs(100, 30); at += 1) {
      const cron = `${field(0, 59)} ${field(0, 23)} ${field(1, 28)} ${field(1, 12)} ${field(0, 6)}`;
      const rule = time({ cron, ...(at % 4 === 0 && { days: ['mon', 'thu'] }) });
      const civil = civilTimeIn(['UTC', 'Europe/Berlin', 'Australia/Lord_Howe'][at % 3] ?? 'UTC');
      const fromMs = FROM_MS + Math.floor(dice() * (TO_MS - FROM_MS));
      let last: number | undefined;
      let toMs = fromMs;
      for (let count = 0; count < 20; count += 1) {
        const next = civil.next(rule, toMs);
        if (next === undefined) break;
        expect([rule.cron, civil.last(rule, fromMs, next - 1)]).toEqual([rule.cron, last]);
        expect([rule.cron, civil.last(rule, fromMs, next)]).toEqual([rule.cron, next]);
        toMs = last = next;
      }
    }
  });
});

test.each([
  ['*/15 6-22 * * 1-5', undefined],
  ['0 0 L * *', undefined],
  ['30 7 * * MON', undefined],
  ['0 0 30 2 *', 'never comes'],
  ['@daily', 'must have five fields: minute, hour, day, month, weekday'],
  ['0 * * * * *', 'must have five fields: minute, hour, day, month, weekday'],
  ['2026-01-01T00:00:00', 'must have five fields: minute, hour, day, month, weekday'],
  ['61 * * * *', expect.stringContaining('is not a pattern')],
  ['*/0 * * * *', expect.stringContaining('is not a pattern')],
  ['a b c d e', expect.stringContaining('is not a pattern')],
])('checks the pattern "%s"', (pattern, fault) => {
  expect(faultOfCron(pattern)?.message).toEqual(fault);
});

/** The instants at which a zone changes its offset. */
function changesOf(zone: TimeZone): readonly number[] {
  const changes: number[] = [];
  for (let to = TO_MS; ;) {
    const change = zone.changeWithin(FROM_MS, to);
    if (change === undefined) return changes;
    changes.push(change);
    to = change - 1;
  }
}

/** For each of these clock times and each date around a change: the first minute that is not before it. */
function scan(zone: TimeZone, aroundMs: number, clocks: readonly number[]): readonly (readonly number[])[] {
  const found = clocks.map(() => [] as number[]);
  const fromMs = Math.floor((aroundMs - 2 * DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const passed = clocks.map(() => -Infinity);
  for (let atMs = fromMs; atMs < aroundMs + 2 * DAY_MS; atMs += MINUTE_MS) {
    const localMs = atMs + zone.offsetMs(atMs);
    for (const [index, clockMs] of clocks.entries()) {
      const day = Math.floor((localMs - clockMs) / DAY_MS);
      if (day > (passed[index] ?? 0) && passed[index] !== -Infinity) found[index]?.push(atMs);
      passed[index] = Math.max(day, passed[index] ?? 0);
    }
  }
  return found;
}

const clockText = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

describe('each change of the clock in each zone until 2035', () => {
  const zones = Intl.supportedValuesOf('timeZone').map(createTimeZone);
  const dice = createDice(drawSeed());
  const all = zones
    .flatMap((zone) => changesOf(zone).map((changeMs) => ({ zone, changeMs, place: dice() })))
    .toSorted((one, other) => one.place - other.place);
  /** Many zones change alike: one of them, another one in each run. */
  const alike = new Map(
    all.map((one) => [
      [one.changeMs, one.zone.offsetMs(one.changeMs - 1), one.zone.offsetMs(one.changeMs)].join(),
      one,
    ]),
  );
  const cases = [...alike.values()].slice(0, runs(alike.size));

  test('is many', () => {
    expect(zones.length).toBeGreaterThan(400);
    expect(all.length).toBeGreaterThan(2000);
    expect(alike.size).toBeGreaterThan(300);
  });

  test('lets clock times and patterns come once on each date', () => {
    for (const { zone, changeMs } of cases) {
      const civil = civilTimeIn(zone);
      const around = [-1, -31 * MINUTE_MS, 0, 30 * MINUTE_MS, 61 * MINUTE_MS].map((ms) => changeMs + ms);
      const clocks = [
        ...around.map((atMs) => atMs + zone.offsetMs(changeMs - 1)),
        ...around.map((atMs) => atMs + zone.offsetMs(changeMs)),
      ].map((localMs) => Math.floor((((localMs % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS) * MINUTE_MS);
      const expected = scan(zone, changeMs, clocks);
      for (const [index, clockMs] of clocks.entries()) {
        const text = clockText(clockMs);
        const [hour, minute] = text.split(':').map(Number);
        for (const rule of [time({ at: text }), time({ cron: `${minute} ${hour} * * *` })]) {
          const wanted = expected[index] ?? [];
          const found: number[] = [];
          const firstMs = (wanted[0] ?? 0) - 1;
          for (
            let at = civil.next(rule, firstMs);
            found.length < wanted.length && at !== undefined;
            at = civil.next(rule, at)
          ) {
            found.push(at);
          }
          expect({ zone: zone.name, text, found }).toEqual({ zone: zone.name, text, found: wanted });
          for (const atMs of wanted) {
            expect(civil.last(rule, changeMs - 4 * DAY_MS, atMs)).toBe(atMs);
            expect(civil.last(rule, atMs, atMs + MINUTE_MS)).toBeUndefined();
          }
        }
      }
    }
  });

  test('moves neither intervals nor patterns with a step', () => {
    for (const { zone, changeMs } of cases) {
      const civil = civilTimeIn(zone);
      const fromMs = changeMs - 3 * HOUR_MS;
      for (const rule of [time({ cron: '*/15 * * * *' }), time({ every_s: 900 })]) {
        let atMs = Math.floor(fromMs / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
        for (let count = 0; count < 24; count += 1) {
          const next = civil.next(rule, atMs);
          expect({ zone: zone.name, next }).toEqual({ zone: zone.name, next: atMs + 15 * MINUTE_MS });
          expect(civil.last(rule, fromMs - DAY_MS, atMs + 15 * MINUTE_MS - 1)).toBe(atMs);
          atMs += 15 * MINUTE_MS;
        }
      }
    }
  });

  test('leaves one sunset to each date', () => {
    for (const { zone, changeMs } of cases) {
      // Noon of the sun near that of the clock, so that the place is one where the zone could hold.
      const longitude = (((((zone.offsetMs(changeMs) / HOUR_MS) * 15 + 180) % 360) + 360) % 360) - 180;
      const civil = civilTimeIn(zone, { place: () => ({ latitude: 40, longitude }) });
      let atMs = changeMs - 3 * DAY_MS;
      const dates = new Set<string>();
      for (let count = 0; count < 6; count += 1) {
        atMs = civil.next(sun({ event: 'sunset' }), atMs) ?? 0;
        dates.add(new Date(atMs + zone.offsetMs(atMs)).toISOString().slice(0, 10));
      }
      expect({ zone: zone.name, dates: dates.size, days: Math.round((atMs - changeMs) / DAY_MS) }).toEqual({
        zone: zone.name,
        dates: 6,
        days: expect.toSatisfy((days: number) => days === 2 || days === 3),
      });
    }
  });
});

describe('the sun', () => {
  const DEPTHS = { sunrise: -0.833, sunset: -0.833, dawn: -6, dusk: -6 } as const;

  test('rises and sets within a minute of a second almanac', () => {
    const cases = fc.record({
      latitude: fc.double({ min: -58, max: 58, noNaN: true }),
      longitude: fc.double({ min: -179, max: 179, noNaN: true }),
      day: fc.integer({ min: FROM_MS / DAY_MS, max: TO_MS / DAY_MS }),
      event: fc.constantFrom('sunrise' as const, 'sunset' as const, 'dawn' as const, 'dusk' as const),
    });
    fc.assert(
      fc.property(cases, ({ latitude, longitude, day, event }) => {
        const zone = createTimeZone(`Etc/GMT${offsetName(longitude)}`);
        const civil = civilTimeIn(zone, { place: () => ({ latitude, longitude }) });
        const localNoonMs = day * DAY_MS + DAY_MS / 2 - zone.offsetMs(0);
        const rises = event === 'sunrise' || event === 'dawn';
        const seen = astronomy.SearchAltitude(
          astronomy.Body.Sun,
          new astronomy.Observer(latitude, longitude, 0),
          rises ? 1 : -1,
          new Date(localNoonMs - (rises ? DAY_MS / 2 + HOUR_MS : HOUR_MS)),
          1,
          DEPTHS[event],
        );
        const own = civil.next(sun({ event }), localNoonMs - (rises ? DAY_MS / 2 + HOUR_MS : HOUR_MS));
        expect(Math.abs((own ?? 0) - (seen?.date.getTime() ?? 0))).toBeLessThan(MINUTE_MS);
      }),
      searchOf(2000),
    );
  });

  test('has no moment on some days in the north, which skips them or takes a clock time', () => {
    const civil = civilTimeIn('Europe/Oslo', { place: () => ({ latitude: 69.6, longitude: 18.9 }) });
    const from = '2026-06-01T00:00Z';
    expect(timesOf(civil, sun({ event: 'sunset' }), [from, '2026-07-20T00:00Z'])).toEqual([]);
    expect(timesOf(civil, sun({ event: 'sunset', if_none: '22:00' }), [from, '2026-06-03T12:00Z'])).toEqual([
      '2026-06-01T20:00',
      '2026-06-02T20:00',
    ]);
  });

  test('is moved, and held between two clock times', () => {
    const civil = civilTimeIn('Europe/Berlin', { place: () => BERLIN });
    const next = (fields: Partial<SunTrigger>): string =>
      new Date(civil.next(sun({ event: 'sunset', ...fields }), Date.parse('2026-12-01T00:00Z')) ?? 0)
        .toISOString()
        .slice(11, 16);
    expect(next({})).toBe('14:56');
    expect(next({ offset_s: 900 })).toBe('15:11');
    expect(next({ not_before: '17:30' })).toBe('16:30');
    expect(next({ not_after: '15:00' })).toBe('14:00');
  });

  test('passes a height on its way up and down', () => {
    const civil = civilTimeIn('Europe/Berlin', { place: () => BERLIN });
    for (const rising of [true, false]) {
      const atMs =
        civil.next(sun({ event: 'elevation', elevation_deg: 10, rising }), Date.parse('2026-06-01T00:00Z')) ?? 0;
      expect(civil.sun(atMs)?.elevationDeg).toBeCloseTo(10, 1);
      expect(Math.sign((civil.sun(atMs + MINUTE_MS)?.elevationDeg ?? 0) - 10)).toBe(rising ? 1 : -1);
    }
    const never = sun({ event: 'elevation', elevation_deg: 80, rising: true });
    expect(civil.next(never, Date.parse('2026-06-01T00:00Z'))).toBeUndefined();
  });

  test('is unknown while nobody said where the hub stands', () => {
    const civil = civilTimeIn('Europe/Berlin');
    expect(civil.sun(FROM_MS)).toBeUndefined();
    expect(civil.next(sun({ event: 'sunset' }), FROM_MS)).toBeUndefined();
  });

  test('gives the moments of today in seconds of the day', () => {
    const civil = civilTimeIn('Europe/Berlin', { place: () => BERLIN });
    const seen = civil.sun(Date.parse('2026-12-01T23:30:00+01:00'));
    expect(seen?.secondOf('sunset')).toBeCloseTo(15 * 3600 + 56 * 60, -2);
    expect(seen?.secondOf('noon')).toBeCloseTo(12 * 3600 - 5 * 60, -3);
  });
});

test('a moment has the weekday of the place, and that of the day before', () => {
  const civil = civilTimeIn('America/New_York', { isFree: (date) => date === '2026-11-26' });
  expect(civil.moment(Date.parse('2026-11-27T04:59:59Z'))).toEqual({
    today: { weekday: 'thu', isWorkday: false },
    yesterday: { weekday: 'wed', isWorkday: true },
    secondOfDay: 86_399,
  });
});

/** Etc zones have the sign of POSIX. */
function offsetName(longitude: number): string {
  const hours = Math.round(longitude / 15);
  return hours === 0 ? '' : `${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
