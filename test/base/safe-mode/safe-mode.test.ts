import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { openSafeMode, type SafeMode } from '#base/safe-mode/safe-mode.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const RADIO = 'integration radio';
const FULL = Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'write' });

/** A machine on which runs of the hub follow each other; one that is not stopped has no orderly end. */
function createMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-safe-mode-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kept = join(folder, 'safe-mode.json');
  const { log, lines } = createRecordingLog();
  const world = { bootMs: 0, runs: 0, isFull: false };
  const files = createSecretFiles(folder);
  const start = async (boot = 'boot 1', process = `process ${(world.runs += 1)}`) => {
    const time = createManualTime();
    const safeMode = await openSafeMode({
      files: {
        ...files,
        write: (name, bytes) => (world.isFull ? Promise.reject(FULL) : files.write(name, bytes)),
        remove: (name) => (world.isFull ? Promise.reject(FULL) : files.remove(name)),
      },
      markPath: world.isFull ? '/proc/served' : join(folder, 'run/served'),
      run: { boot, process },
      bootMs: () => world.bootMs,
      startTimer: time.startTimer,
      log,
    });
    return { ...safeMode, time };
  };
  /** A run that ends while it serves this. */
  const die = async (what = RADIO, boot?: string): Promise<void> => void (await start(boot)).note(what);
  const mark = (): string => readFileSync(join(folder, 'run/served'), 'utf8').trim();
  return { world, folder, kept, lines, start, die, mark };
}

test('three ends 128 s apart put off what was served then, and nothing else', async () => {
  const { world, die, start, lines } = createMachine();
  for (let death = 1; death <= 3; death += 1) {
    expect((await start('boot 1', 'a look')).holds(RADIO), `before death ${death}`).toBe(false);
    await die();
    world.bootMs += 128_000;
  }
  const fourth = await start();
  expect([fourth.holds(RADIO), fourth.holds('integration other'), fourth.holds('automations')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(lines.filter((line) => line.startsWith('<3>'))).toEqual([
    expect.stringMatching(/^<3>the hub ended 3 times within an hour .*serving="?integration radio/),
  ]);
});

test('each end counts for what was served last, whatever was before', async () => {
  const { die, start } = createMachine();
  for (const last of ['automations', RADIO, 'automations', RADIO, 'automations']) {
    const run = await start();
    run.note(RADIO);
    run.note('automations');
    run.note(last);
  }
  const held = await start();
  expect([held.holds('automations'), held.holds(RADIO)]).toEqual([true, false]);
  await die();
  expect((await start()).holds(RADIO), 'a third end of its own').toBe(true);
});

test('ends within an hour count, and no older ones', async () => {
  const { world, die, start } = createMachine();
  await die();
  world.bootMs += 1;
  await die();
  world.bootMs += 3_600_000;
  await die();
  expect((await start()).holds(RADIO), 'the first two are an hour old when the third is found').toBe(false);
});

test('what is put off stays so over orderly ends, boots and further ends, until it is released', async () => {
  const { die, start } = createMachine();
  for (let death = 0; death < 3; death += 1) await die();
  for (const boot of ['boot 1', 'boot 2', 'boot 2']) {
    const run = await start(boot);
    expect(run.holds(RADIO)).toBe(true);
    run.stop();
  }
  await die('automations', 'boot 2');
  const run = await start('boot 3');
  expect([await run.release(RADIO), run.holds(RADIO), await run.release(RADIO)]).toEqual([true, false, false]);
  run.note(RADIO);
  await die(RADIO, 'boot 3');
  expect((await start('boot 3')).holds(RADIO), 'two ends after the release').toBe(false);
});

test.each([
  ['the only one', []],
  ['one of two', ['automations']],
])(
  'a release that the disk does not take, of %s, throws and changes nothing; the next one is right',
  async (_name, others) => {
    const { world, die, start } = createMachine();
    for (const what of [...others, RADIO]) for (let death = 0; death < 3; death += 1) await die(what);
    const run = await start();
    world.isFull = true;
    await expect(run.release(RADIO)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(run.holds(RADIO)).toBe(true);
    world.isFull = false;
    expect((await start()).holds(RADIO)).toBe(true);
    const released = await Promise.all([run.release(RADIO), run.release(RADIO)]);
    expect([released, run.holds(RADIO), (await start()).holds(RADIO)]).toEqual([[true, false], false, false]);
  },
);

test('a mark that cannot be read counts as none, with a warning', async () => {
  const { start, folder, lines } = createMachine();
  mkdirSync(join(folder, 'run/served'), { recursive: true });
  const run = await start();
  run.note(RADIO);
  run.stop();
  expect(run.holds(RADIO)).toBe(false);
  expect(lines.join()).toContain('what the last run of the hub served cannot be read');
});

test('power cuts and orderly ends do not count, however many', async () => {
  const { die, start } = createMachine();
  for (let boot = 0; boot < 5; boot += 1) await die(RADIO, `boot ${boot}`);
  for (let end = 0; end < 5; end += 1) {
    const run = await start('boot 4');
    run.note(RADIO);
    run.stop();
    run.note(RADIO);
  }
  await die(RADIO, 'boot 4');
  expect((await start('boot 4')).holds(RADIO), 'the end of boot 4 that was none, and the last one').toBe(false);
});

test('what the storage opens anew in the same process is no end', async () => {
  const { start, die } = createMachine();
  for (let again = 0; again < 5; again += 1) (await start('boot 1', 'one process')).note(RADIO);
  await die();
  await die();
  expect((await start()).holds(RADIO), 'one process and two more').toBe(true);
  expect((await start('boot 1', 'another look')).holds(RADIO)).toBe(true);
});

test('an end is counted once, no matter which part of a process looks first', async () => {
  const { start, die } = createMachine();
  await die();
  await die();
  await start('boot 1', 'process 3');
  expect((await start('boot 1', 'process 3')).holds(RADIO)).toBe(false);
});

test('a hub that serves nobody for two seconds has nothing noted: its end is nobody’s', async () => {
  const { start, mark } = createMachine();
  const run = await start();
  run.note(RADIO);
  await run.time.advance(900);
  run.note(RADIO);
  await run.time.advance(1_000);
  expect(JSON.parse(mark())).toMatchObject({ serving: RADIO });
  await run.time.advance(1_000);
  expect([JSON.parse(mark()), run.time.pendingMs()]).toMatchObject([{ serving: null }, []]);
  run.note(RADIO);
  expect(JSON.parse(mark())).toMatchObject({ serving: RADIO });
  run.stop();
  expect(run.time.pendingMs()).toEqual([]);
});

test.each([
  ['a failure that nobody foresaw', new TypeError('x is null'), true],
  ['a full disk', new HubError('STORAGE_FULL', 'The disk is full.'), false],
])('a start that fails in a step with %s counts: %s', async (_name, failure, counts) => {
  const { start } = createMachine();
  const fail = async (run: SafeMode): Promise<void> => {
    const failing = run.during('automations', () => Promise.reject(failure));
    await expect(failing).rejects.toBe(failure);
    run.note(RADIO);
    run.stop();
  };
  for (let time = 0; time < 3; time += 1) await fail(await start());
  const held = await start();
  expect([held.holds('automations'), held.holds(RADIO)]).toEqual([counts, false]);
});

test('S9: a disk that takes nothing is logged once and prevents nothing', async () => {
  const { world, die, start, lines } = createMachine();
  await die();
  world.isFull = true;
  const run = await start();
  for (let time = 0; time < 3; time += 1) {
    run.note(RADIO);
    run.note('automations');
  }
  run.stop();
  expect(lines.filter((line) => line.includes('safe mode cannot'))).toHaveLength(1);
});

test.each([
  '',
  'null',
  '[]',
  '{"boot":1}',
  '{"boot":"boot 1","ends":[7,null,{"serving":1}],"off":[7,null]}',
  '{"boot":"boot 1","ends":7,"off":{}}',
  '{"integrations":{"radio":7}}',
])('a file that holds %j counts as no file', async (text) => {
  const { start, kept, die } = createMachine();
  writeFileSync(kept, text);
  await die();
  expect((await start()).holds(RADIO)).toBe(false);
});

test('what version 0.1 held is still put off', async () => {
  const { start, kept } = createMachine();
  writeFileSync(kept, '{"boot":"x","integrations":{"radio":{"deaths":2},"other":{"deaths":1}}}');
  const run = await start();
  expect([run.holds(RADIO), run.holds('integration other')]).toEqual([true, false]);
});
