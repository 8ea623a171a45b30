import type { OpenHubClock } from '#base/time/hub-clock.ts';
import { repeat } from '#base/time/repeat.ts';
import type { StopList } from '#base/stop-list.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { createHistoryDeletion, type HistoryDeletion } from '#core/history/history-deletion.ts';
import {
  findOldHistory,
  forgetOldHistory,
  type OpenHistorySettings,
  openHistorySettings,
  type HistorySettings,
} from '#core/history/history-settings.ts';
import { type RecordingDeps, startRecording } from '#core/history/recording.ts';
import { openRecordingSettings, type RecordingSettings } from '#core/history/recording-settings.ts';
import { createHourReader, type HourReader } from '#core/hour/hour-reader.ts';
import { type HourFollower, startHourWatch } from '#core/hour/hour-watch.ts';
import { rollUp } from '#core/hour/roll-up.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { Storage } from '#storage/storage.ts';

const UPKEEP_MS = 3_600_000;
const FIRST_UPKEEP_MS = 300_000;

type Deps = Omit<RecordingDeps, 'history' | 'devices' | 'events' | 'recording' | 'commands' | 'rules'> & {
  readonly storage: Storage;
  readonly hubClock: Pick<OpenHubClock, 'isSynced'>;
};

export type HubHistory = {
  readonly recording: RecordingSettings;
  readonly deletion: HistoryDeletion;
  readonly historySettings: OpenHistorySettings & {
    readonly findOld: (settings: HistorySettings) => Promise<readonly string[]>;
    readonly readUsage: Storage['history']['readUsage'];
  };
  /** What series did in each hour. */
  readonly hours: HourReader;
};

/** Records from now on. End it before the integrations end, which would look like the absence of their devices. */
export async function openHubHistory(
  deps: Deps,
  home: {
    readonly devices: DeviceRegistry;
    readonly events: EventLog;
    readonly commands: RecordingDeps['commands'];
    readonly identity: Pick<HubIdentity, 'timeZone'>;
  },
): Promise<HubHistory & { readonly stopRecording: () => Promise<void> }> {
  const { storage } = deps;
  const { history } = storage;
  const rules = await openHistorySettings(storage.meta, deps.log.part('history'));
  const recording = await openRecordingSettings(storage.recordings, rules.ruleOf);
  const findOld = async (settings: HistorySettings): Promise<readonly string[]> => {
    const { totalBytes: diskBytes } = await storage.health();
    return findOldHistory({ history, settings, hubClock: deps.hubClock, diskBytes });
  };
  return {
    recording,
    historySettings: { ...rules, findOld, readUsage: history.readUsage },
    deletion: createHistoryDeletion({ history, nowMs: deps.hubClock.nowMs, log: deps.log.part('history') }),
    hours: createHourReader({ ...storage, timeZone: home.identity.timeZone }),
    stopRecording: await startRecording({ ...deps, ...home, history, recording, rules }),
  };
}

type Kept = Pick<HubHistory, 'deletion' | 'historySettings'> &
  Pick<HubIdentity, 'timeZone'> & { readonly stops: StopList };

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
  { deletion, historySettings, timeZone }: Kept,
): () => void {
  const ended = new AbortController();
  const historyLog = log.part('history');
  let isRunning = false;
  const upkeep = async (): Promise<void> => {
    isRunning = true;
    try {
      await deletion.erase();
      await rollUp({ ...storage, timeZone, hubClock, log: historyLog }, ended.signal);
      const { totalBytes: diskBytes } = await storage.health();
      const settings = historySettings.present();
      if (!ended.signal.aborted) await forgetOldHistory({ ...storage, settings, hubClock, diskBytes, log: historyLog });
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
