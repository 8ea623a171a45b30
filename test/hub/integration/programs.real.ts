import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { expectBelow, readMemory } from '#test/support/machine/bounds.ts';
import { createProgramStarter } from '#hub/integration/programs.ts';
import type { FromProgram } from '#integrations/ports.ts';

const LARGE = 'x'.repeat(262_144);

/** Starts a program with this text. */
function startProgram(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-program-'));
  writeFileSync(join(folder, 'talker.mjs'), text);
  const heard: FromProgram[] = [];
  const start = createProgramStarter(pathToFileURL(join(folder, 'hearthd.mjs')));
  const program = start('talker', (said) => void heard.push(said));
  onTestFinished(() => {
    program.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return { program, heard };
}

test('one that hangs is killed before what it does not take fills the memory of the hub', async () => {
  const { program } = startProgram('process.on("message", () => { for (;;); });');
  const before = readMemory().resident;
  let sent = 0;
  const sending = setInterval(() => {
    // 64 MB in all: were it killed only beyond them, it would never end.
    if (sent === 256) return;
    for (let count = 0; count < 8; count += 1) program.send({ part: 'left', message: LARGE });
    sent += 8;
  }, 10);
  onTestFinished(() => clearInterval(sending));
  expect(await program.ended).toBe('it took no messages any more');
  expectBelow('what waits for a program that hangs, bytes of memory', readMemory().resident - before, 256 * 1_048_576);
});

test('one that takes its time gets all of them, also one that is larger than what may wait', async () => {
  const text = `
    let count = 0;
    process.on('message', ({ message }) => process.send({ fault: String((count += message.length)) }));
  `;
  const { program, heard } = startProgram(text);
  const huge = LARGE.repeat(48);
  program.send({ part: 'left', message: huge });
  await expect.poll(() => heard.at(-1)).toEqual({ fault: String(huge.length) });
  for (let count = 0; count < 30; count += 1) program.send({ part: 'left', message: LARGE });
  const all = huge.length + 30 * LARGE.length;
  await expect.poll(() => heard.at(-1)).toEqual({ fault: String(all) });
});
