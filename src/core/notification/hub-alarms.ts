import type { Device } from '#core/device/device.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { PausedRecording } from '#core/past/history/tracks/recording-budget.ts';
import { isOfConnection } from '#core/integration/status-error.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import { worded } from './worded.ts';

/** The hub looks at its storage from time to time, and finds this. */
export type StorageLook = {
  readonly database: 'ok' | 'full' | 'unavailable' | 'damaged';
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly backupFailure: { readonly message: string } | null;
  readonly historyPausedSinceMs: number | null;
};

export type HubAlarmsDeps = {
  readonly desk: AlarmDesk;
  readonly integrations: () => readonly { readonly id: string; readonly status: IntegrationStatus }[];
  /** `undefined` for one that is gone, or that nobody ever set up. */
  readonly findIntegration: (id: string) => { readonly name: string; readonly kind: string } | undefined;
  /** Whether other troubles tell the same: its broker is down too, or all of its devices are away by themselves. */
  readonly isToldElsewhere: (id: string) => boolean;
  readonly findDevice: (id: string) => Pick<Device, 'id' | 'name'> | undefined;
};

/** Watches integrations and the storage. */
export type HubAlarms = ReturnType<typeof createHubAlarms>;

const GIB = 1024 ** 3;
/** The disk is nearly full below the first, and has room again above the second, times the threshold. */
const DISK = { share: 0.05, mostBytes: GIB, roomAgain: 1.5 };
const HUB = 'hub';

export function createHubAlarms({ desk, ...deps }: HubAlarmsDeps) {
  const noteIntegration = (id: string, { state, error }: IntegrationStatus): void => {
    const found = deps.findIntegration(id);
    if (found === undefined) return desk.forget('integration_down', id);
    if (state === 'connected' || state === 'off') return desk.over('integration_down', id);
    const { name: integration, kind } = found;
    // It goes to the whole household.
    const said =
      error === null || isOfConnection(error)
        ? worded('integration_down', { integration })
        : worded('integration_failed', { ...error.reason?.with, integration, kind, code: error.code }, error.message);
    desk.note('integration_down', id, { ...said, stillCounts: () => !deps.isToldElsewhere(id) });
  };
  // Who reports too much is found again when it reports.
  for (const id of desk.subjectsOf('history_paused')) if (id !== HUB) desk.over('history_paused', id);
  return {
    notePaused: ({ kind, id, reason }: PausedRecording, isPaused: boolean): void => {
      const device = kind === 'device' ? deps.findDevice(id) : undefined;
      const name = kind === 'device' ? device?.name : deps.findIntegration(id)?.name;
      if (!isPaused || name === undefined) return desk.over('history_paused', id);
      const said = worded(`too_much_for_${reason}`, { name });
      desk.note('history_paused', id, { ...said, ...(device && { deviceId: device.id }) });
    },
    onEvent: (event: HomeEvent): void => {
      if (event.type === 'integration.changed' || event.type === 'integration.added') {
        noteIntegration(event.integration, event.status);
      } else if (event.type === 'integration.removed') desk.forget('integration_down', event.integration);
    },
    noteStorage: ({ database, freeBytes, totalBytes, backupFailure, historyPausedSinceMs }: StorageLook): void => {
      if (backupFailure === null) desk.over('backup_failed', HUB);
      else desk.note('backup_failed', HUB, worded('backup_failed', {}, backupFailure.message));
      if (historyPausedSinceMs === null) desk.over('history_paused', HUB);
      else desk.note('history_paused', HUB, worded('history_paused', {}));
      const leastBytes = Math.min(totalBytes * DISK.share, DISK.mostBytes);
      if (database === 'full' || freeBytes < leastBytes) {
        const free = Math.round(freeBytes / 1024 ** 2);
        desk.note('disk_nearly_full', HUB, worded('disk_nearly_full', { free_mib: free }));
      } else if (freeBytes > leastBytes * DISK.roomAgain) desk.over('disk_nearly_full', HUB);
    },
    /** Looks at every integration, for what was so before anyone watched. */
    lookAtAll: (): void => {
      for (const { id, status } of deps.integrations()) noteIntegration(id, status);
      for (const id of desk.subjectsOf('integration_down')) {
        if (deps.findIntegration(id)?.name === undefined) desk.forget('integration_down', id);
      }
    },
  };
}
