import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { createReporting } from '#integrations/shelly/reporting.ts';
import { runSession } from '#integrations/shelly/session.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { DUMPS } from '#test/support/shelly/shelly-dumps.ts';

const { info, config, status } = DUMPS.plus1pm;
const READINGS: Readonly<Record<string, JsonValue>> = {
  'Shelly.GetDeviceInfo': info,
  'Shelly.GetConfig': config,
  'Shelly.GetStatus': status,
  'Shelly.GetComponents': { components: [], total: 0 },
};

/** A session with a plug that is off when it is read, and says something else at once after each of these. */
function openSession(news: Readonly<Record<string, readonly [method: string, params: JsonObject]>>) {
  const abort = new AbortController();
  const { startTimer, advance } = createManualTime();
  const recording = createRecordingSink();
  const reports: JsonValue[] = [];
  let hear = (_text: string): void => undefined;
  const say = (method: string, params: JsonObject): void => hear(JSON.stringify({ src: 'plug', method, params }));
  const sayAfter = (what: string): void => {
    const own = news[what];
    if (own !== undefined) say(...own);
  };
  const sink = {
    ...recording,
    syncDevices: async (...given: Parameters<typeof recording.syncDevices>) => {
      sayAfter('syncDevices');
      return recording.syncDevices(...given);
    },
    reportValues: (_externalId: string, values: ReadonlyMap<string, JsonValue>) => {
      const on = values.get('on');
      if (on !== undefined) reports.push(on);
    },
  };
  let close = (): void => undefined;
  const ended = new Promise<{ code: null; reason: string }>((resolve) => {
    close = () => resolve({ code: null, reason: '' });
  });
  const answer = ({ id = null, method }: JsonObject): void => {
    const name = typeof method === 'string' ? method : '';
    hear(JSON.stringify({ id, src: 'plug', result: READINGS[name] ?? null }));
    sayAfter(name);
  };
  const send = (text: string | Uint8Array): void => {
    const request = JSON.parse(String(text)) as JsonObject;
    queueMicrotask(() => answer(request));
  };
  const up = new Promise<void>((resolve) => {
    const running = runSession({
      open: async (onMessage) => {
        hear = onMessage;
        return { fingerprint: null, send, close, ended };
      },
      password: null,
      mac: null,
      reporting: createReporting(sink),
      startTimer,
      onUp: () => resolve(),
      onUnreadable: () => undefined,
      signal: abort.signal,
    });
    onTestFinished(async () => {
      abort.abort();
      close();
      await running;
    });
  });
  return { up, reports, say, advance };
}

const switched = (output: boolean): readonly [string, JsonObject] => ['NotifyStatus', { 'switch:0': { output } }];
const whole: readonly [string, JsonObject] = [
  'NotifyFullStatus',
  { ...status, 'switch:0': { ...(status['switch:0'] as JsonObject), output: true } },
];

test.each([
  ['was read', { 'Shelly.GetStatus': switched(true) }],
  ['is read', { 'Shelly.GetComponents': switched(true) }],
  ['is written down', { syncDevices: switched(true) }],
  ['is written down, with all that it is', { syncDevices: whole }],
  ['is read, and once more', { 'Shelly.GetStatus': switched(false), syncDevices: switched(true) }],
])('a plug that is switched on while it %s is on', async (_when, news) => {
  const { up, reports } = openSession(news);
  await up;
  expect(reports).toEqual([true]);
});

test('a plug that is switched while it is read anew is never shown as before', async () => {
  const { up, reports, say, advance } = openSession({ 'Shelly.GetComponents': switched(true) });
  await up;
  say('NotifyEvent', { events: [{ component: 'sys', event: 'config_changed' }] });
  await advance(1_000);
  await expect.poll(() => reports.length).toBeGreaterThan(1);
  expect(new Set(reports)).toEqual(new Set([true]));
});
