import { useRef } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { createTask, type RunningTask } from '#web/state/task.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

export type Task<Args extends readonly unknown[]> = {
  /** Does nothing while the task runs. */
  readonly run: (...args: Args) => void;
  readonly isRunning: boolean;
  /** Why the hub refused the last run, in words; `undefined` before the first and after a success. */
  readonly refusal: string | undefined;
};

/**
 * Runs a task that a person sets off at a control: `action` asks the hub, and `after` follows it even if the hub
 * refused. The caller shows the refusal.
 */
export function useTask<Args extends readonly unknown[]>(
  action: (...args: Args) => Promise<unknown>,
  after?: () => Promise<unknown>,
): Task<Args> {
  const { isRunning, refusal, run } = (useRef<RunningTask>(null).current ??= createTask());
  return {
    run: (...args) => void run(() => action(...args), after),
    isRunning: isRunning.value,
    refusal: refusal.value,
  };
}

/** A task whose refusal appears as a message at the edge of the page. */
export function useReportedTask<Args extends readonly unknown[]>(
  action: (...args: Args) => Promise<unknown>,
  after?: () => Promise<unknown>,
): Omit<Task<Args>, 'refusal'> {
  const report = useReport();
  return useTask((...args: Args) => report(() => action(...args)), after);
}

/** For controls that may be used again while the hub has not answered: each action runs, and its refusal is a message. */
export function useReport(): (action: () => Promise<unknown>) => Promise<void> {
  const { messages } = useHub();
  return async (action) => {
    const words = await wordsIfRefused(action);
    if (words !== undefined) messages.show(words, 'danger');
  };
}
