/** Runs one task at a time for competing groups. */
type FairQueue = <Result>(group: string, task: () => Promise<Result>, lane?: Lane) => Promise<Result>;

/**
 * A task in `first` runs before all common ones, but never two in a row while a common one waits: `first` cannot starve
 * them.
 */
type Lane = 'first' | 'common';

type Waiting = { readonly run: () => Promise<void>; readonly refuse: (cause: Error) => void };

/**
 * Groups take turns, so a group with one task waits for at most one task of each other group. When `limit` tasks wait
 * in a lane, the largest group loses its newest task to a newcomer whose group has at least two fewer. Otherwise the
 * newcomer is refused. A refused task rejects with the error that `full` makes.
 */
export function createFairQueue(limit: number, full: () => Error): FairQueue {
  const lanes: Record<Lane, Turns> = { first: createTurns(limit, full), common: createTurns(limit, full) };
  let isRunning = false;
  let wasFirst = false;

  const takeFirst = (): Waiting | undefined => {
    const next = lanes.first.take();
    wasFirst = next !== undefined;
    return next ?? lanes.common.take();
  };
  const takeNext = (): Waiting | undefined => {
    const next = wasFirst ? lanes.common.take() : undefined;
    if (next === undefined) return takeFirst();
    wasFirst = false;
    return next;
  };

  async function drain(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let next = takeNext(); next !== undefined; next = takeNext()) await next.run();
    isRunning = false;
  }

  return (group, task, lane = 'common') =>
    new Promise((resolve, reject) => {
      const run = (): Promise<void> => Promise.resolve().then(task).then(resolve, reject);
      if (!lanes[lane].add(group, { run, refuse: reject })) return reject(full());
      return void drain();
    });
}

type Turns = ReturnType<typeof createTurns>;

function createTurns(limit: number, full: () => Error) {
  const groups = new Map<string, Waiting[]>();
  let waitingCount = 0;

  const makesRoomFor = (group: string): boolean => {
    const own = groups.get(group)?.length ?? 0;
    const [heaviest] = [...groups.values()].sort((left, right) => right.length - left.length);
    if (heaviest === undefined || heaviest.length < own + 2) return false;
    heaviest.pop()?.refuse(full());
    waitingCount -= 1;
    return true;
  };
  return {
    /** False if there is no room. */
    add: (group: string, waiting: Waiting): boolean => {
      if (waitingCount >= limit && !makesRoomFor(group)) return false;
      groups.set(group, [...(groups.get(group) ?? []), waiting]);
      waitingCount += 1;
      return true;
    },
    take: (): Waiting | undefined => {
      const [first] = groups;
      if (first === undefined) return undefined;
      const [group, tasks] = first;
      const task = tasks.shift();
      groups.delete(group);
      if (tasks.length > 0) groups.set(group, tasks);
      waitingCount -= 1;
      return task;
    },
  };
}
