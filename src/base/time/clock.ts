/** The machine's two clocks. All code that reads the time takes one of these as a parameter. */
export type Clock = {
  /** Milliseconds since 1970 according to the machine; may jump in either direction. */
  readonly wallMs: () => number;
  /** Milliseconds since an arbitrary start; never goes back, does not count while the machine is off. */
  readonly monotonicMs: () => number;
};

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
