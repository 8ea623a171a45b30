import { expect, test } from 'vitest';
import type { StoredRecording } from '#core/past/history/recording-settings.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeDevice, NOW_MS } from '#test/storage/storage-makers.ts';

const { id } = makeDevice(1);
const OFF: StoredRecording = { deviceId: id, key: 'half \ud800 "x"', mode: 'off', minIntervalS: null, deadband: null };
const SLOW: StoredRecording = { deviceId: id, key: 'power', mode: 'auto', minIntervalS: 60, deadband: 0.5 };

test('settings of recording survive a restart and a change of the device, and go with it', () => {
  const bench = createBench();
  const first = bench.open();
  first.operations.devices.saveDevices([makeDevice(1), makeDevice(2)]);
  first.operations.recordings.saveRecording({ ...OFF, mode: 'on' });
  for (const recording of [OFF, SLOW]) first.operations.recordings.saveRecording(recording);
  first.operations.devices.saveDevices([makeDevice(1, { selector: 'renamed' })]);
  first.close();

  const { operations } = bench.open();
  expect(operations.recordings.loadRecordings()).toEqual([OFF, SLOW]);
  operations.recordings.deleteRecording(id, SLOW.key);
  expect(operations.recordings.loadRecordings()).toEqual([OFF]);
  operations.devices.saveDevices([makeDevice(1, { removedAtMs: NOW_MS })]);
  expect(operations.recordings.loadRecordings()).toEqual([OFF]);
  operations.devices.forgetDevices(0);
  expect(operations.recordings.loadRecordings()).toEqual([]);
});
