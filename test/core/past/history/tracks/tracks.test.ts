import { expect, test } from 'vitest';
import { createRecorderWorld } from '../recorder-world.ts';

test('a text above 256 characters is recorded only if a person wants it, and the gap says so', async () => {
  const { report, rows, setRecording } = await createRecorderWorld().startRun();
  const [short, long] = ['x'.repeat(256), 'y'.repeat(257)];
  for (const note of [short, long, `${long}.`, short]) await report({ note });
  expect(rows('note')).toEqual([
    [0, short],
    [1, { gap: 'not_recorded' }],
    [3, short],
  ]);
  await setRecording('note', { mode: 'on' });
  await report({ note: long });
  expect(rows('note').at(-1)?.[1]).toBe(long);
});

test('a device that reports more than a day has room for ends in a gap, and is recorded again the next day', async () => {
  const { startRun, paused, advance } = createRecorderWorld();
  const run = await startRun();
  await run.setRecording('note', { mode: 'on' });
  const text = 'x'.repeat(4_000);
  for (let at = 0; at < 5; at += 1) await run.report({ note: `${at}${text}` });
  const id = run.device('a').id;
  expect(paused).toEqual([[id, true]]);
  expect(run.rows('note').map(([, value]) => value)).toEqual([`0${text}`, `1${text}`, { gap: 'paused' }]);
  await advance(86_400_000);
  await run.report({ note: `4${text}` });
  expect(run.rows('note').at(-1)?.[1]).toBe(`4${text}`);
  expect(paused.at(-1)).toEqual([id, false]);
});
