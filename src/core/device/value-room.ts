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
