import type { JsonValue } from '#base/json.ts';
import type { Truth } from '#core/automation/view.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { Quality } from '#core/feature/feature.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { OracleClock } from './oracle-clock.ts';

/** News of one thing, a line for each input: `seq` is the number of the input. */
export type Sight = {
  readonly seq: number;
  readonly atMs: number;
  /** `undefined`: there never was one. */
  readonly value: JsonValue | undefined;
  readonly isKnown: boolean;
  readonly changedAtMs: number;
  readonly depth: number;
};

export type Place = { readonly device: string; readonly key: string };
type Value = { readonly value: JsonValue | undefined; readonly quality: Quality; readonly changedAtMs: number };

/** The whole past of a home. Nothing is thrown away and nothing is worked out in advance. */
export type OracleWorld = {
  nowMs: number;
  readonly zone: string;
  /** What the clock on the wall shows; `undefined`: nobody set it. */
  readonly wallMs: () => number | undefined;
  readonly setClock: (wallMs: number) => void;
  /** Of the input that is dealt with. */
  seq: number;
  /** By `device key`. */
  readonly values: Map<string, Value>;
  readonly availability: Map<string, AvailabilityState>;
  readonly modes: Map<string, string>;
  readonly variables: Map<string, JsonValue>;
  readonly people: Map<string, PresenceState>;
  /** By `device key`, `availability/device`, `mode/key`, `variable/key` and `presence/person/state`. */
  readonly told: Map<string, Sight[]>;
};

export type OracleHome = {
  readonly clock: OracleClock;
  readonly devices: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  readonly modes: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, JsonValue>>;
  readonly people: Readonly<Record<string, PresenceState>>;
};

const DAY_MS = 86_400_000;

export function createWorld({ clock, devices, modes, variables, people }: OracleHome): OracleWorld {
  const { startMs } = clock;
  let wallShiftMs = clock.isSet ? 0 : undefined;
  const world: OracleWorld = {
    nowMs: startMs,
    zone: clock.zone,
    wallMs: () => (wallShiftMs === undefined ? undefined : world.nowMs + wallShiftMs),
    setClock: (wallMs) => {
      wallShiftMs = wallMs - world.nowMs;
    },
    seq: 0,
    values: new Map(),
    availability: new Map(),
    modes: new Map(),
    variables: new Map(),
    people: new Map(Object.entries(people)),
    told: new Map(),
  };
  for (const [device, values] of Object.entries(devices)) {
    world.availability.set(device, 'online');
    tell(world, `availability/${device}`, { value: 'online' });
    for (const [key, value] of Object.entries(values)) {
      const state: Value =
        value === null
          ? { value: undefined, quality: 'none', changedAtMs: startMs }
          : { value, quality: 'confirmed', changedAtMs: startMs - DAY_MS };
      world.values.set(`${device} ${key}`, state);
      tellFeature(world, { device, key }, 0);
    }
  }
  for (const [key, value] of Object.entries(modes)) {
    world.modes.set(key, value);
    tell(world, `mode/${key}`, { value });
  }
  for (const [key, value] of Object.entries(variables)) {
    world.variables.set(key, value);
    tell(world, `variable/${key}`, { value });
  }
  tellPeople(world);
  return world;
}

/** Whether a person, anyone or everyone is at home, or away. */
export function presenceOf(world: OracleWorld, person: string, state: 'home' | 'away'): Truth {
  const isGroup = person === 'anyone' || person === 'everyone';
  const truths = new Set(
    [...world.people].flatMap(([id, one]): readonly Truth[] =>
      isGroup || person === id ? [one === 'unknown' ? one : one === state] : [],
    ),
  );
  const decides = person === 'anyone';
  if (truths.has(decides)) return decides;
  return truths.has('unknown') ? 'unknown' : !decides;
}

/** Notes of all people, and of those who match, whether they are there. */
export function tellPeople(world: OracleWorld): void {
  for (const person of [...world.people.keys(), 'anyone', 'everyone']) {
    for (const state of ['home', 'away'] as const) {
      const truth = presenceOf(world, person, state);
      const name = `presence/${person}/${state}`;
      const isKnown = truth !== 'unknown';
      append(world, name, { value: isKnown ? truth : undefined, isKnown, changedAtMs: world.nowMs, depth: 0 });
    }
  }
}

/** Notes a mode, a variable or an availability, which are always known. */
export function tell(
  world: OracleWorld,
  name: string,
  { value, depth = 0 }: { readonly value: JsonValue; readonly depth?: number },
): void {
  append(world, name, { value, isKnown: true, changedAtMs: world.nowMs, depth });
}

/** Notes a feature as it is now, known or not. */
export function tellFeature(world: OracleWorld, { device, key }: Place, depth: number): void {
  const state = world.values.get(`${device} ${key}`);
  if (state === undefined) throw new Error(`there is no ${device} ${key}`);
  const { value, changedAtMs } = state;
  const isKnown = knownValue(world, device, key) !== undefined;
  append(world, `${device} ${key}`, { value, isKnown, changedAtMs, depth });
}

function append(world: OracleWorld, name: string, sight: Omit<Sight, 'seq' | 'atMs'>): void {
  const past = world.told.get(name) ?? [];
  past.push({ ...sight, seq: world.seq, atMs: world.nowMs });
  world.told.set(name, past);
}

/** `undefined`: offline, stale, never reported, or no such feature. */
export function knownValue(world: OracleWorld, device: string, key: string): JsonValue | undefined {
  const state = world.values.get(`${device} ${key}`);
  if (state === undefined || world.availability.get(device) === 'offline') return undefined;
  return state.quality === 'stale' || state.quality === 'none' ? undefined : state.value;
}

/** A new value or quality, as a device reports it. `false`: nothing is new. */
export function report(
  world: OracleWorld,
  { device, key }: Place,
  { value, quality }: { readonly value: JsonValue; readonly quality: Quality },
): boolean {
  const name = `${device} ${key}`;
  const old = world.values.get(name);
  const isNew = !isSame(old?.value, value);
  if (!isNew && old?.quality === quality) return false;
  world.values.set(name, { value, quality, changedAtMs: isNew ? world.nowMs : (old?.changedAtMs ?? world.nowMs) });
  return true;
}

export function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
