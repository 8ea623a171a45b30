import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { createReporting } from '#integrations/wled/reporting.ts';
import { NO_LISTS, readStatus } from '#integrations/wled/wled-message.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { WLED_MAC } from '#test/support/wled/wled-light.ts';

const SEGMENT = { id: 0, start: 0, stop: 30, on: true, bri: 255, cct: 127, col: [[255, 0, 0]], fx: 0, pal: 0 };

function statusOf(on: boolean, name = 'Shelf') {
  const info = { mac: WLED_MAC, name, leds: { lc: 1 } };
  const status = readStatus(JSON.stringify({ state: { on, bri: 255, seg: [SEGMENT] }, info }));
  if (status === undefined) throw new Error('the status is unreadable');
  return status;
}

test('a light that is switched off while it is described anew is off', async () => {
  const { startTimer, advance } = createManualTime();
  const recording = createRecordingSink();
  const reports: (JsonValue | undefined)[] = [];
  let meanwhile = (): void => undefined;
  const reporting = createReporting({
    sink: {
      ...recording,
      syncDevices: async (devices) => {
        meanwhile();
        return recording.syncDevices(devices);
      },
      reportValues: (_externalId, values) => void reports.push(values.get('on')),
    },
    wire: { readLists: async () => NO_LISTS },
    startTimer,
    onFault: (cause) => {
      throw cause;
    },
  });
  await reporting.begin(statusOf(true), new AbortController().signal);
  reporting.take(statusOf(true, 'Long shelf'));
  meanwhile = () => reporting.take(statusOf(false, 'Long shelf'));
  await advance(3_000);
  await expect.poll(() => reports.length).toBe(4);
  expect(recording.device(WLED_MAC).description.name).toBe('Long shelf');
  expect(reports).toEqual([true, true, false, false]);
});
