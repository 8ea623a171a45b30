/** Saves what may wait a while. */
export type PacedSaves = {
  /** The first one at once; what is asked for soon after a save is one save at the end of the pause. */
  readonly ask: () => void;
  /** Nothing is saved any more. */
  readonly stop: () => void;
};

export function createPacedSaves(everyMs: number, save: () => Promise<void>): PacedSaves {
  let pause: NodeJS.Timeout | undefined;
  let isAsked = false;
  let isStopped = false;

  const ask = (): void => {
    isAsked = true;
    if (pause === undefined && !isStopped) begin();
  };
  const begin = (): void => {
    isAsked = false;
    pause = setTimeout(() => {
      pause = undefined;
      if (isAsked) begin();
    }, everyMs).unref();
    void save();
  };
  return {
    ask,
    stop: () => {
      isStopped = true;
      clearTimeout(pause);
      pause = undefined;
    },
  };
}
