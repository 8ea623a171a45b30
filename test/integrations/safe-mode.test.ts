import { expect, test } from 'vitest';
import { openSafeMode, type SafeMode } from '#integrations/safe-mode.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** The file of one machine, and runs of the hub on it that end as the test decides. */
function createMachine() {
  const disk: { bytes: Buffer | undefined; isFull: boolean; writes: number } = {
    bytes: undefined,
    isFull: false,
    writes: 0,
  };
  const { log, lines } = createRecordingLog();
  const change = async (bytes: Buffer | undefined): Promise<void> => {
    await Promise.resolve();
    if (disk.isFull) throw new Error('ENOSPC');
    disk.bytes = bytes;
    disk.writes += 1;
  };
  const file = {
    read: async () => disk.bytes,
    write: (bytes: Uint8Array) => change(Buffer.from(bytes)),
    remove: () => change(undefined),
  };
  const start = async (bootId = 'boot 1'): Promise<SafeMode & { time: ReturnType<typeof createManualTime> }> => {
    const time = createManualTime();
    const { clock, startTimer } = time;
    return { ...(await openSafeMode({ file, bootId, clock, startTimer, log })), time };
  };
  /** A run that takes data and dies of it. */
  const die = async (id = 'radio', bootId = 'boot 1'): Promise<void> => {
    await (await start(bootId)).beforeTaking(id);
  };
  return { disk, lines, start, die };
}

test('two deaths in a row after taking data hold the integration, and no other', async () => {
  const { die, start, lines } = createMachine();
  await die();
  expect((await start()).holds('radio')).toBe(false);
  await die();
  const third = await start();
  expect([third.holds('radio'), third.holds('other')]).toEqual([true, false]);
  expect(lines).toEqual([expect.stringMatching(/^<3>the hub died twice .*integration=radio/)]);
});

test('a held integration stays held over orderly ends, reboots and deaths, until it is released', async () => {
  const { die, start, disk } = createMachine();
  await die();
  await die();
  for (const boot of ['boot 1', 'boot 2', 'boot 2']) {
    const run = await start(boot);
    expect(run.holds('radio')).toBe(true);
    await run.stop();
  }
  const run = await start('boot 3');
  expect([await run.release('radio'), run.holds('radio'), await run.release('radio')]).toEqual([true, false, false]);
  expect(disk.bytes).toBeUndefined();
  await run.beforeTaking('radio');
  expect((await start('boot 3')).holds('radio'), 'one death after the release').toBe(false);
});

test.each([
  ['an orderly end', async ({ stop }: SafeMode) => stop()],
  ['a reboot', async () => 'boot 2'],
])('%s between two deaths begins the count anew', async (_name, between) => {
  const { die, start } = createMachine();
  await die();
  const run = await start();
  await run.beforeTaking('radio');
  const boot = (await between(run)) ?? 'boot 1';
  await die('radio', boot);
  expect((await start(boot)).holds('radio')).toBe(false);
});

test('power cuts do not count as deaths, however many', async () => {
  const { die, start } = createMachine();
  for (let boot = 0; boot < 5; boot += 1) await die('radio', `boot ${boot}`);
  expect((await start('boot 9')).holds('radio')).toBe(false);
});

test('a death more than two minutes after taking data does not count, and clears those before', async () => {
  const { die, start, disk } = createMachine();
  await die();
  const second = await start();
  await second.beforeTaking('radio');
  await second.time.advance(119_999);
  expect(disk.bytes).toBeDefined();
  await second.time.advance(1);
  expect(disk.bytes).toBeUndefined();
  await die();
  expect((await start()).holds('radio')).toBe(false);
});

test('an integration that delivers every minute while the hub lives clears earlier deaths too', async () => {
  const { die, start } = createMachine();
  await die();
  const second = await start();
  for (let minute = 0; minute < 4; minute += 1) {
    await second.beforeTaking('radio');
    await second.time.advance(60_000);
  }
  const third = await start();
  expect(third.holds('radio'), 'it died within two minutes').toBe(false);
  await third.beforeTaking('radio');
  expect((await start()).holds('radio')).toBe(true);
});

/** A run in which these begin together and the hub dies after a while. */
const DIED_TOGETHER = ['radio', 'bridge', 'script'];

test('of several that began together, only the one that kills the hub is held', async () => {
  const { start } = createMachine();
  const first = await start();
  await Promise.all(DIED_TOGETHER.map(async (id) => first.beforeTaking(id)));
  const second = await start();
  const begun: string[] = [];
  const all = DIED_TOGETHER.map(async (id) => {
    await second.beforeTaking(id);
    begun.push(id);
  });
  await second.time.advance(0);
  expect(begun).toEqual(['radio']);
  await second.time.advance(10_000);
  expect(begun, 'it kills the hub now').toEqual(['radio', 'bridge']);
  const third = await start();
  expect(DIED_TOGETHER.filter(third.holds)).toEqual(['bridge']);
  await second.time.advance(600_000);
  await Promise.all(all);
  expect(second.time.pendingMs()).toEqual([]);
});

test('a death that comes later than that holds all that may have caused it', async () => {
  const { start } = createMachine();
  const first = await start();
  await Promise.all(DIED_TOGETHER.map(async (id) => first.beforeTaking(id)));
  const second = await start();
  const all = DIED_TOGETHER.map(async (id) => second.beforeTaking(id));
  await second.time.advance(30_000);
  await Promise.all(all);
  expect(DIED_TOGETHER.filter((await start()).holds)).toEqual(DIED_TOGETHER);
});

test('those that wait in line begin at once when the hub ends, and leave no mark', async () => {
  const { start, disk } = createMachine();
  const first = await start();
  await Promise.all(DIED_TOGETHER.map(async (id) => first.beforeTaking(id)));
  const second = await start();
  const all = DIED_TOGETHER.map(async (id) => second.beforeTaking(id));
  await second.time.advance(0);
  await second.stop();
  await Promise.all(all);
  await second.time.advance(0);
  expect([disk.bytes, second.time.pendingMs()]).toEqual([undefined, []]);
});

test('S6: one write marks all data taken within two minutes, one more ends the mark, and then there is none', async () => {
  const { start, disk } = createMachine();
  const run = await start();
  for (let list = 0; list < 100; list += 1) await run.beforeTaking('radio');
  expect(disk.writes).toBe(1);
  await run.time.advance(600_000);
  expect(disk.writes).toBe(2);
  await run.stop();
  expect([disk.writes, run.time.pendingMs()]).toEqual([2, []]);
});

test('after an orderly end nothing is marked, even if more data is taken', async () => {
  const { start, disk } = createMachine();
  const run = await start();
  await run.beforeTaking('radio');
  await run.stop();
  expect(run.beforeTaking('radio')).toBeUndefined();
  expect(disk.bytes).toBeUndefined();
});

test('S9: a disk that takes no mark is logged and prevents nothing', async () => {
  const { start, disk, lines } = createMachine();
  disk.isFull = true;
  const run = await start();
  await run.beforeTaking('radio');
  expect(lines).toEqual([expect.stringMatching(/^<4>safe mode cannot write its marks/)]);
});

test.each([
  '',
  'null',
  '[]',
  '{"boot":1}',
  '{"integrations":{"radio":7}}',
  '{"integrations":{"radio":{"deaths":"2"}}}',
])('a file that holds %j counts as no file', async (text) => {
  const { start, disk } = createMachine();
  disk.bytes = Buffer.from(text);
  expect((await start()).holds('radio')).toBe(false);
});
