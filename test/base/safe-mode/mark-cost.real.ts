import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSafeMode } from '#base/safe-mode/safe-mode.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { expectBelow, startProcessorWatch } from '#test/support/machine/bounds.ts';

const NOTES = 200_000;

test('a message costs a few microseconds more, and nothing where the same is served again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-mark-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { log, lines } = createRecordingLog();
  const safeMode = await openSafeMode({
    files: createSecretFiles(folder),
    markPath: join(folder, 'served'),
    run: { boot: 'boot', process: 'process' },
    bootMs: () => 0,
    startTimer: () => () => undefined,
    log,
  });
  const costUs = (names: readonly string[]): number => {
    const spentMs = startProcessorWatch();
    for (let note = 0; note < NOTES; note += 1) safeMode.note(names[note % names.length] ?? '');
    return (spentMs() / NOTES) * 1_000;
  };
  expectBelow('a note of something else, µs', costUs(['integration radio', 'automations']), 10);
  expectBelow('a note of the same, µs', costUs(['integration radio']), 0.3);
  expect(lines).toEqual([]);
});
