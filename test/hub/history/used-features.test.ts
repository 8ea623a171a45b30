import { expect, test } from 'vitest';
import { isRecordedByItself, seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { openRecordingSettings } from '#core/past/history/recording-settings.ts';
import { readUsedFeatures } from '#hub/history/used-features.ts';
import { createMemoryRecordings } from '#test/core/past/history/memory-recordings.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';
import { createPatientTime } from '#test/support/machine/fast-time.ts';

const STEP_MS = 60;

/** A feature of the simulated home with a value, which nobody would keep without a reason. */
async function openHome() {
  const hub = await openRunningHub({ time: createPatientTime(STEP_MS) });
  const found = hub.home.devices
    .devices()
    .flatMap((device) => device.features.map((feature) => ({ device, feature })))
    .find(({ feature }) => seriesKindOf(feature) !== null && !isRecordedByItself(feature));
  if (found === undefined) throw new Error('all of the simulated home is recorded');
  const { device, feature } = found;
  const series = `${device.id}/${feature.key}`;
  const trigger = { type: 'feature', device: device.selector, key: feature.key };
  const isRecorded = (): boolean => hub.home.recording.isRecorded(device, feature);
  return { ...hub, device, feature, series, trigger, isRecorded };
}

async function changed(hub: Awaited<ReturnType<typeof openHome>>, isRecorded: boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    hub.home.recording.onChange(() => hub.isRecorded() === isRecorded && resolve());
  });
}

test('what an automation looks at is recorded from then on, with its present value, until no automation does', async () => {
  const hub = await openHome();
  const { home, device, feature, series } = hub;
  expect(hub.isRecorded()).toBe(false);
  // So nobody is warned of what the first save of an automation changes.
  expect(home.recording.isRecordedIfUsed(device, feature)).toBe(true);
  const stop = { stop: { outcome: 'finished' } };
  const isThere = changed(hub, true);
  const record = await hub.add('Watches', { triggers: [hub.trigger], steps: [stop] });
  await isThere;
  expect(readUsedFeatures(await home.storage.meta.loadMeta())).toEqual(new Set([series]));
  const value = home.devices.findDevice(device.id)?.states.get(feature.key)?.value;
  await expect.poll(async () => (await home.storage.history.findBefore(series, Infinity))?.value).toBe(value);
  const { mode } = await home.recording.update(device, feature, {
    change: { mode: 'off' },
    authorize: () => undefined,
  });
  expect([mode, hub.isRecorded(), home.recording.isRecordedIfUsed(device, feature)]).toEqual(['off', false, false]);
  await home.recording.update(device, feature, { change: { mode: 'auto' }, authorize: () => undefined });
  expect(hub.isRecorded()).toBe(true);
  const isGone = changed(hub, false);
  await home.automations.remove(record.id);
  await isGone;
  expect(readUsedFeatures(await home.storage.meta.loadMeta())).toEqual(new Set());
});

test('a start knows what automations looked at before they are read', async () => {
  const hub = await openHome();
  const names = readUsedFeatures(new Map([['used_features', JSON.stringify([hub.series, 7])]]));
  const recording = await openRecordingSettings(createMemoryRecordings(), undefined, names);
  expect(recording.isRecorded(hub.device, hub.feature)).toBe(true);
  expect(readUsedFeatures(new Map([['used_features', '{']]))).toEqual(new Set());
});
