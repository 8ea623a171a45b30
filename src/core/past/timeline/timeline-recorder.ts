import { createTokenBuckets } from '#base/token-buckets.ts';
import type { Clock } from '#base/time/clock.ts';
import { type Command, type CommandResult, COMMAND_STATUSES, isFinished } from '#core/command/command.ts';
import { type Device, type DeviceId, deviceName } from '#core/device/device.ts';
import type { IntegrationState } from '#core/integration/integration-status.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { statusCodeForAll } from '#core/integration/status-error.ts';
import type { Feature } from '#core/feature/feature.ts';
import { HOME_TIMELINE, timelineOf } from '#core/past/history/sample.ts';
import { lineText, type StoredEntry, textFromEntry } from './timeline-line.ts';

/** Writes what the logbook of the home has beyond the samples: because of what something happened, and what no sample is. */
export type TimelineRecorder = ReturnType<typeof createTimelineRecorder>;

type TimelineDeps = {
  /** Keeps a text as a sample of this series, at this moment. */
  readonly add: (series: string, text: string) => void;
  readonly devices: () => readonly Device[];
  readonly findCommand: (id: string) => Pick<Command, 'createdBy'> | undefined;
  /** What a person does not want recorded is in no logbook either. */
  readonly isRecorded: (device: Device, feature: Feature) => boolean;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** A device that never rests has some 2,900 lines a day, and all devices together 22,000, of 10 to 200 bytes. */
const OF_DEVICE = { capacity: 120, refillMs: 30_000, maxNames: 16_384 };
const OF_HOME = { capacity: 1_000, refillMs: 4_000, maxNames: 1 };

export function createTimelineRecorder(deps: TimelineDeps) {
  const { isRecorded, findCommand } = deps;
  const lines = createLineWriter(deps);
  const names = new Map<DeviceId, string>(deps.devices().map((device) => [device.id, deviceName(device)]));
  const integrations = new Map<string, IntegrationState>();

  const noteChange = (device: Device, event: Extract<HomeEvent, { readonly type: 'feature.changed' }>): void => {
    const { key, state, cause } = event;
    const { value, quality, changedAtMs, observedAtMs } = state;
    if (cause === null || quality !== 'confirmed' || changedAtMs !== observedAtMs) return;
    if (value === null || typeof value === 'object') return;
    const feature = device.features.find((one) => one.key === key);
    if (feature === undefined || !isRecorded(device, feature)) return;
    const by = cause.command === null ? null : (findCommand(cause.command)?.createdBy ?? null);
    const short = typeof value === 'string' ? lineText(value) : value;
    lines.add(timelineOf(device.id), { type: 'feature.changed', key, value: short, cause, by });
  };
  const noteCommand = (command: Command): void => {
    if (!isFinished(command)) return;
    const ofDevices = new Map<DeviceId, CommandResult[]>();
    for (const result of command.results) {
      const known = ofDevices.get(result.deviceId);
      if (known === undefined) ofDevices.set(result.deviceId, [result]);
      else known.push(result);
    }
    for (const [id, results] of ofDevices) {
      // The logbook of a device ends with its removal, which may have deleted all of it.
      if (names.has(id)) lines.add(timelineOf(id), entryFromCommand(command, results));
    }
  };
  const noteName = (device: Device): void => {
    const name = deviceName(device);
    const before = names.get(device.id);
    names.set(device.id, name);
    if (before !== undefined && before !== name) {
      lines.add(timelineOf(device.id), { type: 'device.renamed', name: lineText(name) });
    }
  };
  const noteIntegration = (integration: string, state: IntegrationState | 'removed', error: string | null): void => {
    // It connects at each start and after each break.
    if (state === 'connecting' || integrations.get(integration) === state) return;
    if (state === 'removed') integrations.delete(integration);
    else integrations.set(integration, state);
    lines.add(HOME_TIMELINE, { type: 'integration.changed', integration, state, error });
  };

  lines.add(HOME_TIMELINE, { type: 'hub.started' });
  return {
    noteEvent: (event: HomeEvent): void => {
      switch (event.type) {
        case 'feature.changed':
          return noteChange(event.device, event);
        case 'command.changed':
          return noteCommand(event.command);
        case 'device.changed':
          return noteName(event.device);
        case 'device.added':
          names.set(event.device.id, deviceName(event.device));
          return lines.add(timelineOf(event.device.id), { type: event.type });
        case 'device.removed':
          names.delete(event.device.id);
          return lines.add(timelineOf(event.device.id), { type: event.type });
        case 'integration.added':
        case 'integration.changed':
          return noteIntegration(
            event.integration,
            event.status.state,
            statusCodeForAll(event.status.error?.code ?? null),
          );
        case 'automation.run': {
          const { automation, run, phase, outcome } = event;
          if (phase !== 'finished') return;
          return lines.add(HOME_TIMELINE, { type: event.type, automation: automation.id, run, outcome });
        }
        case 'integration.removed':
          return noteIntegration(event.integration, 'removed', null);
        default:
      }
    },
    tellSkipped: lines.tellSkipped,
  };
}

function createLineWriter({ add, clock: { monotonicMs } }: TimelineDeps) {
  const ofDevice = createTokenBuckets({ ...OF_DEVICE, monotonicMs });
  const ofHome = createTokenBuckets({ ...OF_HOME, monotonicMs });
  const skipped = new Map<string, number>();
  const tellSkipped = (series: string): void => {
    const count = skipped.get(series);
    if (count === undefined) return;
    skipped.delete(series);
    add(series, textFromEntry({ type: 'lines.skipped', count }));
  };
  return {
    add: (series: string, entry: StoredEntry): void => {
      if (!ofDevice.take(series) || !ofHome.take('home')) {
        skipped.set(series, (skipped.get(series) ?? 0) + 1);
        return;
      }
      tellSkipped(series);
      add(series, textFromEntry(entry));
    },
    tellSkipped: (): void => {
      for (const series of skipped.keys()) tellSkipped(series);
    },
  };
}

function entryFromCommand({ id, cause, createdBy }: Command, results: readonly CommandResult[]): StoredEntry {
  const statuses = new Set(results.map(({ status }) => status));
  return {
    type: 'command.finished',
    command: id,
    // The worst, as of the whole command.
    status: COMMAND_STATUSES.findLast((status) => statuses.has(status)) ?? 'confirmed',
    ...reasonOf(results),
    wishes: Object.fromEntries(results.slice(0, MAX_WISHES).map(wishOf)),
    cause,
    by: createdBy,
  };
}

const MAX_WISHES = 12;

function reasonOf(results: readonly CommandResult[]): Pick<CommandResult, 'reason' | 'code'> {
  const { reason = null, code = null } = results.find((result) => result.reason !== null) ?? {};
  return { reason: reason === null ? null : lineText(reason), code };
}

/** A text, or a number of no unit, could be the code of a lock. */
function wishOf({ feature, requested }: CommandResult): [string, boolean | number | string | null] {
  const isWord = typeof requested === 'boolean' || (typeof requested === 'string' && feature.valueType === 'enum');
  const isAmount = typeof requested === 'number' && feature.unit !== null;
  return [feature.key, isWord || isAmount ? requested : null];
}
