import type { JsonValue } from '#base/json.ts';
import type { Cause } from '#core/cause/cause.ts';
import { type Availability, type AvailabilityState, AVAILABILITY_STATES, type DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type FeatureState, UNREPORTED } from '#core/feature/feature.ts';
import { AVAILABILITY } from '#core/past/history/recorder.ts';
import { type GapMark, isGap, type SampleValue, HOME_TIMELINE } from '#core/past/history/sample.ts';
import { houseSeriesFrom } from '#core/past/history/house-series.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import type { User } from '#core/person/user.ts';
import { PRESENCE_STATES, unknownPresence } from '#core/presence/presence.ts';
import { entryFromText } from '#core/past/timeline/timeline-line.ts';
import { causesOf, type RecordedHome, type ReplayedDevice } from './recorded-home.ts';

/** A sample changes one value of the home, and the hub told of it at this time. */
type Change = {
  readonly atMs: number;
  readonly value: SampleValue | GapMark;
  /** Only a change of a feature has a cause. */
  readonly cause: Cause | null;
};

/** Puts the change into the home. The events are those that the hub sent, so that nothing new makes none. */
function changeHome(home: RecordedHome, series: string, change: Change): readonly HomeEvent[] {
  return changerOf(home, series)(change);
}

/** The same for one series: its name says once for all samples what it is of. */
export function changerOf(home: RecordedHome, series: string): (change: Change) => readonly HomeEvent[] {
  if (series === HOME_TIMELINE) return ({ value }) => changeIntegration(home, value);
  const house = houseSeriesFrom(series);
  if (house !== undefined) return (change) => changeHouse(home, house, change);
  const slash = series.indexOf('/');
  const device = home.devices.get(series.slice(0, slash) as DeviceId);
  const key = series.slice(slash + 1);
  if (device === undefined) return () => [];
  if (key === AVAILABILITY) return (change) => changeAvailability(device, change);
  const feature = device.features.find((one) => one.key === key);
  if (feature?.kind !== 'event') {
    const place = { device, key };
    return (change) => changeFeature(home, place, change);
  }
  return ({ value }) => {
    if (isGap(value)) return [];
    const action = String(value);
    return [{ type: 'feature.occurred', device, key, occurrence: { action, raw: action } }];
  };
}

/** Holds a series at a value, where it has one that can be recorded. */
export function giveValue(home: RecordedHome, series: string, value: JsonValue): void {
  if (value === null || typeof value === 'object') return;
  changeHome(home, series, { atMs: home.nowMs, value, cause: null });
}

function changeFeature(
  home: RecordedHome,
  { device, key }: { readonly device: ReplayedDevice; readonly key: string },
  { atMs, value, cause }: Change,
): readonly HomeEvent[] {
  const old = device.states.get(key);
  if (!isGap(value)) {
    noteAlive(device);
    return setFeature(home, device, { key, state: stateAfter(old, value, atMs), cause });
  }
  if (value.gap === 'hub_off' || old === undefined) return [];
  if (value.gap === 'stale') return setFeature(home, device, { key, state: { ...old, quality: 'stale' }, cause: null });
  // A device that is away keeps its values; of one that is there the hub made them of others that are not.
  if (value.gap === 'offline' && device.availability.state !== 'online') return [];
  return setFeature(home, device, { key, state: UNREPORTED, cause: null });
}

/** A value as a report brings it: `undefined` where nothing is new. */
function stateAfter(old: FeatureState | undefined, value: JsonValue, atMs: number): FeatureState | undefined {
  const isNews = old === undefined || old.value !== value;
  if (!isNews && old.quality === 'confirmed') return undefined;
  return { value, quality: 'confirmed', observedAtMs: atMs, changedAtMs: isNews ? atMs : old.changedAtMs };
}

type FeatureChange = {
  readonly key: string;
  readonly state: FeatureState | undefined;
  readonly cause: Cause | null;
};

function setFeature(
  home: RecordedHome,
  device: ReplayedDevice,
  { key, state, cause }: FeatureChange,
): readonly HomeEvent[] {
  if (state === undefined) return [];
  if (state.changedAtMs !== device.states.get(key)?.changedAtMs) causesOf(home, device.id).set(key, cause);
  device.states.set(key, state);
  return [{ type: 'feature.changed', device, key, state, cause }];
}

/** The value that a command brought. */
export function reportValue(
  home: RecordedHome,
  { device, key, value, cause }: Pick<FeatureChange, 'key' | 'cause'> & { device: ReplayedDevice; value: JsonValue },
): readonly HomeEvent[] {
  return setFeature(home, device, { key, state: stateAfter(device.states.get(key), value, home.nowMs), cause });
}

function changeAvailability(device: ReplayedDevice, { atMs, value }: Change): readonly HomeEvent[] {
  // Its own series ends where the device was removed, and when the hub ends.
  const state = isGap(value) ? (value.gap === 'hub_off' ? undefined : 'offline') : stateNamed(value);
  const old = device.availability;
  if (state === undefined || (old.state === state && state !== 'unknown')) return [];
  device.availability = availabilityOf(state, atMs);
  return [{ type: 'availability.changed', device, availability: device.availability }];
}

function stateNamed(value: SampleValue): AvailabilityState | undefined {
  return AVAILABILITY_STATES.find((state) => state === value);
}

/** Why it is unknown is not kept. One that has not been heard cannot be relied on. */
export function availabilityOf(state: AvailabilityState, atMs: number): Availability {
  return { state, sinceMs: atMs, lastSeenAtMs: null, reason: state === 'unknown' ? 'integration_down' : null };
}

/** A lamp that never says anything about itself is there all the same, as its values show. */
function noteAlive(device: ReplayedDevice): void {
  const { state, reason } = device.availability;
  if (state === 'unknown' && reason !== 'no_report')
    device.availability = { ...device.availability, reason: 'no_report' };
}

function changeHouse(
  home: RecordedHome,
  { noun, key }: NonNullable<ReturnType<typeof houseSeriesFrom>>,
  { atMs, value }: Change,
): readonly HomeEvent[] {
  if (isGap(value)) {
    if (value.gap === 'hub_off') return [];
    const house = { mode: home.modes, variable: home.variables, presence: home.people }[noun];
    house.delete(key);
    return [];
  }
  if (noun === 'mode') return setMode(home, key, String(value));
  if (noun === 'variable') return setVariable(home, key, value);
  const state = PRESENCE_STATES.find((one) => one === value);
  if (state === undefined || home.people.get(key) === state) return [];
  home.people.set(key, state);
  // Who it is says the id; the rest of an account has nothing to do with automations.
  const user = { id: key } as User;
  return [{ type: 'presence.changed', user, presence: { ...unknownPresence(key), state, sinceMs: atMs } }];
}

export function setMode(home: RecordedHome, key: string, value: string): readonly HomeEvent[] {
  if (home.modes.get(key) === value) return [];
  home.modes.set(key, value);
  const mode = { ...HOME_MODE, key, value, changedAtMs: home.nowMs };
  return [{ type: 'mode.changed', mode, endMs: undefined, isGone: false }];
}

export function setVariable(home: RecordedHome, key: string, value: JsonValue): readonly HomeEvent[] {
  if (home.variables.get(key) === value || value === null || typeof value === 'object') return [];
  home.variables.set(key, value);
  const shape = { type: 'string', min: null, max: null, options: [] } as const;
  const variable = { key, name: key, ...shape, value, changedAtMs: home.nowMs, changedBy: null, revision: 1 };
  return [{ type: 'variable.changed', variable, isGone: false }];
}

function changeIntegration(home: RecordedHome, value: SampleValue | GapMark): readonly HomeEvent[] {
  const entry = isGap(value) ? undefined : entryFromText(value);
  if (entry?.type !== 'integration.changed' || entry.state === 'removed') return [];
  const { integration, state } = entry;
  home.integrations.set(integration, state === 'connected');
  return [{ type: 'integration.changed', integration, status: { state, sinceMs: home.nowMs, error: null } }];
}
