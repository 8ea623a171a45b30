import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition } from '#core/automation/document/definition.ts';
import { type Act, acts, DEVICES, DOCUMENTS, NAMES } from '#test/support/automation/interrupted.ts';
import { createLiveHome, type LiveHome } from '#test/support/automation/live-home.ts';
import type { EntryDisk } from '#test/support/automation/paper-disk.ts';
import { automation, START_MS } from '#test/support/automation/virtual-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { type FileWatch, watchFiles, withFault } from '#test/storage/fs-faults.ts';
import { sqlite, STATE_ROOT } from '#test/storage/storage-harness.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime, type ManualTime } from '#test/support/machine/manual-time.ts';
import { openEngine, type StorageEngine } from '#storage/open/storage-engine.ts';
import { storageInProcess } from '#storage/storage.ts';
import { idOf } from '#core/automation-run/trace/run-reason.ts';

const END_MS = 300_000;
const SEARCH_MS = 180_000;
const ofAll = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: NAMES.length });

async function openHome(names: readonly string[], given: Partial<Parameters<typeof createLiveHome>[0]>) {
  const automations = names.map((name) => automation(name, { ...(DOCUMENTS[name] as Partial<Definition>) }));
  return createLiveHome({ devices: DEVICES, automations, ...given });
}

async function play(home: LiveHome, { afterMs, what }: Act): Promise<void> {
  await home.time.advance(afterMs);
  if (home.isCut()) await home.restart({ how: 'power' });
  if (what === 'motion' || what === 'still') home.report('motion', { motion: what === 'motion' });
  if (what === 'open' || what === 'shut') home.report('door', { open: what === 'open' });
  if (what === 'more' || what === 'less') home.report('meter', { power: what === 'more' ? 60 : 40 });
  if (what === 'away' || what === 'back') {
    home.hub().reports.reportAvailability('door', what === 'away' ? 'offline' : 'online', null);
  }
  await home.time.advance(0);
}

async function playOut(home: LiveHome, script: readonly Act[]): Promise<void> {
  for (const act of script) await play(home, act);
  await home.time.advance(END_MS);
  if (home.isCut()) {
    await home.restart({ how: 'power' });
    await home.time.advance(END_MS);
  }
  home.hub().end();
}

/** Brightnesses of one document, and the least time between them. */
const LEAST_MS: readonly (readonly [before: number, after: number, ms: number])[] = [
  [1, 2, 40_000],
  [2, 3, 20_000],
  [10, 11, 3_000],
];

/** Commands that a run gave twice or too early, starts that came twice, and waits that were lost. */
function faultsOf(home: LiveHome): readonly string[] {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  for (const { run, text } of home.given()) counts.set(`${run} ${text}`, (counts.get(`${run} ${text}`) ?? 0) + 1);
  for (const [what, count] of counts) if (count > (what.includes(' fan ') ? 3 : 1)) faults.push(`doubled: ${what}`);
  for (const [before, after, ms] of LEAST_MS) {
    for (const { run, text, atMs } of home.given()) {
      if (text !== `lamp {"brightness":${after}}`) continue;
      const first = home.given().find((one) => one.run === run && one.text === `lamp {"brightness":${before}}`);
      if (first !== undefined && atMs - first.atMs < ms) faults.push(`early: ${run} ${text}`);
    }
  }
  const starts = new Set<string>();
  for (const { automation: id, trigger, steps, reason, startedAtMs, ...trace } of home.traces()) {
    const start = `${id} ${trigger.id} ${trigger.device} ${trigger.atMs}`;
    if (steps.length > 0 && starts.has(start)) faults.push(`started twice: ${start}`);
    if (steps.length > 0) starts.add(start);
    if (idOf(reason) !== 'not_written') continue;
    const lastMs = Math.max(startedAtMs, ...steps.map(({ atMs, ms }) => atMs + (ms ?? 0)));
    if ((home.world.cutAtMs ?? -Infinity) - lastMs > 1_000) faults.push(`lost: ${trace.id} of ${id}`);
  }
  return faults;
}

/** The real journal; the power goes at the n-th change of a file. */
function createRealDisk(root: string, time: ManualTime, at: number): EntryDisk {
  const folders = { state: join(root, 'state'), runtime: join(root, 'run') };
  const { log } = createRecordingLog();
  let engine: StorageEngine | undefined;
  let watch: FileWatch | undefined;
  let cuts = 0;
  const open = (onDeath: () => void): StorageEngine => {
    const look = <Result>(work: () => Result): Result => {
      try {
        return work();
      } finally {
        if (cuts === 0 && watch !== undefined && watch.operations() >= at) onDeath();
      }
    };
    const startTimer = (ms: number, run: () => void) => time.startTimer(ms, () => look(run));
    const { wallMs } = time.clock;
    const opened = openEngine({ sqlite, folders, log, wallMs, startTimer, onFailure: () => undefined });
    return { ...opened, run: (name, args) => look(() => opened.run(name, args)) };
  };
  return {
    open: (onDeath) => {
      const opened = open(onDeath);
      engine = opened;
      if (cuts === 0) watch = watchFiles({ kind: 'kill', at });
      return storageInProcess({ ...opened, close: async () => opened.close() }).entries;
    },
    cut: () => {
      cuts += 1;
      watch?.stop();
      if (cuts === 1) withFault({ kind: 'kill', at: 1 }, () => engine?.close());
      else engine?.close();
    },
  };
}

describe('automations in a hub whose power is cut', () => {
  test(
    'do nothing twice and nothing early, and lose no wait that is older than a second, at whatever they were',
    async () => {
      await fc.assert(
        fc.asyncProperty(ofAll, acts, fc.integer({ min: 1, max: 150 }), async (names, script, cutAt) => {
          const home = await openHome(names, { cutAt });
          await playOut(home, script);
          expect(faultsOf(home)).toEqual([]);
        }),
        searchOf(1_500),
      );
    },
    SEARCH_MS,
  );

  test(
    'do the same over the real journal, at each change of its files',
    async () => {
      await fc.assert(
        fc.asyncProperty(ofAll, acts, fc.integer({ min: 1, max: 120 }), async (names, script, at) => {
          const time = createManualTime(START_MS);
          const root = mkdtempSync(join(STATE_ROOT, 'hearthd-cut-'));
          const disk = createRealDisk(root, time, at);
          const home = await openHome(names, { time, disk });
          await playOut(home, script);
          disk.cut();
          rmSync(root, { recursive: true });
          expect(faultsOf(home)).toEqual([]);
        }),
        searchOf(500),
      );
    },
    SEARCH_MS,
  );
});

test('what was away when the power went, and is back before automations start, is seen at once', async () => {
  const devices = { door: { values: { open: false } }, lamp: { values: { on: false } } };
  const on = { command: { targets: { devices: ['lamp'] }, set: { on: true } } };
  const held = { type: 'feature', device: 'door', key: 'open', to: true, for_s: 300 };
  const trigger = automation('a', { triggers: [{ id: 't1', ...held }], steps: [{ id: 's1', ...on }] } as never);
  const wait = automation('b', {
    triggers: [{ id: 't1', type: 'feature', device: 'door', key: 'open', to: true }],
    steps: [
      { id: 's1', wait_for: { triggers: [{ id: 'w1', ...held }], timeout_s: 3_600 } },
      { id: 's2', ...on },
    ],
  } as never);
  for (const one of [trigger, wait]) {
    const home = await createLiveHome({ devices, automations: [one] });
    home.report('door', { open: true });
    await home.time.advance(100_000);
    home.hub().reports.reportAvailability('door', 'offline', null);
    await home.time.advance(210_000);
    await home.restart({ how: 'power', offMs: 2_000 });
    await home.time.advance(0);
    expect(home.told()).toEqual(['312 s: lamp {"on":true}']);
  }
});
