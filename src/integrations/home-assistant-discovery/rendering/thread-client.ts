import type { Runtime } from '#base/time/runtime.ts';
import type { Rendered } from '#integrations/home-assistant-discovery/template/template.ts';
import type { Elsewhere } from './templates.ts';
import { HEAP_MB, openThread, type Answer, type Task, type Thread } from './thread.ts';

type TemplateThreadDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly url: URL;
};

/** One rendering may take this long, from the answer before. */
const DEADLINE_MS = 250;
/** Who waits behind a rendering that takes longer is served by another thread. */
const PATIENCE_MS = 15;
/** A machine that is busy with something else may keep the thread from its work once. */
const MOST_TRIES = 2;
const MOST_AT_ONCE = 64;

type Waiting = Task & {
  readonly owner: object;
  tries: number;
  readonly settle: (rendered: Rendered) => void;
};
type Worker = Thread & {
  /** In the order in which it answers. */
  sent: Waiting[];
  isReady: boolean;
  /** What it has not begun was taken from it. */
  isLate: boolean;
  stopTimer: () => void;
};

/**
 * Renders templates in a thread with a heap and a deadline of its own. A rendering that exceeds either ends the thread,
 * and is the last of its owner; those that wait behind it go on in the next thread.
 */
export function createTemplateThread({ url, startTimer, log }: TemplateThreadDeps): Elsewhere {
  const workers = new Set<Worker>();
  const queue = createQueue(() => dispatch());

  const end = (worker: Worker): void => {
    worker.stopTimer();
    workers.delete(worker);
    worker.end();
  };
  const fail = (worker: Worker, reason: string): void => {
    if (!workers.has(worker)) return;
    end(worker);
    const [first, ...others] = worker.sent;
    queue.giveBack(others);
    if (first !== undefined) queue.retry(first, reason);
    dispatch();
  };
  const watch = (worker: Worker, afterMs: number, then: () => void): void => {
    const [first] = worker.sent;
    worker.stopTimer = startTimer(afterMs, () => {
      // An answer may be there already, behind a loop that was busy for as long.
      setImmediate(() => {
        if (workers.has(worker) && worker.sent[0] === first) then();
      });
    });
  };
  const beLate = (worker: Worker): void => {
    watch(worker, DEADLINE_MS - PATIENCE_MS, () => fail(worker, `it takes longer than ${DEADLINE_MS} ms`));
    if (workers.size > 1) return;
    worker.isLate = true;
    queue.giveBack(worker.sent.splice(1));
    dispatch();
  };
  const watchFirst = (worker: Worker): void => {
    worker.stopTimer();
    if (worker.isReady && worker.sent.length > 0) watch(worker, PATIENCE_MS, () => beLate(worker));
  };
  const take = (worker: Worker, { id, rendered }: Answer): void => {
    // What was taken from it, it renders in vain.
    if (worker.sent[0]?.id !== id) return;
    worker.sent.shift()?.settle(rendered);
    if (worker.isLate && workers.size > 1) return end(worker);
    worker.isLate = false;
    watchFirst(worker);
    if (worker.sent.length === 0) dispatch();
  };
  const start = (): Worker => {
    const thread = openThread(url, {
      onReady: () => {
        worker.isReady = true;
        watchFirst(worker);
      },
      onAnswer: (answer) => take(worker, answer),
      onEnd: (cause) => {
        if (cause !== 'memory') log.error('the thread of templates failed', { cause });
        fail(worker, cause === 'memory' ? `it needs more memory than ${HEAP_MB} MB` : 'it failed');
      },
    });
    const worker: Worker = { ...thread, sent: [], isReady: false, isLate: false, stopTimer: () => undefined };
    workers.add(worker);
    return worker;
  };
  const dispatch = (): void => {
    const free = [...workers].find(({ isLate }) => !isLate);
    if (queue.isEmpty() || (free === undefined && workers.size > 1)) return;
    const worker = free ?? start();
    if (worker.sent.length > 0) return;
    worker.sent = queue.take(MOST_AT_ONCE);
    worker.render(worker.sent.map(({ id, rendering }) => ({ id, rendering })));
    watchFirst(worker);
  };
  return {
    render: queue.add,
    rest: () => {
      const sent = [...workers].flatMap((worker) => worker.sent);
      for (const worker of workers) end(worker);
      queue.empty(sent);
    },
  };
}

/** Knows the renderings that wait, and the owners whose templates are not tried any more. */
function createQueue(dispatch: () => void) {
  /** An owner whose template ended a thread gets this from then on. */
  const putOff = new WeakMap<object, Rendered>();
  let waiting: Waiting[] = [];
  let isDue = false;
  let lastId = 0;
  const work = (): void => {
    isDue = false;
    dispatch();
  };
  const add: Elsewhere['render'] = (owner, rendering) =>
    putOff.get(owner) ??
    new Promise((settle) => {
      lastId += 1;
      waiting.push({ id: lastId, owner, rendering, tries: 0, settle });
      // All that is asked in this turn goes together.
      if (!isDue) queueMicrotask(work);
      isDue = true;
    });
  return {
    add,
    isEmpty: () => waiting.length === 0,
    take: (most: number) => waiting.splice(0, most),
    giveBack: (some: readonly Waiting[]): void => void waiting.unshift(...some),
    retry: (one: Waiting, reason: string): void => {
      one.tries += 1;
      if (one.tries < MOST_TRIES) return void waiting.push(one);
      const rendered: Rendered = { fault: 'budget', message: reason };
      putOff.set(one.owner, rendered);
      one.settle(rendered);
    },
    empty: (sent: readonly Waiting[]): void => {
      const all = [...sent, ...waiting];
      waiting = [];
      for (const { settle } of all) settle({ fault: 'python', message: 'nobody waits for it any more' });
    },
  };
}
