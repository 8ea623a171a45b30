import { createSubscribers } from '#base/subscribers.ts';
import { repeat } from '#base/time/repeat.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { createImportTurn, type ImportTurn } from '#core/past/archive/archive-import.ts';
import { createHistoryDeletion, type HistoryDeletion } from '#core/past/history/history-deletion.ts';
import {
  findOldHistory,
  forgetOldHistory,
  monthLimit,
  type OpenHistorySettings,
  openHistorySettings,
  type HistorySettings,
} from '#core/past/history/history-settings.ts';
import { forgetOldPresence, type ForgetPersonDeps } from '#core/past/answer/presence-history.ts';
import { type Recording, type RecordingDeps, startRecording } from '#core/past/timeline/recording.ts';
import { openRecordingSettings, type RecordingSettings } from '#core/past/history/recording-settings.ts';
import type { HeardSamples } from '#core/past/history/sample-sender.ts';
import { readUsedFeatures } from './used-features.ts';
import { createHourReader, type HourReader } from '#core/past/hour/hour-reader.ts';
import { startHourWatch } from '#core/past/hour/hour-watch.ts';
import { retireSamples } from '#core/past/hour/retire-samples.ts';
import { rollUp } from '#core/past/hour/roll-up.ts';
import type { UserId } from '#core/person/user.ts';
import type { Energy } from '#core/energy/energy.ts';
import type { Storage } from '#storage/storage.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { Household } from '#hub/hub-household.ts';
import type { Integrations } from '#hub/integration/hub-integrations.ts';
import { type DeviceForgetting, openDeviceForgetting } from './device-forgetting.ts';

const UPKEEP_MS = 3_600_000;
const FIRST_UPKEEP_MS = 300_000;

type PastDeps = Pick<
  HubContext,
  'storage' | 'clock' | 'hubClock' | 'startTimer' | 'log' | 'stops' | 'identity' | 'events'
> & {
  readonly devices: DeviceRegistry;
  readonly commands: RecordingDeps['commands'];
  readonly household: Pick<Household, 'house'>;
  readonly integrations: Pick<Integrations, 'instances'>;
};

/** The hub recorded this past; people decided what of it is recorded, kept and deleted. */
export type Past = {
  readonly recording: RecordingSettings;
  readonly deletion: HistoryDeletion;
  readonly forgetting: DeviceForgetting;
  readonly historySettings: OpenHistorySettings & {
    readonly findOld: (settings: HistorySettings) => Promise<readonly string[]>;
    readonly readUsage: Storage['history']['readUsage'];
  };
  /** How full the month that is open is, and who gets no more of it. */
  readonly historyRoom: Pick<Recording, 'month' | 'paused'>;
  readonly hours: HourReader;
  /** All ways in which samples of the past come in take turns. */
  readonly importTurn: ImportTurn;
  /** Tells of samples as they are made. */
  readonly heard: HeardSamples;
  /** Calls the listener when samples of a device or script begin to be left out, and when they are recorded again. */
  readonly onPaused: (listener: RecordingDeps['onPaused']) => void;
};

/** Records from now on. Open it after the integrations: their end would look like the absence of their devices. */
export async function openPast(deps: PastDeps): Promise<Past> {
  const { storage, hubClock, devices, integrations } = deps;
  const { history } = storage;
  const log = deps.log.part('history');
  const rules = await openHistorySettings(storage.meta, log);
  const recording = await openRecordingSettings(
    storage.recordings,
    rules.ruleOf,
    readUsedFeatures(await storage.meta.loadMeta()),
  );
  const pauses = createSubscribers<Parameters<RecordingDeps['onPaused']>>(log);
  const recorder = await startRecording({
    ...deps,
    history,
    house: deps.household.house,
    recording,
    rules,
    isScript: (id) => integrations.instances.kindOf(id)?.comesByItself === true,
    onPaused: pauses.tell,
    readMonth: async (atMs) => {
      const { totalBytes: diskBytes } = await storage.health();
      const [{ bytes: ofAll }, use] = await Promise.all([history.readUsage(), history.readMonthUse(atMs)]);
      const limits = { settings: rules.present(), hubClock, diskBytes };
      return { use, maxBytes: monthLimit(limits, { ofMonth: use.bytes, ofAll }) };
    },
  });
  deps.stops.add('the recording of history', recorder.stop);
  return {
    recording,
    historyRoom: recorder,
    historySettings: {
      ...rules,
      findOld: async (settings) => {
        const { totalBytes: diskBytes } = await storage.health();
        return findOldHistory({ history, settings, hubClock, diskBytes });
      },
      readUsage: history.readUsage,
    },
    deletion: createHistoryDeletion({ sendWaiting: recorder.send, history, nowMs: hubClock.nowMs, log }),
    forgetting: await openDeviceForgetting(storage.meta, devices),
    hours: createHourReader({ ...storage, timeZone: deps.identity.timeZone }),
    importTurn: createImportTurn(),
    heard: recorder.heard,
    onPaused: pauses.add,
  };
}

type PastUpkeepDeps = Pick<HubContext, 'storage' | 'hubClock' | 'startTimer' | 'log' | 'stops' | 'identity'> &
  Pick<ForgetPersonDeps, 'forgetTraces'> & {
    readonly past: Pick<Past, 'deletion' | 'forgetting' | 'historySettings'>;
    readonly people: { readonly accounts: { readonly findUser: (id: UserId) => unknown } };
    readonly devices: Pick<DeviceRegistry, 'findDevice'>;
    readonly energy: Pick<Energy, 'settle' | 'deleteHours'>;
  };

/** Keeps hours, settles the energy of each that is over, and removes what is old. */
export function startPastUpkeep(deps: PastUpkeepDeps): void {
  const { storage, stops, energy } = deps;
  stops.add('the upkeep of history', repeatUpkeep(deps));
  const watch = startHourWatch(
    { ...deps, timeZone: deps.identity.timeZone, meta: storage.meta, log: deps.log.part('hours') },
    [{ name: 'energy', takeHour: energy.settle }],
  );
  stops.add('the watch for whole hours', watch);
}

/** Makes the hours of days that are over, and only then removes old samples: not at the start, which has enough to do. */
function repeatUpkeep({ storage, hubClock, startTimer, people, devices, energy, ...deps }: PastUpkeepDeps): () => void {
  const { deletion, forgetting, historySettings } = deps.past;
  const { timeZone } = deps.identity;
  const ended = new AbortController();
  const log = deps.log.part('history');
  let isRunning = false;
  const upkeep = async (): Promise<void> => {
    isRunning = true;
    try {
      await deletion.erase();
      await rollUp({ ...storage, timeZone, hubClock, log }, ended.signal);
      // What keeps the disk from filling up comes first: the others have a limit at which they fail.
      const { totalBytes: diskBytes } = await storage.health();
      const settings = historySettings.present();
      if (!ended.signal.aborted) await forgetOldHistory({ ...storage, settings, hubClock, diskBytes, log });
      if (!ended.signal.aborted) await forgetting.settle({ deletion, energy });
      if (!ended.signal.aborted)
        await forgetOldPresence({
          ...storage,
          hubClock,
          forgetTraces: deps.forgetTraces,
          isPerson: (id) => people.accounts.findUser(id) !== undefined,
        });
      if (!ended.signal.aborted)
        await retireSamples({
          ...storage,
          settings: historySettings,
          findDevice: devices.findDevice,
          hubClock,
          timeZone,
        });
    } catch (cause) {
      if (!ended.signal.aborted) log.error('the upkeep of history failed and is tried again', { cause });
    } finally {
      isRunning = false;
    }
  };
  const attempt = (): void => {
    if (!isRunning) void upkeep();
  };
  const stopFirst = startTimer(FIRST_UPKEEP_MS, attempt);
  const stop = repeat(startTimer, UPKEEP_MS, attempt);
  return () => {
    stopFirst();
    stop();
    ended.abort();
  };
}
