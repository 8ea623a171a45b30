import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { openRecordingSettings, type RecordingChange } from '#core/past/history/recording-settings.ts';
import { openRecorder } from '#core/past/history/recorder.ts';
import { createRecordingBudget } from '#core/past/history/tracks/recording-budget.ts';
import type { Mode } from '#core/mode/mode.ts';
import type { Presence } from '#core/presence/presence.ts';
import type { Variable } from '#core/variable/variable.ts';
import { createMemoryRecordings } from './memory-recordings.ts';
import type { Feature } from '#core/feature/feature.ts';
import { BUTTON, createDeviceDisk, lamp, openDeviceHome, TEMPERATURE } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { readRows } from '#test/storage/history/history-harness.ts';
import { createBench } from '#test/storage/storage-harness.ts';

const NOTE = { ...TEMPERATURE, key: 'note', capability: 'x.note', valueType: 'string', unit: null } as Feature;

/** A home with a lamp whose runs share a disk and a storage; the time goes on a second with each report. */
export function createRecorderWorld() {
  const bench = createBench();
  const { clock, startTimer, advance } = bench.time;
  const disk = createDeviceDisk();
  const engine = bench.open();
  const { history } = engine.operations;
  const reads = { count: 0 };
  const refused = { shifts: 0 };
  const store: HistoryStore = {
    ...history,
    flush: async () => history.flush(),
    importSamples: async (...args) => history.importSamples(...args),
    noteShift: async (...args) => {
      if (refused.shifts > 0) {
        refused.shifts -= 1;
        throw new HubError('STORAGE_UNAVAILABLE', 'history is being sealed');
      }
      history.noteShift(...args);
    },
    listEpochs: async () => history.listEpochs(),
    findSeries: async (name) => history.findSeries(name),
    listSeries: async (after) => history.listSeries(after),
    readSlice: async (...args) => history.readSlice(...args),
    findBefore: async (...args) => {
      reads.count += 1;
      return history.findBefore(...args);
    },
    readNumbered: async (from) => history.readNumbered(from),
    locate: async (atMs) => history.locate(atMs),
    deleteSamples: async (ranges) => history.deleteSamples(ranges),
    eraseDeleted: async () => history.eraseDeleted(),
    scrub: async () => history.scrub(),
    forgetMonths: async (limits) => history.forgetMonths(limits),
    readUsage: async () => history.readUsage(),
    readMonthUse: async (atMs) => history.readMonthUse(atMs),
  };
  const hub = { epoch: 'e1', aheadMs: 0 };
  const held: { modes: Mode[]; variables: Variable[]; presences: Presence[] } = {
    modes: [],
    variables: [],
    presences: [],
  };
  const house = { modes: () => held.modes, variables: () => held.variables, presences: () => held.presences };
  const kept = createMemoryRecordings();
  const paused: [id: string, isPaused: boolean][] = [];
  const startRun = async () => {
    const home = await openDeviceHome(disk, bench.time);
    await home.reports.syncDevices([lamp('a', { features: [createFeature('on'), TEMPERATURE, BUTTON, NOTE] })]);
    const recording = await openRecordingSettings(kept);
    const recorder = await openRecorder({
      budget: createRecordingBudget({
        nowMs: () => clock.wallMs() + hub.aheadMs,
        isScript: (integration) => integration === 'script',
        onPaused: ({ id }, isPaused) => void paused.push([id, isPaused]),
        onMonth: () => undefined,
        room: { device: 20_000, script: 20_000 },
      }),
      store,
      hubClock: {
        epoch: () => hub.epoch,
        nowMs: () => clock.wallMs() + hub.aheadMs,
        nowInEpochMs: (id) => clock.wallMs() + (id === 'e2' ? hub.aheadMs : 0),
        learnedShiftMs: (id) => (id === 'e1' && hub.epoch === 'e2' ? hub.aheadMs : null),
        isSynced: () => hub.epoch === 'e2',
      },
      devices: home.registry.devices,
      house,
      clock,
      startTimer,
      recording,
      log: createRecordingLog().log,
    });
    recording.onChange(recorder.noteRecording);
    const setRecording = async (key: string, change: RecordingChange): Promise<void> => {
      const device = home.device('a');
      const feature = device.features.find((one) => one.key === key);
      if (feature === undefined) throw new Error(`there is no ${key}`);
      await recording.update(device, feature, { change, authorize: () => undefined });
      await advance(1000);
    };
    home.registry.onValues((device, values, observedAtMs) => recorder.noteValues(device, values, observedAtMs));
    const noteEvents = async (): Promise<void> => {
      for (const event of home.events.splice(0)) recorder.noteEvent(event);
      await advance(1000);
    };
    /** Seconds since the first sample, and the value. */
    const rowsOf = (series: string) => {
      const rows = readRows(engine, series);
      const firstMs = rows[0]?.[0] ?? 0;
      return rows.map(([atMs, value]) => [(atMs - firstMs) / 1000, value]);
    };
    return {
      ...home,
      recorder,
      setRecording,
      noteEvents,
      report: async (values: Record<string, JsonValue>): Promise<void> => {
        home.report('a', values);
        await noteEvents();
      },
      rowsOf,
      rows: (key: string) => rowsOf(`${home.device('a').id}/${key}`),
    };
  };
  return { startRun, paused, advance, hub, held, clock, reads, refused };
}
