import type { JsonValue } from '#base/json.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { KeptNearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import { toldOfMiss } from './told.ts';
import type { WhyReason } from './verdict.ts';

/** Each feature had these values in the time, by `device key`; features without kept samples are absent. */
export type ValuesSeen = ReadonlyMap<string, readonly JsonValue[]>;

/** How near the triggers came to firing: a near miss that says more than a value, else the value nearest to a limit. */
export function findApproach(
  { atMs, values }: { readonly atMs: number; readonly values: ValuesSeen },
  triggers: readonly Trigger[],
  misses: readonly KeptNearMiss[],
): WhyReason {
  const telling = misses
    .filter(({ reason }) => !LESSER.has(reason.why))
    .toSorted((left, right) => Math.abs(left.lastAtMs - atMs) - Math.abs(right.lastAtMs - atMs))[0];
  if (telling !== undefined) return toldOfMiss(telling);
  const seen = [...triggers.flatMap((trigger) => approachOf(trigger, values) ?? []), ...misses.map(toldOfMiss)];
  const nearest = seen.toSorted((left, right) => distanceOf(left) - distanceOf(right))[0];
  return nearest ?? { code: 'nothing_happened', fields: {} };
}

const LESSER: ReadonlySet<string> = new Set(['not_crossed', 'not_all', 'first_value']);

function distanceOf({ code, fields: { value, limit } }: WhyReason): number {
  if (typeof value === 'number' && typeof limit === 'number') return Math.abs(value - limit) / (Math.abs(limit) || 1);
  return code === 'never_was' ? 1 : 2;
}

/** The one feature that a trigger watches; `undefined` where it watches something else, or many. */
export function featureOf(trigger: Trigger): { readonly device: DeviceId; readonly key: string } | undefined {
  if ((trigger.type !== 'feature' && trigger.type !== 'threshold') || trigger.key === undefined) return undefined;
  const device = 'device' in trigger ? trigger.device : 'group' in trigger ? trigger.group : undefined;
  return device && { device, key: trigger.key };
}

/** Finds in the samples why a trigger did not fire, and how near it came. */
function approachOf(trigger: Trigger, values: ValuesSeen): WhyReason | undefined {
  const feature = featureOf(trigger);
  const seen = feature && values.get(`${feature.device} ${feature.key}`);
  if (feature === undefined || seen === undefined) return undefined;
  const fields = { trigger: trigger.id, ...feature };
  if (trigger.type === 'threshold') {
    const { above, below } = trigger;
    const numbers = seen.filter((value) => typeof value === 'number');
    if (numbers.length === 0 || trigger.change !== undefined) return undefined;
    const least = numbers.reduce((left, right) => Math.min(left, right));
    const most = numbers.reduce((left, right) => Math.max(left, right));
    if (typeof above === 'number' && most <= above)
      return { code: 'not_crossed', fields: { ...fields, value: most, limit: above } };
    if (typeof below === 'number' && least >= below)
      return { code: 'not_crossed', fields: { ...fields, value: least, limit: below } };
    return undefined;
  }
  if (trigger.type !== 'feature' || trigger.to === undefined) return undefined;
  const wanted: readonly JsonValue[] = Array.isArray(trigger.to) ? trigger.to : [trigger.to];
  if (wanted.includes('*') || seen.some((value) => wanted.includes(value))) return undefined;
  const last = seen.at(-1);
  return {
    code: 'never_was',
    fields: { ...fields, limit: trigger.to, ...(last === undefined ? {} : { value: last }) },
  };
}
