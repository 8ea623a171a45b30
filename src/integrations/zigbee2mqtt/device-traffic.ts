import type { Clock } from '#base/time/clock.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { MqttMessage } from '#integrations/ports.ts';
import type { Availability } from './availability.ts';
import type { SetFailure } from './bridge-message.ts';
import { timeFromWire } from '#integrations/zigbee2mqtt/exposes/conversion.ts';
import { readOnline, readState } from './device-message.ts';
import type { DeviceTopic } from './device-topics.ts';
import type { Faults } from './faults.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import { reportFromState, type Sent } from './payload.ts';

export type DeviceTraffic = ReturnType<typeof createDeviceTraffic>;

type DeviceTrafficDeps = {
  readonly sink: DeviceSink;
  readonly devices: ReadonlyMap<string, KnownDevice>;
  readonly availability: Availability;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly findNamed: (topicName: string) => DeviceTopic | undefined;
  /** The state without what only says that something was sent; `null` if the device has not spoken at all. */
  readonly withoutEcho: (externalId: string, state: JsonObject) => JsonObject | null;
};

/** So many commands of one device may wait for what upstream says of them. */
const MAX_LAST = 8;
/** Upstream gives a radio up within 10 s, and tries no more than twice. */
const ANSWER_MS = 30_000;
const NOTHING_SENT: ReadonlyMap<string, Sent> = new Map();

type Sending = {
  readonly sent: ReadonlyMap<string, Sent>;
  readonly atMs: number;
  /** The properties of which nothing was heard since. */
  readonly open: Set<string>;
};

export function createDeviceTraffic(deps: DeviceTrafficDeps) {
  const { sink, devices, availability, faults, clock, findNamed } = deps;
  const reported = new Map<string, Set<string>>();
  const sentTo = new Map<string, ReadonlyMap<string, Sent>>();
  /** The last commands of each device, the newest first. */
  const lastSent = new Map<string, readonly Sending[]>();

  const onState = (device: KnownDevice, message: MqttMessage): void => {
    const { externalId } = device.description;
    // An empty message only clears what the broker kept.
    if (message.payload.length === 0) return;
    const read = readState(message.payload);
    if ('refusal' in read) return faults.note(externalId, read.refusal);
    const said = message.retained ? read.state : deps.withoutEcho(externalId, read.state);
    if (said === null) return;
    if (!message.retained) noteAnswers(lastSent.get(externalId) ?? [], said);
    const sent = sentTo.get(externalId) ?? NOTHING_SENT;
    const onRefused = (key: string, value: JsonValue): void => sink.reportRefused(externalId, key, value);
    const { values, occurrences } = reportFromState(said, device.byProperty, { sent, onRefused });
    const nowMs = clock.wallMs();
    // The message's own time counts, because at its start upstream publishes all states again. Without one a kept
    // message may be of any age.
    const lastSeenMs = timeFromWire(read.state['last_seen'] ?? null);
    const seenAtMs = Math.min(nowMs, lastSeenMs ?? (message.retained ? Number.NaN : nowMs));
    if (message.retained) sink.reportKeptValues(externalId, values);
    else if (values.size > 0) {
      const keys = reported.get(externalId) ?? new Set();
      for (const key of values.keys()) keys.add(key);
      reported.set(externalId, keys);
      sink.reportValues(externalId, values);
    }
    // After the values, because those set the last contact to now.
    if (!Number.isNaN(seenAtMs)) {
      availability.onMessage(device, nowMs - seenAtMs, lastSeenMs !== undefined);
      sink.reportSeen(externalId, seenAtMs);
    }
    // A button press that the broker kept was long ago.
    if (message.retained) return;
    for (const { key, occurrence } of occurrences) sink.reportOccurrence(externalId, key, occurrence);
  };

  return {
    onMessage: ({ externalId, kind }: DeviceTopic, message: MqttMessage): void => {
      const device = devices.get(externalId);
      if (device === undefined) return;
      if (kind === 'state') return onState(device, message);
      if (message.payload.length === 0) return;
      const isOnline = readOnline(message.payload);
      if (isOnline === undefined) return faults.note(externalId, 'not an availability');
      availability.onAvailability(device, isOnline);
    },
    onSetFailure: ({ topicName, property, reason }: SetFailure): void => {
      const device = devices.get(findNamed(topicName)?.externalId ?? '');
      if (device === undefined) return;
      const last = lastSent.get(device.description.externalId) ?? [];
      const fits = last.flatMap((sending) => {
        const keys = keysThatFailed(device, sending.sent, property);
        return keys.length === 0 ? [] : [{ sending, keys }];
      });
      const isWaiting = ({ open, atMs }: Sending): boolean =>
        clock.monotonicMs() - atMs < ANSWER_MS && [...open].some((name) => isNamed(name, property));
      // The first to be sent is the first to fail.
      const failed = fits.findLast(({ sending }) => isWaiting(sending)) ?? fits[0];
      if (failed === undefined) return;
      failed.sending.open.clear();
      // A later command took the place of the others, and may well succeed.
      const taken = new Set(fits.slice(0, fits.indexOf(failed)).flatMap(({ keys }) => keys));
      const keys = failed.keys.filter((key) => !taken.has(key));
      if (keys.length > 0) sink.reportCommandFailure(device.description.externalId, keys, reason);
    },
    onSent: (device: KnownDevice, sent: ReadonlyMap<string, Sent>): void => {
      const { externalId } = device.description;
      const sending = { sent, atMs: clock.monotonicMs(), open: new Set(sent.keys()) };
      lastSent.set(externalId, [sending, ...(lastSent.get(externalId) ?? [])].slice(0, MAX_LAST));
      sentTo.set(externalId, new Map([...(sentTo.get(externalId) ?? []), ...sent]));
    },
    /** Whether the device has reported this feature's value since the last `reset`. */
    hasReported: (externalId: string, key: string): boolean => reported.get(externalId)?.has(key) ?? false,
    reset: (): void => reported.clear(),
    forget: (externalId: string): void => {
      reported.delete(externalId);
      sentTo.delete(externalId);
      lastSent.delete(externalId);
    },
  };
}

/** One report answers one command, the oldest. */
function noteAnswers(last: readonly Sending[], said: JsonObject): void {
  const waiting = last.filter(({ open }) => open.size > 0);
  if (waiting.length === 0) return;
  for (const property of Object.keys(said)) waiting.findLast(({ open }) => open.has(property))?.open.delete(property);
}

/** Failures name a property without its endpoint. */
function isNamed(name: string, property: string): boolean {
  return name === property || name.startsWith(`${property}_`);
}

/**
 * Upstream sends related properties (a lamp's state and brightness) together, and names only the first if they fail.
 */
function keysThatFailed(device: KnownDevice, sent: ReadonlyMap<string, Sent>, property: string): readonly string[] {
  const bindings = [...sent.keys()].flatMap((name) => device.byProperty.get(name) ?? []);
  const named = bindings.filter((binding) => isNamed(binding.property, property));
  const withThem = bindings.filter((binding) =>
    named.some(
      (other) =>
        other === binding ||
        (other.parent !== null &&
          other.parent === binding.parent &&
          other.feature.component === binding.feature.component),
    ),
  );
  return withThem.map((binding) => binding.feature.key);
}
