import { hubTimeShiftMs, type OpenHubClock } from '#base/time/hub-clock.ts';

export type EngineClock = {
  /** The time of the hub's clock, in the epoch that the engine counts in. */
  readonly hubMs: () => number;
  /** The time of day; `undefined` while nobody knows it. */
  readonly wallMs: () => number | undefined;
  readonly guessMs: () => number;
  /** As the machine has it, right or wrong: by which values of devices are dated. */
  readonly machineMs: () => number;
};

export type EngineClockDeps = {
  readonly hubClock: Pick<OpenHubClock, 'nowMs' | 'epoch' | 'nowInEpochMs' | 'source' | 'subscribe'>;
  readonly machineMs: () => number;
};

type WatchedClock = EngineClock & {
  readonly epoch: () => string;
  /** What to add to a time of another epoch. */
  readonly shiftMs: (epoch: string) => number;
  /**
   * Calls the listener when the clock was set or corrected, with the jump of the hub's clock. The engine counts in the
   * present epoch once it has called `take`: inputs that came before are dealt with in the old one.
   */
  readonly follow: (onSet: (hubShiftMs: number, take: () => void) => void) => () => void;
};

/** The clocks as the engine counts them: hub time in one epoch, until the engine takes in that another one began. */
export function watchClock({ hubClock, machineMs }: EngineClockDeps): WatchedClock {
  let epoch = hubClock.epoch();
  let seenEpoch = epoch;
  const hubMs = (): number => hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs();
  return {
    hubMs,
    wallMs: () => (hubClock.source() === 'none' ? undefined : hubClock.nowMs()),
    guessMs: hubClock.nowMs,
    machineMs,
    epoch: () => epoch,
    shiftMs: (other) => hubMs() - (hubClock.nowInEpochMs(other) ?? hubMs()),
    follow: (onSet) =>
      hubClock.subscribe(() => {
        const hubShiftMs = hubTimeShiftMs(hubClock, seenEpoch);
        const present = hubClock.epoch();
        seenEpoch = present;
        onSet(hubShiftMs, () => {
          epoch = present;
        });
      }),
  };
}
