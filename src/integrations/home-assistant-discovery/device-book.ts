import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Report } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { messageOf, type Message } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import {
  createDeviceTemplates,
  type DeviceTemplatesDeps,
} from '#integrations/home-assistant-discovery/rendering/device-templates.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { MqttLink, MqttMessage } from '#integrations/ports.ts';
import type { DeviceParts } from './announced-devices.ts';
import { createDelays } from './delays.ts';
import { createDeviceLines, type Step } from './device-lines.ts';
import { liveDeviceFrom, rememberedWith, type LiveDevice, type LiveDeviceDeps, type Said } from './live-device.ts';
import { createWorkTurns } from '#base/time/work-turns.ts';

/** The devices as the hub has them, with the topics that they listen to. */
type DeviceBook = {
  readonly describe: (parts: DeviceParts) => Promise<void>;
  readonly remove: (externalId: string) => Promise<void>;
  readonly onState: (message: MqttMessage) => void;
  readonly setLink: (isUp: boolean) => void;
  readonly isUp: () => boolean;
  readonly find: (externalId: string) => LiveDevice | undefined;
  readonly stop: () => void;
};

type DeviceBookDeps = Pick<Runtime, 'log' | 'clock' | 'startTimer'> &
  Pick<DeviceTemplatesDeps, 'elsewhere' | 'onStrange'> & {
    readonly sink: DeviceSink;
    readonly link: Pick<MqttLink, 'subscribe'>;
    readonly signal: AbortSignal;
    readonly knownFeatures: (externalId: string) => readonly Feature[];
  };

/** Longer states are none of a device that the hub knows. */
const MAX_STATE_BYTES = 65_536;

type Listener = { readonly externalId: string; readonly filter: string };

export function createDeviceBook(deps: DeviceBookDeps): DeviceBook {
  const { sink, link, log, clock, startTimer, signal, knownFeatures } = deps;
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
  const lines = createDeviceLines({ turns, startTimer, monotonicMs: clock.monotonicMs, log });
  let isUp = false;

  const reportAvailability = (externalId: string): void => {
    const [state, reason] = availabilityFor(isUp, devices.get(externalId)?.isAvailable() ?? null);
    if (reported.get(externalId) === `${state} ${reason}`) return;
    reported.set(externalId, `${state} ${reason}`);
    sink.reportAvailability(externalId, state, reason);
  };

  const report = reporterTo(sink);
  const onState: DeviceBook['onState'] = ({ topic, payload, retained }) => {
    if (payload.length > MAX_STATE_BYTES) return;
    const message = messageOf(payload);
    for (const { externalId, filter } of subscriptions.listenersOf(topic)) {
      const device = devices.get(externalId);
      if (device === undefined) continue;
      const steps = stepsOf(device, { filter, message }, (said) => {
        report(externalId, said, retained);
        reportAvailability(externalId);
      });
      lines.add(externalId, steps, payload.length);
    }
  };
  const delays = createDelays(startTimer, delayEnder(sink, report));
  const templates = createDeviceTemplates({ ...deps, nowMs: clock.wallMs });

  return {
    describe: async (parts) => {
      const { externalId } = parts;
      const delay: LiveDeviceDeps['delay'] = (key, what, afterMs) => delays.set({ externalId, key }, what, afterMs);
      const deps = { templates: templates.of(externalId), strangenessOf: templates.strangenessOf, delay };
      const device = liveDeviceFrom(parts, deps, memory.of(externalId));
      memory.add(externalId, device.description.features);
      const isTaken = await sink.describeDevice(device.description);
      if (signal.aborted || !isTaken) return;
      delays.keep(externalId, device.delays);
      devices.set(externalId, device);
      templates.keep(externalId, device.templates);
      if (device.strange.length > 0) sink.reportStale(externalId, device.strange);
      reported.delete(externalId);
      reportAvailability(externalId);
      subscriptions.set(externalId, device.topics);
    },
    remove: async (externalId) => {
      subscriptions.set(externalId, new Set());
      delays.keep(externalId, new Set());
      reported.delete(externalId);
      memory.drop(externalId);
      templates.keep(externalId, null);
      if (devices.delete(externalId)) await sink.removeDevice(externalId);
    },
    onState,
    setLink: (up) => {
      isUp = up;
      for (const externalId of devices.keys()) reportAvailability(externalId);
    },
    isUp: () => isUp,
    find: (externalId) => devices.get(externalId),
    stop: () => {
      turns.stop();
      lines.stop();
      delays.stop();
      deps.elsewhere.rest();
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
  device: LiveDevice,
  { filter, message }: { readonly filter: string; readonly message: Message },
  close: (said: readonly Said[]) => void,
): readonly Step[] {
  const said: Said[] = [];
  const note = (one: Said | undefined): void => void (one !== undefined && said.push(one));
  const steps = device.readersOf(filter).map((read) => () => {
    const found = device.templates.run(() => read(message));
    return found instanceof Promise ? found.then(note) : note(found);
  });
  return [...steps, () => close(said)];
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
      else if ('refused' in one) sink.reportRefused(externalId, key, one.refused);
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

/** Who listens to which topics; filters with wildcards are compared one by one, so there are only so many. */
type TopicListeners<Listener> = {
  readonly add: (topic: string, listener: Listener) => boolean;
  readonly remove: (topic: string, listener: Listener) => void;
  readonly of: (topic: string) => readonly Listener[];
  readonly has: (topic: string) => boolean;
};

const MAX_WILDCARDS = 500;

function createTopicListeners<Listener>(): TopicListeners<Listener> {
  const exact = new Map<string, Set<Listener>>();
  const wildcards = new Map<string, { readonly levels: readonly string[]; readonly listeners: Set<Listener> }>();
  const isWildcard = (topic: string): boolean => /[+#]/.test(topic);

  return {
    add: (topic, listener) => {
      if (!isWildcard(topic)) {
        exact.set(topic, (exact.get(topic) ?? new Set()).add(listener));
        return true;
      }
      const known = wildcards.get(topic);
      if (known === undefined && wildcards.size >= MAX_WILDCARDS) return false;
      const entry = known ?? { levels: topic.split('/'), listeners: new Set() };
      entry.listeners.add(listener);
      wildcards.set(topic, entry);
      return true;
    },
    remove: (topic, listener) => {
      const listeners = exact.get(topic) ?? wildcards.get(topic)?.listeners;
      listeners?.delete(listener);
      if (listeners?.size !== 0) return;
      exact.delete(topic);
      wildcards.delete(topic);
    },
    of: (topic) => {
      const found = exact.get(topic);
      if (wildcards.size === 0) return found === undefined ? [] : [...found];
      const levels = topic.split('/', 64);
      const matching = [...wildcards.values()].filter((entry) => matches(entry.levels, levels));
      return [...(found ?? []), ...matching.flatMap(({ listeners }) => [...listeners])];
    },
    has: (topic) => exact.has(topic) || wildcards.has(topic),
  };
}

/** By the rules of MQTT 3.1.1, section 4.7: `+` is one level, `#` all that follow; neither means a topic with `$` first. */
function matches(filter: readonly string[], topic: readonly string[]): boolean {
  if (topic[0]?.startsWith('$') === true && filter[0] !== topic[0]) return false;
  for (const [at, level] of filter.entries()) {
    if (level === '#') return true;
    if (at >= topic.length || (level !== '+' && level !== topic[at])) return false;
  }
  return filter.length === topic.length;
}
