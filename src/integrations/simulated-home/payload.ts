import type { JsonValue } from '#base/json.ts';
import { type SimulatedDevice, type Step, between, numberAt, valuesOf } from './simulated-device.ts';

type React = SimulatedDevice['react'];

const LAMP_DELAY_MS = [50, 150] as const;
const RADIO_DELAY_MS = [100, 400] as const;
const BOLT_DELAY_MS = [800, 1500] as const;
const BLIND_PERCENT_PER_S = 5;
const FRIDGE_W = 85;

/** Takes the values and reports them. */
export const reactPlainly: React = ({ set }, _, dice) =>
  set.size === 0 ? [] : [{ afterMs: between(RADIO_DELAY_MS, dice), values: set }];

/** A brightness also switches the light on or off. In a transition the switch shows at once and the rest at its end. */
export const reactAsLight: React = ({ set, transitionMs }, values, dice) => {
  // An effect is an action and leaves no value.
  const next = new Map([...set].filter(([key]) => key !== 'effect'));
  if (next.size === 0) return [];
  const brightness = set.get('brightness');
  if (typeof brightness === 'number' && !set.has('on')) next.set('on', brightness > 0);
  if (set.get('on') === true && brightness === undefined && values.get('brightness') === 0) next.set('brightness', 100);
  const afterMs = between(LAMP_DELAY_MS, dice);
  if (transitionMs === null || transitionMs === 0) return [{ afterMs, values: next }];
  const on = next.get('on');
  next.delete('on');
  const steps: Step[] = on === undefined ? [] : [{ afterMs, values: valuesOf({ on }) }];
  return next.size === 0 ? steps : [...steps, { afterMs: afterMs + transitionMs, values: next }];
};

/** The meter shows the load a moment after the relay switches. */
export const reactAsPlug: React = ({ set }, _, dice) => {
  const afterMs = between(LAMP_DELAY_MS, dice);
  const steps: Step[] = [{ afterMs, values: set }];
  const on = set.get('on');
  if (typeof on !== 'boolean') return steps;
  return [...steps, { afterMs: afterMs + 1000, values: meterReading(on ? FRIDGE_W : 0) }];
};

/** Computes what a meter shows at this load on a 230 V line. */
export function meterReading(power: number): ReadonlyMap<string, JsonValue> {
  return valuesOf({ power, current: power / 230 });
}

/**
 * Moves at 5 % per second and reports its position every second. It starts at once, so a stop applies to the present
 * position.
 */
export const reactAsBlind: React = ({ set }, values) => {
  const from = numberAt(values, 'position');
  const request = set.get('cover_state');
  if (request === 'stop') return [{ afterMs: 0, values: valuesOf({ cover_state: 'stop', position: from }) }];
  const position = set.get('position');
  const to = typeof position === 'number' ? position : request === 'open' ? 100 : 0;
  const seconds = Math.ceil(Math.abs(to - from) / BLIND_PERCENT_PER_S);
  const by = Math.sign(to - from) * BLIND_PERCENT_PER_S;
  const start: Step = { afterMs: 0, values: valuesOf({ cover_state: to > from ? 'open' : 'close', position: from }) };
  const way = Array.from({ length: Math.max(0, seconds - 1) }, (_, index): Step => {
    return { afterMs: 1000 * (index + 1), values: valuesOf({ position: from + by * (index + 1) }) };
  });
  const end = valuesOf({ position: to, cover_state: to > 0 ? 'open' : 'close' });
  return [start, ...way, { afterMs: 1000 * seconds, values: end }];
};

/** The bolt moves slowly. */
export const reactAsLock: React = ({ set }, _, dice) => {
  const locked = set.get('locked') === true;
  const end = valuesOf({ locked, lock_state: locked ? 'locked' : 'unlocked' });
  return [
    { afterMs: 100, values: valuesOf({ lock_state: 'not_fully_locked' }) },
    { afterMs: between(BOLT_DELAY_MS, dice), values: end },
  ];
};
