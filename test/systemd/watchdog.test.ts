import { expect, test } from 'vitest';
import { readWatchdogMs, startWatchdog } from '#systemd/watchdog.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

function start(checkAlive: () => Promise<void>) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const fedMs: number[] = [];
  const stop = startWatchdog({
    withinMs: 60_000,
    feed: () => void fedMs.push(time.clock.monotonicMs()),
    checkAlive,
    startTimer: time.startTimer,
    monotonicMs: time.clock.monotonicMs,
    log,
  });
  return { time, lines, fedMs, stop };
}

test('the watchdog is fed at once and three times in the time that systemd waits', async () => {
  const { time, fedMs, stop } = start(async () => undefined);
  await time.advance(60_000);
  expect(fedMs).toEqual([0, 20_000, 40_000, 60_000]);
  stop();
  await time.advance(60_000);
  expect(fedMs).toHaveLength(4);
  expect(time.pendingMs()).toEqual([]);
});

test('after twice its time without an answer the watchdog is not fed, until an answer comes', async () => {
  let answer = (): void => undefined;
  let calls = 0;
  const { time, fedMs, lines } = start(() => {
    calls += 1;
    return calls === 1 ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve();
  });
  await time.advance(300_000);
  expect(fedMs).toEqual([20_000, 40_000, 60_000, 80_000, 100_000]);
  expect(lines).toEqual(['<3>the hub hangs: the watchdog is no longer fed (no answer for 120 s)']);
  expect(calls).toBe(1);
  answer();
  await time.advance(20_000);
  expect(fedMs.slice(5)).toEqual([300_000, 320_000]);
  expect(lines.at(-1)).toBe('<6>the watchdog is fed again');
});

test('the watchdog is not fed while a check fails, and one failure does not end the service', async () => {
  let isWell = false;
  const { time, fedMs, lines } = start(async () => {
    if (!isWell) throw new Error('no look at the network for 25 s');
  });
  await time.advance(30_000);
  expect(fedMs).toEqual([]);
  expect(lines).toEqual(['<3>the hub hangs: the watchdog is no longer fed (no look at the network for 25 s)']);
  isWell = true;
  await time.advance(20_000);
  expect(fedMs).toEqual([40_000]);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ WATCHDOG_USEC: '60000000' }, 60_000],
  [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }, 60_000],
  [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' }, undefined],
  [{ WATCHDOG_USEC: '0' }, undefined],
  [{ WATCHDOG_USEC: 'soon' }, undefined],
  [{}, undefined],
])('%j is read as %s', (environment, expected) => {
  expect(readWatchdogMs(environment, 7)).toBe(expected);
});
