import type { JsonValue } from '#base/json.ts';
import type { DeviceLimits } from '#core/device/device-limits.ts';

/** Limits the memory that the last values take: those of one device, and those of all devices together. */
export type ValueRoom<Owner extends object> = {
  /** Whether this value fits in place of the one before. If it does, it counts from now on. */
  readonly take: (owner: Owner, key: string, value: JsonValue) => boolean;
  /** Whether all these values fit. Nothing is counted. */
  readonly fits: (owner: Owner, values: ReadonlyMap<string, JsonValue>) => boolean;
  readonly forget: (owner: Owner) => void;
};

/** Numbers, and values of at most this length, do not count: the limits of descriptions bound how many there are. */
const SHORT = 64;

export function createValueRoom<Owner extends object>(
  limits: Pick<DeviceLimits, 'valuesOfDevice' | 'valuesInAll'>,
): ValueRoom<Owner> {
  const taken = new Map<Owner, { sum: number; readonly sizes: Map<string, number> }>();
  let inAll = 0;
  return {
    take: (owner, key, value) => {
      const size = sizeOf(value);
      const own = taken.get(owner) ?? { sum: 0, sizes: new Map<string, number>() };
      const more = size - (own.sizes.get(key) ?? 0);
      if (more === 0) return true;
      if (more > 0 && (own.sum + more > limits.valuesOfDevice || inAll + more > limits.valuesInAll)) return false;
      taken.set(owner, own);
      if (size === 0) own.sizes.delete(key);
      else own.sizes.set(key, size);
      own.sum += more;
      inAll += more;
      return true;
    },
    fits: (owner, values) => {
      const own = taken.get(owner);
      let more = 0;
      for (const [key, value] of values) more += sizeOf(value) - (own?.sizes.get(key) ?? 0);
      return more <= 0 || ((own?.sum ?? 0) + more <= limits.valuesOfDevice && inAll + more <= limits.valuesInAll);
    },
    forget: (owner) => {
      inAll -= taken.get(owner)?.sum ?? 0;
      taken.delete(owner);
    },
  };
}

function sizeOf(value: JsonValue): number {
  if (typeof value !== 'string' && typeof value !== 'object') return 0;
  const size = typeof value === 'string' ? value.length : JSON.stringify(value).length;
  return size <= SHORT ? 0 : size;
}
