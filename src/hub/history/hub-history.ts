import type { OpenHubClock } from '#base/time/hub-clock.ts';
import { repeat } from '#base/time/repeat.ts';
import type { StopList } from '#base/stop-list.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
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
import { readUsedFeatures } from '#hub/automation/used-features.ts';
import { createHourReader, type HourReader } from '#core/past/hour/hour-reader.ts';
import { type HourFollower, startHourWatch } from '#core/past/hour/hour-watch.ts';
import { retireSamples } from '#core/past/hour/retire-samples.ts';
import { rollUp } from '#core/past/hour/roll-up.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { UserId } from '#core/person/user.ts';
import type { Energy } from '#core/energy/energy.ts';
import type { Storage } from '#storage/storage.ts';
import { type DeviceForgetting, openDeviceForgetting } from './device-forgetting.ts';

const UPKEEP_MS = 3_600_000;
const FIRST_UPKEEP_MS = 300_000;

type Deps = Omit<
  RecordingDeps,
  | 'history'
  | 'devices'
  | 'events'
  | 'house'
  | 'recording'
  | 'commands'
  | 'rules'
  | 'isScript'
  | 'onPaused'
  | 'readMonth'
> & {
  readonly storage: Storage;
  readonly hubClock: Pick<OpenHubClock, 'isSynced'>;
};

export type HubHistory = {
  readonly recording: RecordingSettings;
  readonly deletion: HistoryDeletion;
  readonly forgetting: DeviceForgetting;
  readonly historySettings: OpenHistorySettings & {
    readonly findOld: (settings: HistorySettings) => Promise<readonly string[]>;
    readonly readUsage: Storage['history']['readUsage'];
  };
  /** How full the month that is open is, and who gets no more of it. */
  readonly historyRoom: Pick<Recording, 'month' | 'paused'>;
  /** What series did in each hour. */
  readonly hours: HourReader;
  /** For all ways in which samples of the past come in. */
  readonly importTurn: ImportTurn;
};

/** Records from now on. End it before the integrations end, which would look like the absence of their devices. */
export async function openHubHistory(
  deps: Deps,
  home: {
    readonly devices: DeviceRegistry;
    readonly events: EventLog;
    readonly commands: RecordingDeps['commands'];
    readonly house: RecordingDeps['house'];
    readonly isScript: RecordingDeps['isScript'];
    readonly onPaused: RecordingDeps['onPaused'];
    readonly identity: Pick<HubIdentity, 'timeZone'>;
  },
): Promise<{ readonly history: HubHistory; readonly started: Recording }> {
  const { storage } = deps;
  const { history } = storage;
  const rules = await openHistorySettings(storage.meta, deps.log.part('history'));
  const recording = await openRecordingSettings(
    storage.recordings,
    rules.ruleOf,
    readUsedFeatures(await storage.meta.loadMeta()),
  );
  const findOld = async (settings: HistorySettings): Promise<readonly string[]> => {
    const { totalBytes: diskBytes } = await storage.health();
    return findOldHistory({ history, settings, hubClock: deps.hubClock, diskBytes });
  };
  const readMonth: RecordingDeps['readMonth'] = async (atMs) => {
    const { totalBytes: diskBytes } = await storage.health();
    const [{ bytes: ofAll }, use] = await Promise.all([history.readUsage(), history.readMonthUse(atMs)]);
    const limits = { settings: rules.present(), hubClock: deps.hubClock, diskBytes };
    return { use, maxBytes: monthLimit(limits, { ofMonth: use.bytes, ofAll }) };
  };
  const started = await startRecording({ ...deps, ...home, history, recording, rules, readMonth });
  const deletionLog = deps.log.part('history');
  const kept = {
    recording,
    historyRoom: started,
    historySettings: { ...rules, findOld, readUsage: history.readUsage },
    deletion: createHistoryDeletion({
      sendWaiting: started.send,
      history,
      nowMs: deps.hubClock.nowMs,
      log: deletionLog,
    }),
    forgetting: await openDeviceForgetting(storage.meta, home.devices),
    hours: createHourReader({ ...storage, timeZone: home.identity.timeZone }),
    importTurn: createImportTurn(),
  };
  return { history: kept, started };
}

type Kept = Pick<HubHistory, 'deletion' | 'forgetting' | 'historySettings'> &
  Pick<HubIdentity, 'timeZone'> & {
    readonly accounts: { readonly findUser: (id: UserId) => unknown };
    readonly energy: Energy;
    readonly stops: StopList;
    readonly forgetTraces: ForgetPersonDeps['forgetTraces'];
  } & Pick<DeviceRegistry, 'findDevice'>;

/** Keeps hours, calls the followers with each that is over, and removes what is old. */
export function startHistoryUpkeep(deps: Deps, kept: Kept, followers: readonly HourFollower[]): void {
  const { storage, log } = deps;
  const { timeZone, stops } = kept;
  stops.add('the upkeep of history', repeatUpkeep(deps, kept));
  const watch = startHourWatch({ ...deps, timeZone, meta: storage.meta, log: log.part('hours') }, followers);
  stops.add('the watch for whole hours', watch);
}

/** Makes the hours of days that are over, and only then removes old samples: not at the start, which has enough to do. */
function repeatUpkeep(
  { storage, hubClock, startTimer, log }: Deps,
  { deletion, energy, forgetting, historySettings, timeZone, accounts, findDevice, forgetTraces }: Kept,
): () => void {
  const ended = new AbortController();
  const historyLog = log.part('history');
  let isRunning = false;
  const upkeep = async (): Promise<void> => {
    isRunning = true;
    try {
      await deletion.erase();
      await rollUp({ ...storage, timeZone, hubClock, log: historyLog }, ended.signal);
      // First what keeps the disk from filling up: the others have a limit at which they fail.
      const { totalBytes: diskBytes } = await storage.health();
      const settings = historySettings.present();
      if (!ended.signal.aborted) await forgetOldHistory({ ...storage, settings, hubClock, diskBytes, log: historyLog });
      if (!ended.signal.aborted) await forgetting.settle({ deletion, energy });
      if (!ended.signal.aborted)
        await forgetOldPresence({
          ...storage,
          hubClock,
          forgetTraces,
          isPerson: (id) => accounts.findUser(id) !== undefined,
        });
      if (!ended.signal.aborted)
        await retireSamples({ ...storage, settings: historySettings, findDevice, hubClock, timeZone });
    } catch (cause) {
      if (!ended.signal.aborted) historyLog.error('the upkeep of history failed and is tried again', { cause });
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
