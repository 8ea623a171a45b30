import type { Log } from './log.ts';

/** The undo steps of all that was started; they run in reverse order. */
export type StopList = ReturnType<typeof createStopList>;

export function createStopList(log: Log) {
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
    add: (name: string, stop: () => void | Promise<void>): void => void steps.push({ name, stop }),
    /** Runs every step even if one fails (which is logged); a second call only waits for the first. */
    stop: (): Promise<void> => (stopping ??= stopAll()),
  };
}
