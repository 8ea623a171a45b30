import type { JsonValue } from '#base/json.ts';
import type { DeviceLimits } from './device-limits.ts';

/** How much the last values of devices may take, of one device and of all together. */
export type ValueRoom<Owner extends object> = {
  /** Whether there is room for this value in the place of the one before; if so it counts from now on. */
  readonly take: (owner: Owner, key: string, value: JsonValue) => boolean;
  readonly forget: (owner: Owner) => void;
};

/** Numbers and words as short as these are not counted: how many there can be, the limits of descriptions say. */
const SHORT = 64;

export function createValueRoom<Owner extends object>(
  limits: Pick<DeviceLimits, 'valuesOfDevice' | 'valuesInAll'>,
): ValueRoom<Owner> {
  const taken = new Map<Owner, Map<string, number>>();
  let inAll = 0;
  const sumOf = (owner: Owner): number => {
    let sum = 0;
    for (const size of taken.get(owner)?.values() ?? []) sum += size;
    return sum;
  };
  return {
    take: (owner, key, value) => {
      const size = sizeOf(value);
      const old = taken.get(owner)?.get(key) ?? 0;
      if (size === old) return true;
      const isMore = size > old;
      if (isMore && sumOf(owner) - old + size > limits.valuesOfDevice) return false;
      if (isMore && inAll - old + size > limits.valuesInAll) return false;
      const sizes = taken.get(owner) ?? new Map<string, number>();
      taken.set(owner, size === 0 ? sizes : sizes.set(key, size));
      if (size === 0) sizes.delete(key);
      inAll += size - old;
      return true;
    },
    forget: (owner) => {
      inAll -= sumOf(owner);
      taken.delete(owner);
    },
  };
}

function sizeOf(value: JsonValue): number {
  if (typeof value !== 'string' && typeof value !== 'object') return 0;
  const size = typeof value === 'string' ? value.length : JSON.stringify(value).length;
  return size <= SHORT ? 0 : size;
}
