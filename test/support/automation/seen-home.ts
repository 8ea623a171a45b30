import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, DeviceId } from '#core/device/device.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { ActivityState } from '#core/scene/scene.ts';
import type { SunEvent } from '#core/automation/document/condition.ts';
import type { CivilDay, RunScope, SeenValue, TriggerFacts, View } from '#core/automation/view.ts';

/** A home for decisions to look at, in plain words. What is not named is as usual: all devices online, nobody known. */
export type SeenHome = {
  readonly nowMs?: number;
  /** `null`: the clock is not set. */
  readonly clock?: { readonly secondOfDay: number; readonly today?: CivilDay; readonly yesterday?: CivilDay } | null;
  /** By `device key`: the value, or all of it. */
  readonly values?: Readonly<Record<string, JsonValue | Partial<SeenValue>>>;
  readonly availability?: Readonly<Record<string, AvailabilityState>>;
  readonly modes?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, JsonValue>>;
  readonly presence?: Readonly<Record<string, PresenceState>>;
  readonly scenes?: Readonly<Record<string, ActivityState>>;
  readonly sun?: { readonly elevationDeg: number; readonly seconds?: Partial<Record<SunEvent, number>> } | null;
  readonly running?: readonly string[];
  readonly history?: number;
};

export const MONDAY: CivilDay = { weekday: 'mon', isWorkday: true };
export const SUNDAY: CivilDay = { weekday: 'sun', isWorkday: false };

/** A whole sight of a value from the parts that matter; a bare value was confirmed long ago. */
export function seenValue(given: JsonValue | Partial<SeenValue>): SeenValue {
  const isPart = typeof given === 'object' && given !== null && ('value' in given || 'quality' in given);
  const part = (isPart ? given : { value: given }) as Partial<SeenValue>;
  return { value: null, quality: 'confirmed', changedAtMs: 0, cause: null, ...part };
}

export function viewOf(home: SeenHome): View {
  const { nowMs = 1_000_000, clock = { secondOfDay: 43_200 } } = home;
  const sun = home.sun;
  return {
    now: {
      hubMs: nowMs,
      wallMs: clock === null ? undefined : nowMs,
      civil: clock === null ? undefined : { today: MONDAY, yesterday: SUNDAY, ...clock },
    },
    value: (device, key) => {
      const given = home.values?.[`${device} ${key}`];
      return given === undefined ? undefined : seenValue(given);
    },
    availability: (device) => {
      const state = home.availability?.[device] ?? 'online';
      return { state, reason: state === 'unknown' ? 'integration_down' : null, sinceMs: 0 };
    },
    mode: (key) => home.modes?.[key],
    variable: (key) => home.variables?.[key],
    presence: (person) => home.presence?.[person],
    everyone: () => Object.values(home.presence ?? {}),
    scene: (id) => home.scenes?.[id],
    sun: () =>
      sun === undefined || sun === null
        ? undefined
        : { elevationDeg: sun.elevationDeg, secondOf: (event) => sun.seconds?.[event] },
    isRunning: (id) => home.running?.includes(id) === true,
    history: () => home.history,
  };
}

export function scopeOf(home: SeenHome, run: Partial<Omit<RunScope, 'view'>> = {}): RunScope {
  return { view: viewOf(home), trigger: null, variables: new Map(), timedOut: new Map(), ...run };
}

export const FACTS: TriggerFacts = {
  id: 't1',
  type: 'feature',
  device: 'hall-motion' as DeviceId,
  key: 'motion',
  from: false,
  value: true,
  quality: 'confirmed',
  action: null,
  atMs: 999_000,
  lateMs: 0,
  cause: null,
  body: null,
};
