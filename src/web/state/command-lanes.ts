import type { DeviceEntry } from './home-state.ts';
import type { Spot } from './pending-values.ts';

export type Wanted = { readonly value: unknown; readonly isPassing: boolean };
type Lane = { next: Wanted | undefined; isBusy: boolean };

const PASSING_EVERY_MS = 150;

/** Sends one command at a time for each feature. Of the values set in the meantime only the last is sent. */
export function createCommandLanes(send: (spot: Spot, wanted: Wanted) => Promise<void>): {
  readonly push: (spot: Spot, wanted: Wanted) => void;
} {
  const lanes = new WeakMap<DeviceEntry, Map<string, Lane>>();

  const laneOf = ({ entry, key }: Spot): Lane => {
    const own = lanes.get(entry) ?? new Map<string, Lane>();
    lanes.set(entry, own);
    const lane = own.get(key) ?? { next: undefined, isBusy: false };
    own.set(key, lane);
    return lane;
  };
  const run = async (spot: Spot, lane: Lane): Promise<void> => {
    lane.isBusy = true;
    try {
      while (lane.next !== undefined) {
        const wanted = lane.next;
        lane.next = undefined;
        const pause = wanted.isPassing ? new Promise((resolve) => setTimeout(resolve, PASSING_EVERY_MS)) : undefined;
        await send(spot, wanted);
        await pause;
      }
    } finally {
      lane.isBusy = false;
      // An answer that nobody understands must not hold up the next value, also one that waits already.
      if (lane.next !== undefined) void run(spot, lane);
    }
  };
  return {
    push: (spot, wanted) => {
      const lane = laneOf(spot);
      lane.next = wanted;
      if (!lane.isBusy) void run(spot, lane);
    },
  };
}
