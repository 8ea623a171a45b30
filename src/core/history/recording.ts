import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Command } from '#core/command/command.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { createTimelineRecorder } from '#core/timeline/timeline-recorder.ts';
import type { HistoryStore } from './history-store.ts';
import { openRecorder } from './recorder.ts';
import type { RecorderClock } from './sample-sender.ts';
import type { RecordingSettings } from './recording-settings.ts';

export type RecordingDeps = {
  readonly history: HistoryStore;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'onValues'>;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly recording: RecordingSettings;
  readonly commands: { readonly findCommand: (id: string) => Pick<Command, 'createdBy'> | undefined };
  readonly clock: Clock;
  readonly hubClock: RecorderClock;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

/**
 * Records what devices report, and the logbook of the home, until the returned function is called. Call it before the integrations end: their end
 * would look like the absence of their devices.
 */
export async function startRecording(deps: RecordingDeps): Promise<() => Promise<void>> {
  const { history: store, devices, events, recording, clock, hubClock, startTimer } = deps;
  const recorder = await openRecorder({
    store,
    hubClock,
    devices: devices.devices,
    clock,
    startTimer,
    recording,
    log: deps.log.part('history'),
  });
  const stopValues = devices.onValues((device, values, observedAtMs) => {
    recorder.noteValues(device, values, observedAtMs);
  });
  recording.onChange(recorder.noteRecording);
  const timeline = createTimelineRecorder({
    add: recorder.addText,
    devices: devices.devices,
    findCommand: deps.commands.findCommand,
    isRecorded: recording.isRecorded,
    clock,
  });
  const stopEvents = events.subscribe((event) => {
    recorder.noteEvent(event);
    timeline.noteEvent(event);
  });
  return async () => {
    stopValues();
    stopEvents();
    timeline.stop();
    await recorder.stop();
  };
}

export type RetentionDeps = {
  readonly history: Pick<HistoryStore, 'forgetMonths'>;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  /** The size of the file system on which the history is. */
  readonly diskBytes: number;
  readonly log: Log;
};

const DAY_MS = 86_400_000;
/** A little more than a year, so that a month can be compared with the same one of last year. */
const KEEP_MS = 400 * DAY_MS;
const MAX_BYTES = 1024 ** 3;
const MAX_PART_OF_DISK = 0.1;

/** Removes the months that are too old, or for which there is no room. A clock that may be wrong removes nothing. */
export async function forgetOldHistory({ history, hubClock, diskBytes, log }: RetentionDeps): Promise<void> {
  if (!hubClock.isSynced()) return;
  const limits = {
    keepFromMs: hubClock.nowMs() - KEEP_MS,
    maxBytes: Math.min(MAX_BYTES, diskBytes * MAX_PART_OF_DISK),
  };
  const months = await history.forgetMonths(limits);
  if (months.length > 0) log.info('old history was removed', { months });
}
