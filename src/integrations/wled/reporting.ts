import type { JsonObject } from '#base/json.ts';
import { HubError } from '#base/hub-error.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { type Light, lightFromStatus } from './light.ts';
import { readSources, refuseUnfit, type Sent } from '#integrations/peer/source.ts';
import { changeFromCommand } from './payload.ts';
import type { Wire } from './wire.ts';
import { type LightStatus, type Lists, NO_LISTS } from './wled-message.ts';

/** Tells the hub what the light tells, and knows what the light is. */
export type Reporting = ReturnType<typeof createReporting>;

type ReportingDeps = {
  readonly sink: DeviceSink;
  readonly wire: Pick<Wire, 'readLists'>;
  readonly startTimer: StartTimer;
  /** Called with what goes wrong while the description is renewed. */
  readonly onFault: (cause: unknown) => void;
};

/** A preset may have other segments than the one before. Each description is written to disk, so they are gathered. */
const RENEW_MS = 3_000;

export function createReporting({ sink, wire, startTimer, onFault }: ReportingDeps) {
  const sent = new Map<string, Sent>();
  const inTurn = createTurnQueue();
  let lists: Lists = NO_LISTS;
  let listsKey: string | undefined;
  let shown: { readonly light: Light; readonly structure: string } | undefined;
  let newest: LightStatus | undefined;
  let session: AbortSignal = AbortSignal.abort();
  let isRenewing = false;

  const describe = async (status: LightStatus, signal: AbortSignal): Promise<boolean> => {
    if (status.info.listsKey !== listsKey) {
      lists = await wire.readLists(status, lists, signal);
      listsKey = status.info.listsKey;
    }
    if (signal.aborted) return false;
    const light = lightFromStatus(status, lists);
    if (!(await sink.syncDevices([light.description]))) return false;
    shown = { light, structure: structureOf(status) };
    return true;
  };
  const report = (status: LightStatus): void => {
    if (shown === undefined) return;
    newest = status;
    const { externalId } = shown.light.description;
    sink.reportValues(
      externalId,
      readSources(shown.light.sources, ({ read }) => read?.(status), { sink, externalId, sent }),
    );
  };
  const renewLater = async (signal: AbortSignal): Promise<void> => {
    isRenewing = true;
    try {
      await waitMs(RENEW_MS, startTimer, signal);
      const latest = newest;
      if (signal.aborted || latest === undefined) return;
      // What the light has told meanwhile counts.
      if (await inTurn(() => describe(latest, signal))) report(newest ?? latest);
    } catch (cause) {
      onFault(cause);
    } finally {
      isRenewing = false;
    }
  };
  return {
    /** Takes the first reading of a connection. False if the home has no room for the light. */
    begin: async (status: LightStatus, signal: AbortSignal): Promise<boolean> => {
      session = signal;
      newest = status;
      await sink.openList();
      if (!(await inTurn(() => describe(status, signal)))) return false;
      sink.reportAvailability(status.info.mac, 'online', null);
      report(status);
      return true;
    },
    /** Takes a later one. */
    take: (status: LightStatus): void => {
      if (shown === undefined) return;
      report(status);
      const isNew = status.info.listsKey !== listsKey || structureOf(status) !== shown.structure;
      if (isNew && !isRenewing) void renewLater(session);
    },
    /** The change that a command makes. Throws HubError if the light is not there, or cannot take it. */
    changeFor: (command: DeviceCommand): JsonObject => {
      const { light } = shown ?? {};
      if (light === undefined || newest === undefined || command.externalId !== light.description.externalId) {
        throw new HubError('NOT_FOUND', 'This instance has no such light.');
      }
      refuseUnfit(light.description.features, command);
      const made = changeFromCommand(command, light, newest);
      for (const [key, one] of made.sent) sent.set(key, one);
      return made.change;
    },
  };
}

/** Describes all that the features depend on apart from the lists, for comparison. */
function structureOf({ info, segments }: LightStatus): string {
  const parts = segments.map(({ id, name, abilities }) => [id, name, Object.values(abilities)]);
  return JSON.stringify([info.name, info.version, info.model, info.maker, parts]);
}
