import type { Runtime } from '#base/time/runtime.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Command } from '#core/command/command.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { createTimelineRecorder } from './timeline-recorder.ts';
import type { House } from '#core/past/history/house-series.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { openRecorder } from '#core/past/history/recorder.ts';
import type { RecorderClock } from '#core/past/history/sample-sender.ts';
import type { OpenHistorySettings } from '#core/past/history/history-settings.ts';
import type { RecordingSettings } from '#core/past/history/recording-settings.ts';
import { type ReadMonth, watchMonth } from '#core/past/history/tracks/month-watch.ts';
import { createRecordingBudget, type RecordingBudgetDeps } from '#core/past/history/tracks/recording-budget.ts';

export type RecordingDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly history: HistoryStore;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'onValues'>;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly house: House;
  readonly recording: RecordingSettings;
  /** Tells when the rules of the home changed. */
  readonly rules: Pick<OpenHistorySettings, 'onChange'>;
  readonly commands: { readonly findCommand: (id: string) => Pick<Command, 'createdBy'> | undefined };
  readonly hubClock: RecorderClock;
  readonly readMonth: ReadMonth;
} & Pick<RecordingBudgetDeps, 'isScript' | 'onPaused'>;

export type Recording = Awaited<ReturnType<typeof startRecording>>;

/** Records what devices report, and the logbook of the home. */
export async function startRecording(deps: RecordingDeps) {
  const { history: store, devices, events, recording, clock, hubClock, startTimer } = deps;
  const log = deps.log.part('history');
  const onPaused: RecordingDeps['onPaused'] = (paused, isPaused) => {
    if (isPaused) log.warn('samples are left out, because there is no room for so many', { ...paused });
    else log.info('samples are recorded again', { kind: paused.kind, id: paused.id });
    deps.onPaused(paused, isPaused);
  };
  const budget = createRecordingBudget({
    isScript: deps.isScript,
    onPaused,
    nowMs: hubClock.nowMs,
    onMonth: () => month.look(),
  });
  const month = watchMonth({ ...deps, nowMs: hubClock.nowMs, log, onFigures: budget.noteMonth });
  const recorder = await openRecorder({
    ...deps,
    budget,
    store,
    hubClock,
    devices: devices.devices,
    house: deps.house,
    clock,
    startTimer,
    recording,
    log,
  });
  const stopValues = devices.onValues((device, values, observedAtMs) => {
    recorder.noteValues(device, values, observedAtMs);
  });
  recording.onChange(recorder.noteRecording);
  deps.rules.onChange(() => {
    month.look();
    void eachInSlices(devices.devices(), clock.monotonicMs, (device) => {
      for (const feature of device.features) recorder.noteRecording(device, feature);
    });
  });
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
  return {
    /** What the month that is open takes on disk; `null` until it is known. */
    month: month.figures,
    /** Whose samples are left out, because they are too many. */
    paused: budget.paused,
    heard: recorder.heard,
    /** Gives the storage all that was noted. It goes there by itself too, a little later. */
    send: (): void => {
      timeline.tellSkipped();
      recorder.send();
    },
    /** Call it before the integrations end: their end would look like the absence of their devices. */
    stop: async (): Promise<void> => {
      month.stop();
      stopValues();
      stopEvents();
      timeline.tellSkipped();
      await recorder.stop();
    },
  };
}
