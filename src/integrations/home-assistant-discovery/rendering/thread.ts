import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Rendered, Rendering } from '#integrations/home-assistant-discovery/template/template.ts';

/** A rendering with a number, and the answer to it. */
export type Task = { readonly id: number; readonly rendering: Rendering };
export type Answer = { readonly id: number; readonly rendered: Rendered };

/** A thread that renders, as long as it lives. */
export type Thread = ReturnType<typeof openThread>;

type ThreadListener = {
  readonly onReady: () => void;
  readonly onAnswer: (answer: Answer) => void;
  /** `memory` where its heap was not enough. */
  readonly onEnd: (cause: unknown) => void;
};

export const HEAP_MB = 32;

/** `url` is the bundle of `template-thread.ts`. */
export function openThread(url: URL, { onReady, onAnswer, onEnd }: ThreadListener) {
  const restoreFlags = clearFlags();
  const worker = new Worker(url, {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 2 },
    env: {},
    execArgv: [],
  });
  worker.once('online', restoreFlags);
  worker.on('message', (said: Answer | 'ready') => (said === 'ready' ? onReady() : onAnswer(said)));
  worker.once('error', (cause) =>
    onEnd('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : cause),
  );
  worker.once('exit', (code) => onEnd(`code ${code}`));
  return {
    /** It answers one by one, in this order. */
    render: (tasks: readonly Task[]): void => worker.postMessage(tasks),
    /** Nothing is heard of it from then on. */
    end: (): void => {
      worker.removeAllListeners('message').removeAllListeners('exit');
      void worker.terminate();
    },
  };
}

/** Threads that have no heap yet. */
let starting = 0;

/**
 * Flags of the program would win over the limits of the thread; its own heap has obeyed them already. The result sets
 * them again, for threads without limits.
 */
function clearFlags(): () => void {
  const given = process.execArgv.filter((flag) => /^--max-(?:old|semi)-space-size=/.test(flag));
  for (const flag of ['--max-old-space-size=0', '--max-semi-space-size=0']) setFlagsFromString(flag);
  starting += 1;
  return () => {
    starting -= 1;
    if (starting === 0) for (const flag of given) setFlagsFromString(flag);
  };
}
