import { expect, test } from 'vitest';
import { createDeviceLines, type Step } from '#integrations/home-assistant-discovery/device-lines.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** Lines whose turns come by hand. */
function openLines() {
  const { log, lines: logged } = createRecordingLog();
  const waiting: Step[] = [];
  const lines = createDeviceLines({
    turns: { add: (steps) => void waiting.push(...steps), stop: () => undefined },
    startTimer: (_ms, run) => {
      run();
      return () => undefined;
    },
    monotonicMs: () => 0,
    log,
  });
  const turn = (): void => {
    for (const step of waiting.splice(0)) void step();
  };
  /** Holds a device up until the result is called. */
  const hold = (externalId: string): (() => Promise<void>) => {
    let end = (): void => undefined;
    lines.add(externalId, [() => new Promise<void>((resolve) => (end = resolve))], 1);
    turn();
    return async () => {
      end();
      await new Promise(setImmediate);
    };
  };
  return { lines, logged, turn, hold };
}

const LARGE = 600_000;

test('a message counts as long as it waits, also one whose turn comes after its device has gone on', async () => {
  const { lines, logged, turn, hold } = openLines();
  let read = 0;
  for (let count = 0; count < 30; count += 1) {
    const goOn = hold('box');
    lines.add('box', [() => void (read += 1)], LARGE);
    await goOn();
    turn();
  }
  expect([read, logged]).toEqual([30, []]);
});

test('of messages to a device that is held up the excess is dropped, and that is logged once', async () => {
  const { lines, logged, turn, hold } = openLines();
  let read = 0;
  const step = (): void => void (read += 1);
  for (const round of [1, 2]) {
    const goOn = hold('box');
    for (let count = 0; count < 5; count += 1) lines.add('box', [step, step], LARGE);
    turn();
    await goOn();
    expect([read, logged.length]).toEqual([3 * round, 1]);
  }
});

test('many devices that are held up have a bound together', async () => {
  const { lines, logged, turn, hold } = openLines();
  let read = 0;
  const devices = Array.from({ length: 20 }, (_, at) => `box ${at}`);
  const ends = devices.map(hold);
  for (const device of devices) lines.add(device, [() => void (read += 1)], LARGE);
  turn();
  for (const end of ends) await end();
  expect([read, logged.length]).toEqual([Math.floor(8_388_608 / LARGE), 1]);
});
