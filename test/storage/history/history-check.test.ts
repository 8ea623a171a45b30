import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { checkHistory, type HistoryCheckDeps, type Finding } from '#core/past/hour/history-check.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { sqlite } from '#test/storage/storage-harness.ts';
import { DAY_MS, HOUR_MS, openHoursHome, type HoursHome } from '#test/storage/hours/hours-home.ts';

const START_MS = Date.parse('2026-03-20T00:00:00Z');
const DAYS = 30;
const rm = { force: true } as const;

/** Samples of all kinds in two months, all sealed, the hours of all days made. */
async function openHome(): Promise<HoursHome> {
  const home = openHoursHome('Europe/Berlin');
  const kinds = [
    ['d/power', 'gauge'],
    ['d/energy', 'counter'],
    ['d/mode', 'state'],
    ['d/action', 'event'],
  ] as const;
  home.storage().history.describeSeries(kinds.map(([name, kind]) => ({ name, kind, unit: null })));
  for (let step = 0; step < DAYS * 48; step += 1) {
    const atMs = START_MS + (step * HOUR_MS) / 2 + 100 * (step % 7);
    home.add([
      { series: 'd/power', atMs, value: step % 11 === 0 ? { gap: 'offline' } : ((step * 7919) % 1000) / 10 },
      { series: 'd/energy', atMs, value: Math.round(step * 1.7) / 10 },
      { series: 'd/mode', atMs, value: ['heat', 'cool', 'off'][step % 3] ?? 'off' },
      { series: 'd/action', atMs, value: step % 5 === 0 ? 'single' : 'double' },
    ]);
  }
  await home.bench.time.advance(30_000);
  await home.seal();
  await home.rollUpAt(START_MS + DAYS * DAY_MS + HOUR_MS);
  return home;
}

async function check(
  home: HoursHome,
  repairs = false,
  more: Partial<HistoryCheckDeps> = {},
): Promise<readonly Finding[]> {
  const deps = {
    ...home.storage(),
    ...more,
    timeZone: () => createTimeZone('Europe/Berlin'),
    shownAs: (name: string) => `<${name}>`,
  };
  const found: Finding[] = [];
  for await (const finding of checkHistory(deps, { repairs })) if (finding !== undefined) found.push(finding);
  return found;
}

const levelsOf = (found: readonly Finding[]) => found.map(({ level, subject }) => `${level} ${subject}`);
const SOUND = ['ok samples of 2026-03', 'ok samples of 2026-04', 'ok hours of 2026-03', 'ok hours of 2026-04'];
const pathOf = ({ bench }: HoursHome, name: string): string => join(bench.folders.state, 'history', name);

/** Changes a file while the hub does not run. */
async function spoil(home: HoursHome, name: string, statement: string): Promise<void> {
  await home.storage().close();
  const file = openDatabase(sqlite, pathOf(home, name));
  file.exec(statement);
  file.close();
  await home.reopenClosed();
}

describe('the check of the history', () => {
  test('finds a sound one sound, and changes nothing', async () => {
    const home = await openHome();
    const found = await check(home);
    expect(levelsOf(found)).toEqual(SOUND);
    expect(found[1]?.text).toMatch(/^\d+ in \d+ blocks$/);
    expect(levelsOf(await check(home))).toEqual(SOUND);
  });

  test('has nothing to say of a new hub', async () => {
    expect(levelsOf(await check(openHoursHome()))).toEqual(['ok months', 'ok hours']);
  });

  test('runs beside a roll-up without disturbing it', async () => {
    const home = await openHome();
    home.add([{ series: 'd/power', atMs: START_MS + HOUR_MS + 50, value: 500 }]);
    await home.bench.time.advance(30_000);
    const [, found] = await Promise.all([home.rollUpAt(START_MS + DAYS * DAY_MS + 2 * HOUR_MS), check(home)]);
    expect(levelsOf(found)).toEqual(SOUND);
    expect(levelsOf(await check(home))).toEqual(SOUND);
  });

  test('calls no day wrong for which samples come while it is compared', async () => {
    const home = await openHome();
    const storage = home.storage();
    const readHours: typeof storage.hours.readHours = async (series, range) => {
      const found = await storage.hours.readHours(series, range);
      home.add([{ series: 'd/power', atMs: START_MS + HOUR_MS + 50, value: 500 }]);
      await home.bench.time.advance(30_000);
      return found;
    };
    expect(levelsOf(await check(home, false, { hours: { ...storage.hours, readHours } }))).toEqual(SOUND);
  });

  test.each([
    [
      'a flipped byte',
      `UPDATE block SET data = CAST(substr(data, 1, 5) || x'fe' || substr(data, 7) AS BLOB) WHERE number = 1`,
    ],
    ['a block that is cut off', 'UPDATE block SET data = substr(data, 1, 10) WHERE number = 1'],
    ['another count', 'UPDATE block SET count = count + 1 WHERE number = 1'],
    ['another end', 'UPDATE block SET last_tick = last_tick + 1 WHERE number = 1'],
  ])('names the series of a damaged block: %s', async (_, statement) => {
    const home = await openHome();
    await spoil(home, '2026-04.db', statement);
    const damaged = (await check(home)).find(({ subject }) => subject === 'samples of 2026-04');
    expect(damaged).toMatchObject({ level: 'fail', text: expect.stringContaining('1 of them damaged') as unknown });
    expect(damaged?.details).toEqual([expect.stringMatching(/^<d\/\w+>: 1$/)]);
  });

  test.each([
    ['garbled', (path: string): void => writeFileSync(path, 'x'.repeat(8192))],
    ['cut off', (path: string): void => truncateSync(path, 4096 * 3)],
    ['empty', (path: string): void => truncateSync(path, 0)],
  ])('finds a month whose file is %s', async (_, break_) => {
    const home = await openHome();
    await home.storage().close();
    for (const suffix of ['-wal', '-shm']) rmSync(pathOf(home, `2026-04.db${suffix}`), rm);
    break_(pathOf(home, '2026-04.db'));
    await home.reopenClosed();
    const found = await check(home);
    expect(found.find(({ subject }) => subject === 'samples of 2026-04')?.level).toBe('fail');
    expect(found.find(({ subject }) => subject === 'samples of 2026-03')?.level).toBe('ok');
  });

  test('finds a month whose file is missing', async () => {
    const home = await openHome();
    await home.storage().close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(pathOf(home, `2026-03.db${suffix}`), rm);
    await home.reopenClosed();
    const [march, april, ...hours] = await check(home);
    expect(march).toMatchObject({ level: 'fail', text: expect.stringContaining('missing') as unknown });
    expect(april?.level).toBe('ok');
    // They are right, and all that is left.
    expect(levelsOf(hours)).toEqual(SOUND.slice(2));
  });

  test('finds hours that the samples do not say, and has them made again', async () => {
    const home = await openHome();
    await spoil(home, 'hours-2026.db', `DELETE FROM day WHERE series = 1 AND from_ms = (SELECT max(from_ms) FROM day)`);
    const found = await check(home);
    expect(levelsOf(found)).toEqual([...SOUND.slice(0, 3), 'fail hours of 2026-04', 'fail hours']);
    expect(found[3]?.details).toEqual([expect.stringMatching(/^<d\/\w+>: 1 days$/)]);
    expect(levelsOf(await check(home, true)).at(-1)).toBe('warn hours');
    await home.rollUpAt(START_MS + DAYS * DAY_MS + 2 * HOUR_MS);
    expect(levelsOf(await check(home))).toEqual(SOUND);
  });

  test('finds a damaged day', async () => {
    const home = await openHome();
    await spoil(
      home,
      'hours-2026.db',
      `UPDATE day SET data = x'00' WHERE series = 2 AND from_ms = (SELECT min(from_ms) FROM day)`,
    );
    expect(levelsOf(await check(home))[2]).toBe('fail hours of 2026-03');
  });
});
