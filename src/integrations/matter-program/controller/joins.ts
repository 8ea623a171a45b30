import type { StorageDriver } from '@matter/main';

/** The numbers of the devices of this home. None is given twice, also if its device has left. */
export type Joins = ReturnType<typeof createJoins>;

const CONTEXT = ['joins'];

/**
 * A new home begins at a number of its own: the devices of one that was removed have theirs at the hub for ever.
 * `draw` gives a random whole number.
 */
export function createJoins(driver: StorageDriver, draw: () => number) {
  const read = (key: 'last' | 'open'): number => {
    const value = driver.get(CONTEXT, key);
    return typeof value === 'number' ? value : 0;
  };
  return {
    /** Another number, for a device that begins to join. On disk once resolved. */
    begin: async (): Promise<number> => {
      const number = (read('last') || draw()) + 1;
      await driver.set(CONTEXT, { last: number, open: number });
      return number;
    },
    /** That of a device of which nobody knows whether it has joined. */
    open: (): number | null => {
      const number = read('open');
      return number === 0 ? null : number;
    },
    /** It has joined, or it has not. On disk once resolved. */
    end: async (): Promise<void> => driver.set(CONTEXT, 'open', 0),
  };
}
