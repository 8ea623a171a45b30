import type { Log } from './log.ts';

/** The undo steps of all that was started; they run in reverse order. */
export type StopList = {
  readonly add: (name: string, stop: () => void | Promise<void>) => void;
  /** Runs every step even if one fails (which is logged); a second call only waits for the first. */
  readonly stop: () => Promise<void>;
};

export function createStopList(log: Log): StopList {
  const steps: { name: string; stop: () => void | Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.stop();
      } catch (cause) {
        log.error(`stopping ${step.name} failed`, { cause });
      }
    }
  };
  return {
    add: (name, stop) => void steps.push({ name, stop }),
    stop: () => (stopping ??= stopAll()),
  };
}
