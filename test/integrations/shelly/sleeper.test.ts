import { expect, onTestFinished, test, vi } from 'vitest';
import { createShelly } from '#integrations/shelly/shelly.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { SHELLY_MAC } from '#test/support/shelly/shelly-dumps.ts';
import { createShellyWorld } from '#test/support/shelly/shelly-world.ts';

test('a device that has missed two calls is overdue, by the time that it says it sleeps', async () => {
  const { ports } = createShellyWorld('192.168.1.40');
  const timers: { readonly afterMs: number; readonly run: () => void }[] = [];
  const settings = { host: '192.168.1.40', sleeps: true };
  const instance = { id: 'shelly', kind: 'shelly', name: 'Cellar', uniqueId: SHELLY_MAC, settings, mayReachHub: false };
  const integration = createShelly(instance, {
    ...ports,
    awaitCalls: () => undefined,
    state: { load: async () => ({ wakeup_s: 7_200 }), save: async () => undefined },
    startTimer: (afterMs, run) => {
      timers.push({ afterMs, run });
      return () => undefined;
    },
  });
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  await vi.waitFor(() => expect(timers).toHaveLength(1));
  expect(sink.statuses.map(({ state }) => state)).toEqual(['connecting']);
  expect(timers[0]?.afterMs).toBe(7_200_000 * 2.2 + 60_000);
  timers[0]?.run();
  expect(sink.statuses.at(-1)).toMatchObject({ state: 'error', code: 'DEVICE_OVERDUE' });
});
