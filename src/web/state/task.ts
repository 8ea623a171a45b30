import { type ReadonlySignal, signal } from '@preact/signals';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

/** Something that the hub may refuse, and that runs once at a time. */
export type RunningTask = {
  readonly isRunning: ReadonlySignal<boolean>;
  /** In words; `undefined` before the first run and after a success. */
  readonly refusal: ReadonlySignal<string | undefined>;
  /** Drops an action that comes while another one runs. `after` follows even if the hub refused. */
  readonly run: (action: () => Promise<unknown>, after?: () => Promise<unknown>) => Promise<void>;
};

export function createTask(): RunningTask {
  const isRunning = signal(false);
  const refusal = signal<string>();
  return {
    isRunning,
    refusal,
    run: async (action, after) => {
      if (isRunning.peek()) return;
      isRunning.value = true;
      try {
        refusal.value = await wordsIfRefused(action);
        await after?.();
      } finally {
        isRunning.value = false;
      }
    },
  };
}
