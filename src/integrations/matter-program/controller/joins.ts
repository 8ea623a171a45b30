import type { StorageDriver } from '@matter/main';

/** The numbers of the devices of this home. None is given twice, also if its device has left. */
export type Joins = {
  /** Another number, for a device that begins to join. On disk once resolved. */
  readonly begin: () => Promise<number>;
  /** That of a device of which nobody knows whether it has joined. */
  readonly open: () => number | null;
  /** It has joined, or it has not. On disk once resolved. */
  readonly end: () => Promise<void>;
};

const CONTEXT = ['joins'];

/**
 * A new home begins at a number of its own: the devices of one that was removed have theirs at the hub for ever.
 * `draw` gives a random whole number.
 */
export function createJoins(driver: StorageDriver, draw: () => number): Joins {
  const read = (key: 'last' | 'open'): number => {
    const value = driver.get(CONTEXT, key);
    return typeof value === 'number' ? value : 0;
  };
  return {
    begin: async () => {
      const number = (read('last') || draw()) + 1;
      await driver.set(CONTEXT, { last: number, open: number });
      return number;
    },
    open: () => {
      const number = read('open');
      return number === 0 ? null : number;
    },
    end: async () => driver.set(CONTEXT, 'open', 0),
  };
}
