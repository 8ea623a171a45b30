import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { EntityDeps, Report } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { messageOf, type Message } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { MqttLink, MqttMessage } from '#integrations/ports.ts';
import type { DeviceParts } from './announced-devices.ts';
import { createDelays } from './delays.ts';
import { liveDeviceFrom, rememberedWith, type LiveDevice, type Said } from './live-device.ts';
import { createTopicListeners } from './topic-listeners.ts';
import { createWorkTurns } from '#base/work-turns.ts';

/** The devices as the hub has them, with the topics that they listen to. */
export type DeviceBook = {
  readonly describe: (parts: DeviceParts) => Promise<void>;
  readonly remove: (externalId: string) => Promise<void>;
  readonly onState: (message: MqttMessage) => void;
  readonly setLink: (isUp: boolean) => void;
  readonly isUp: () => boolean;
  readonly find: (externalId: string) => LiveDevice | undefined;
  readonly stop: () => void;
};

export type DeviceBookDeps = {
  readonly sink: DeviceSink;
  readonly link: Pick<MqttLink, 'subscribe'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly signal: AbortSignal;
  readonly knownFeatures: (externalId: string) => readonly Feature[];
};

/** Longer states are none of a device that the hub knows. */
const MAX_STATE_BYTES = 65_536;

type Listener = { readonly externalId: string; readonly filter: string };

export function createDeviceBook({
  sink,
  link,
  log,
  clock,
  startTimer,
  signal,
  knownFeatures,
}: DeviceBookDeps): DeviceBook {
  const devices = new Map<string, LiveDevice>();
  const reported = new Map<string, string>();
  const memory = createMemory(knownFeatures);
  const subscriptions = createSubscriptions(link, log);
  const turns = createWorkTurns({
    startTimer,
    monotonicMs: clock.monotonicMs,
    onFailure: (cause) => log.error('a state could not be read', { cause }),
    onLoss: () => log.warn('states come faster than they can be read: some are dropped'),
  });
  let isUp = false;

  const reportAvailability = (externalId: string): void => {
    const [state, reason] = availabilityFor(isUp, devices.get(externalId)?.isAvailable() ?? null);
    if (reported.get(externalId) === `${state} ${reason}`) return;
    reported.set(externalId, `${state} ${reason}`);
    sink.reportAvailability(externalId, state, reason);
  };

  const report = reporterTo(sink);
  const delays = createDelays(startTimer, delayEnder(sink, report));
  const depsFor = (externalId: string): EntityDeps => ({
    ...surroundingsOf(clock),
    delay: (key, what, afterMs) => delays.set({ externalId, key }, what, afterMs),
  });

  return {
    describe: async (parts) => {
      const { externalId } = parts;
      const device = liveDeviceFrom(parts, depsFor(externalId), memory.of(externalId));
      memory.add(externalId, device.description.features);
      const isTaken = await sink.describeDevice(device.description);
      if (signal.aborted || !isTaken) return;
      delays.keep(externalId, device.delays);
      devices.set(externalId, device);
      reported.delete(externalId);
      reportAvailability(externalId);
      subscriptions.set(externalId, device.topics);
    },
    remove: async (externalId) => {
      subscriptions.set(externalId, new Set());
      delays.keep(externalId, new Set());
      reported.delete(externalId);
      memory.drop(externalId);
      if (devices.delete(externalId)) await sink.removeDevice(externalId);
    },
    onState: ({ topic, payload, retained }) => {
      const found = subscriptions.listenersOf(topic);
      if (found.length === 0 || payload.length > MAX_STATE_BYTES) return;
      const message = messageOf(payload);
      turns.add(
        found.flatMap(({ externalId, filter }) => {
          const device = devices.get(externalId);
          if (device === undefined) return [];
          return stepsOf(device.readersOf(filter), message, (said) => {
            report(externalId, said, retained);
            reportAvailability(externalId);
          });
        }),
      );
    },
    setLink: (up) => {
      isUp = up;
      for (const externalId of devices.keys()) reportAvailability(externalId);
    },
    isUp: () => isUp,
    find: (externalId) => devices.get(externalId),
    stop: () => {
      turns.stop();
      delays.stop();
    },
  };
}

function delayEnder(sink: Pick<DeviceSink, 'reportStale'>, report: Reporter): Parameters<typeof createDelays>[1] {
  return ({ externalId, key }, what) => {
    if (what === 'stale') sink.reportStale(externalId, [key]);
    else report(externalId, [[key, { value: false }]], false);
  };
}

/** One step for each reader, and one with all that they found. */
function stepsOf(
  readers: ReturnType<LiveDevice['readersOf']>,
  message: Message,
  close: (said: readonly Said[]) => void,
): readonly (() => void)[] {
  const said: Said[] = [];
  const steps = readers.map((read) => (): void => {
    const one = read(message);
    if (one !== undefined) said.push(one);
  });
  return [...steps, () => close(said)];
}

function surroundingsOf(clock: Clock): Omit<EntityDeps, 'delay'> {
  return { nowMs: clock.wallMs, zoneOffset: (epochMs) => -new Date(epochMs).getTimezoneOffset() };
}

/** The features of each device, also of entities that are not announced yet after a restart, or not any more. */
function createMemory(knownFeatures: DeviceBookDeps['knownFeatures']) {
  const remembered = new Map<string, readonly Feature[]>();
  const of = (externalId: string): readonly Feature[] => remembered.get(externalId) ?? knownFeatures(externalId);
  return {
    of,
    add: (externalId: string, features: readonly Feature[]): void =>
      void remembered.set(externalId, rememberedWith(of(externalId), features)),
    drop: (externalId: string): void => void remembered.delete(externalId),
  };
}

type Reporter = (externalId: string, said: readonly (readonly [string, Report])[], isKept: boolean) => void;

function reporterTo(sink: DeviceSink): Reporter {
  return (externalId, said, isKept) => {
    const values = new Map<string, JsonValue>();
    for (const [key, one] of said) {
      if (one === undefined) continue;
      if ('value' in one) values.set(key, one.value);
      // A press that the broker kept was long ago.
      else if (!isKept) sink.reportOccurrence(externalId, key, one.occurrence);
    }
    if (values.size === 0) return;
    if (isKept) sink.reportKeptValues(externalId, values);
    else sink.reportValues(externalId, values);
  };
}

function availabilityFor(isUp: boolean, available: boolean | null): readonly [AvailabilityState, string | null] {
  if (!isUp) return ['unknown', 'integration_down'];
  if (available === null) return ['unknown', 'no_report'];
  return available ? ['online', null] : ['offline', 'unreachable'];
}

function createSubscriptions(link: Pick<MqttLink, 'subscribe'>, log: Log) {
  const listeners = createTopicListeners<Listener>();
  const byDevice = new Map<string, readonly Listener[]>();
  let isFullLogged = false;
  return {
    listenersOf: listeners.of,
    /** Topics that stay are asked for again: what the broker keeps for them is news to what was described anew. */
    set: (externalId: string, topics: ReadonlySet<string>): void => {
      const before = byDevice.get(externalId) ?? [];
      for (const listener of before) listeners.remove(listener.filter, listener);
      const own = [...topics]
        .map((filter) => ({ externalId, filter }))
        .filter((listener) => listeners.add(listener.filter, listener));
      if (own.length < topics.size && !isFullLogged) {
        isFullLogged = true;
        log.warn('too many topics with wildcards: the rest is not heard', { device: externalId.slice(0, 200) });
      }
      if (own.length === 0) byDevice.delete(externalId);
      else byDevice.set(externalId, own);
      const unused = before.map(({ filter }) => filter).filter((filter) => !listeners.has(filter));
      const kept = before.map(({ filter }) => filter).filter((filter) => listeners.has(filter) && topics.has(filter));
      link.subscribe([], [...unused, ...kept]);
      link.subscribe(own.map(({ filter }) => filter));
    },
  };
}
