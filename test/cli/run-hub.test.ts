import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Service } from '#systemd/service.ts';
import { runHub, type HubRun, type RunningHub } from '#cli/run-hub.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

function prepare(hub: Partial<RunningHub> = {}, change: Partial<HubRun> = {}) {
  const signals = new EventEmitter();
  const { log, lines } = createRecordingLog();
  const events: string[] = [];
  const service: Service = {
    starting: () => undefined,
    ready: () => undefined,
    reload: (task) => task(),
    stopping: () => undefined,
    end: () => undefined,
  };
  const running: RunningHub = {
    addresses: () => ['http://192.168.1.5:8080', 'http://127.0.0.1:8080'],
    reload: async () => void events.push('reload'),
    describe: () => 'serving',
    checkAlive: async () => undefined,
    stop: async () => void events.push('stop'),
    ...hub,
  };
  const print = (line: string): void => void events.push(line);
  const run: HubRun = {
    start: async () => running,
    signals,
    service,
    log,
    print,
    version: '1.2.3',
    stopWithinMs: 50,
    ...change,
  };
  return { signals, lines, events, run };
}

test.each(['SIGTERM', 'SIGINT'])('the hub prints its addresses and ends with 0 on %s', async (signal) => {
  const { signals, events, run } = prepare();
  const ended = runHub(run);
  await expect.poll(() => events.length).toBe(1);
  signals.emit(signal);
  expect(await ended).toBe(0);
  expect(events).toEqual(['hearthd 1.2.3 is ready: http://192.168.1.5:8080/ http://127.0.0.1:8080/', 'stop']);
  expect(signals.eventNames()).toEqual([]);
});

test('a hub without a network is ready too', async () => {
  const { signals, events, run } = prepare({ addresses: () => [] });
  const ended = runHub(run);
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(events[0]).toBe('hearthd 1.2.3 is ready and waits for a network address');
});

test('SIGHUP reloads, also during the start and after a failed reload', async () => {
  const { signals, events, lines, run } = prepare({ reload: () => Promise.reject(new Error('no such interface')) });
  const ended = runHub(run);
  signals.emit('SIGHUP');
  await expect.poll(() => events.length).toBe(1);
  signals.emit('SIGHUP');
  await expect.poll(() => lines.join('\n')).toContain('no such interface');
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
});

test.each<[string, Partial<RunningHub>, Partial<HubRun>]>([
  ['end', { stop: () => new Promise(() => undefined) }, {}],
  ['start', {}, { start: () => new Promise(() => undefined) }],
])('X: SIGTERM ends the hub in time, even when a part does not %s', async (_, hub, change) => {
  const { signals, lines, run } = prepare(hub, change);
  const ended = runHub(run);
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(lines.join('\n')).toContain('some parts did not stop in time');
});

test('a start that fails says why', async () => {
  const { signals, run } = prepare({}, { start: () => Promise.reject(new Error('no room')) });
  await expect(runHub(run)).rejects.toThrow('no room');
  expect(signals.eventNames()).toEqual([]);
});
