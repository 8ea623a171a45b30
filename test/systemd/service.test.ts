import { expect, test } from 'vitest';
import type { NotifyFields } from '#systemd/notify.ts';
import { createService, type ServedHub } from '#systemd/service.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const MINUTE_MS = 60_000;

function prepare(way: 'socket' | 'program' | 'none' = 'socket', watchdogMs?: number) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const sent: NotifyFields[] = [];
  const hub = { text: 'serving 1 address' };
  const service = createService({
    notifier: { way, notify: (fields) => void (way === 'none' || sent.push(fields)) },
    watchdogMs,
    startTimer: time.startTimer,
    monotonicMs: time.clock.monotonicMs,
    monotonicUsec: () => 1_234_567n,
    log,
  });
  const served: ServedHub = { describe: () => hub.text, checkAlive: async () => undefined };
  return { time, lines, sent, hub, service, served };
}

test('a long start asks for more time, but not for ever', async () => {
  const { time, sent, service } = prepare();
  service.starting();
  await time.advance(25_000);
  const asked = sent.filter(({ EXTEND_TIMEOUT_USEC }) => EXTEND_TIMEOUT_USEC !== undefined);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual({
    EXTEND_TIMEOUT_USEC: '60000000',
    STATUS: 'starting for 20 s: the state is being checked or repaired',
  });
  await time.advance(60 * MINUTE_MS);
  const { length } = sent;
  await time.advance(60 * MINUTE_MS);
  expect(sent).toHaveLength(length);
});

test('the service reports a changed status, at most every two seconds', async () => {
  const { time, sent, hub, service, served } = prepare();
  service.starting();
  service.ready(served);
  sent.length = 0;
  await time.advance(MINUTE_MS);
  expect(sent).toEqual([]);
  for (const text of ['a', 'b', 'c', 'd']) {
    hub.text = text;
    await time.advance(1_000);
  }
  expect(sent).toEqual([{ STATUS: 'b' }, { STATUS: 'd' }]);
});

test('without the socket, a process reports the status at most once a minute', async () => {
  const { time, sent, hub, service, served } = prepare('program');
  service.ready(served);
  for (let second = 0; second < 120; second += 1) {
    hub.text = `serving ${second}`;
    await time.advance(1_000);
  }
  expect(sent).toHaveLength(3);
});

test('the service reports the beginning and the end of a reload, even if it fails', async () => {
  const { sent, service } = prepare();
  await expect(service.reload(() => Promise.reject(new Error('no interfaces')))).rejects.toThrow('no interfaces');
  expect(sent).toEqual([{ RELOADING: '1', MONOTONIC_USEC: '1234567' }, { READY: '1' }]);
});

test('while the service stops it reports only that', async () => {
  const { time, sent, service, served } = prepare('socket', MINUTE_MS);
  service.ready(served);
  service.stopping();
  expect(sent.at(-1)).toEqual({ STOPPING: '1', STATUS: 'stopping' });
  expect(time.pendingMs()).toEqual([]);
});

test('a watchdog that cannot be fed is logged, with the missing line of the unit', () => {
  const { lines, service, served } = prepare('program', MINUTE_MS);
  service.ready(served);
  expect(lines).toEqual([expect.stringContaining('needs OpenFile=/run/systemd/notify:notify')]);
});

test('without a service manager no timer runs', () => {
  const { time, service, served } = prepare('none', MINUTE_MS);
  service.starting();
  service.ready(served);
  expect(time.pendingMs()).toEqual([]);
});
