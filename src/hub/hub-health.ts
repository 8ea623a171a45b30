import type { Clock } from '#base/time/clock.ts';
import type { ClockSource, OpenHubClock } from '#base/time/hub-clock.ts';
import type { JsonObject } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { HubVitals } from '#http/metrics/hub-metrics.ts';
import type { HealthState } from '#http/system/json.ts';
import { timeJson } from '#http/answer/time-json.ts';
import type { IntegrationReport, Supervisor } from '#integrations/supervisor.ts';
import type { Advertised } from '#lan/mdns/mdns.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Exporters, KnownExporter } from '#core/exporter/exporter.ts';
import type { HistoryUsage } from '#core/past/history/history-store.ts';
import { statusErrorForAll } from '#core/integration/status-error.ts';
import { statusErrorJson } from '#http/integration/json.ts';
import type { StorageLook } from '#core/notification/hub-alarms.ts';
import type { StorageHealth } from '#storage/open/storage-health.ts';
import type { Past } from '#hub/history/hub-history.ts';
import type { Storage } from '#storage/storage.ts';

export type HubHealth = ReturnType<typeof createHubHealth>;

type HubHealthDeps = {
  readonly storage: Pick<Storage, 'health' | 'history'>;
  readonly supervisor: Pick<Supervisor, 'reports'>;
  readonly devices: Pick<DeviceRegistry, 'devices'>;
  readonly exporters: Pick<Exporters, 'exporters'>;
  readonly historyRoom: Past['historyRoom'];
  readonly areAutomationsPutOff: () => boolean;
  readonly version: string;
  readonly clock: Clock;
  readonly hubClock: Pick<OpenHubClock, 'nowMs' | 'isSynced' | 'source'>;
  readonly addresses: () => readonly string[];
  readonly advertised: () => Advertised;
  readonly eventClients: () => number;
  /** Called with what each check found. */
  readonly onLook: (look: StorageLook) => void;
};

const DAY_MS = 86_400_000;
const LOOK_MS = 60_000;
const MOST_LEFT_OUT = 100;

/** Faults of an integration that last until a person acts. */
const NEEDS_PERSON: ReadonlySet<string> = new Set(['TOO_MANY_DEVICES', 'DEVICES_TOO_LARGE']);

/**
 * The hub's health. It is `degraded` if stored data is in danger or an integration waits for a person. An unreachable
 * broker is not a fault of the hub.
 */
export function createHubHealth({ supervisor, clock, addresses, eventClients, ...deps }: HubHealthDeps) {
  let status: HealthState = 'ok';
  let bytesWritten: number | null = null;
  let today: { readonly day: number; readonly bytesBefore: number } | undefined;

  /** Counts since midnight UTC, or since the start if that was later. */
  const bytesToday = (bytesWritten: number | null): number | null => {
    if (bytesWritten === null) return null;
    const day = Math.floor(clock.wallMs() / DAY_MS);
    today ??= { day, bytesBefore: 0 };
    if (today.day !== day) today = { day, bytesBefore: bytesWritten };
    return bytesWritten - today.bytesBefore;
  };
  const refresh = async (): Promise<{ readonly storage: StorageHealth; readonly history: HistoryUsage }> => {
    const storage = await deps.storage.health();
    const history = await deps.storage.history.readUsage();
    const isKept = history.pausedSinceMs === null && history.unusable.length === 0;
    const isWell = isKept && storage.database === 'ok' && !storage.readOnly && storage.backupFailure === null;
    status = isWell && storage.recovered === null && storage.setAside.length === 0 ? 'ok' : 'degraded';
    bytesWritten = storage.bytesWritten;
    bytesToday(bytesWritten);
    deps.onLook({ ...storage, historyPausedSinceMs: history.pausedSinceMs });
    return { storage, history };
  };
  const statusNow = (): HealthState => {
    const needsPerson = supervisor.reports().some(({ status: { state, error } }) => {
      return state === 'needs_action' || NEEDS_PERSON.has(error?.code ?? '');
    });
    return needsPerson || deps.areAutomationsPutOff() ? 'degraded' : status;
  };
  return {
    /** The state that the last check found, which `details` and the watch renew. */
    status: statusNow,
    /** What metrics show. It does not wait for the storage. */
    vitals: (): HubVitals => ({
      version: deps.version,
      uptimeS: process.uptime(),
      memoryBytes: process.memoryUsage.rss(),
      eventClients: eventClients(),
      devices: deps.devices.devices().length,
      integrations: supervisor.reports().flatMap(({ id, status: { state } }) => {
        return state === 'off' ? [] : [{ id, isUp: state === 'connected' }];
      }),
      bytesWritten,
    }),
    /** Checks at once and every minute, until the returned function is called. */
    watch: (startTimer: StartTimer, log: Log): (() => void) => {
      let isEnded = false;
      let cancel = (): void => undefined;
      const look = async (): Promise<void> => {
        try {
          await refresh();
        } catch (cause) {
          if (isEnded) return;
          status = 'degraded';
          log.warn('the state of the storage could not be read', { cause });
        }
        if (!isEnded) cancel = startTimer(LOOK_MS, () => void look());
      };
      void look();
      return () => {
        isEnded = true;
        cancel();
      };
    },
    /** What a keeper may read, as JSON of the API. */
    details: async (): Promise<JsonObject> => {
      const { storage, history } = await refresh();
      return {
        status: statusNow(),
        database: databaseJson(storage),
        last_backup: storage.lastBackup === null ? null : timeJson(storage.lastBackup.createdAtMs),
        disk: { free_bytes: storage.freeBytes, written_today_bytes: bytesToday(storage.bytesWritten) },
        history: historyJson(history, deps.historyRoom),
        clock: clockJson(clock.wallMs(), deps.hubClock),
        addresses: addresses(),
        // A name conflict is not a fault of the hub: any host in the network can cause one.
        advertised: deps.advertised(),
        event_clients: eventClients(),
        put_off: deps.areAutomationsPutOff() ? ['automations'] : [],
        integrations: supervisor.reports().map(integrationJson),
        exporters: deps.exporters.exporters().map(exporterJson),
      };
    },
  };
}

function integrationJson({ id, status, devices }: IntegrationReport): JsonObject {
  return { id, state: status.state, error: statusErrorJson(statusErrorForAll(status.error)), devices };
}

/** A receiver that is away is not a fault of the hub. */
function exporterJson({ exporter, state }: KnownExporter): JsonObject {
  return { id: exporter.id, name: exporter.name, status: state.status, behind_s: state.behindS };
}

const CLOCK_DETAILS: Readonly<Record<ClockSource, string>> = {
  synced: 'The clock of the machine is synchronised.',
  owner: 'The clock of the machine is not synchronised: the hub goes by the time that a person said.',
  none: 'The clock of the machine is not synchronised: times may be wrong, how long a login lasts is not. Times of automations wait.',
};

function clockJson(wallMs: number, hubClock: HubHealthDeps['hubClock']): JsonObject {
  const synced = hubClock.isSynced();
  const source = hubClock.source();
  const detail = CLOCK_DETAILS[synced ? 'synced' : source];
  return { now: timeJson(wallMs), hub_time: timeJson(hubClock.nowMs()), synced, source, detail };
}

function historyJson(
  { bytes, waitingSamples, pausedSinceMs, unusable }: HistoryUsage,
  { month, paused }: Past['historyRoom'],
): JsonObject {
  const open = month();
  return {
    bytes,
    waiting_samples: waitingSamples,
    paused_since: pausedSinceMs === null ? null : timeJson(pausedSinceMs),
    open_month: open && { bytes: open.use.bytes, max_bytes: Math.max(0, Math.floor(open.maxBytes)) },
    left_out: paused()
      .slice(0, MOST_LEFT_OUT)
      .map(({ kind, id, reason, sinceMs }) => ({ kind, id, reason, since: timeJson(sinceMs) })),
    unusable: unusable.map(({ file, reason }) => ({ file, reason })),
  };
}

function databaseJson({
  database,
  readOnly,
  recovered,
  setAside,
  asideTotals,
  backupFailure,
}: StorageHealth): JsonObject {
  return {
    status: database,
    read_only: readOnly,
    recovered: recovered === null ? null : { reason: recovered.reason, from: recovered.from },
    set_aside: setAside.map(({ noun, id, reason, atMs }) => {
      return { code: 'RECORD_SET_ASIDE', noun, id, reason, at: timeJson(atMs) };
    }),
    set_aside_kept: {
      records: asideTotals.records,
      bytes: asideTotals.bytes,
      until: asideTotals.untilMs === null ? null : timeJson(asideTotals.untilMs),
    },
    backup_failure: backupFailure === null ? null : backupFailure.message,
  };
}
