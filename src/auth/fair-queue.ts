/** Runs one task at a time for competing groups. */
export type FairQueue = <Result>(group: string, task: () => Promise<Result>) => Promise<Result>;

type Waiting = { readonly run: () => Promise<void>; readonly refuse: (cause: Error) => void };

/**
 * Groups take turns, so a group with one task waits for at most one task of each other group. When `limit` tasks wait,
 * the newest task of the group with the most makes room for one of a group with at least two fewer; else the newcomer
 * is refused, with what `full` makes.
 */
export function createFairQueue(limit: number, full: () => Error): FairQueue {
  const groups = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let isRunning = false;

  async function drain(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let next = takeNext(); next !== undefined; next = takeNext()) await next.run();
    isRunning = false;
  }

  function takeNext(): Waiting | undefined {
    const [first] = groups;
    if (first === undefined) return undefined;
    const [group, tasks] = first;
    const task = tasks.shift();
    groups.delete(group);
    if (tasks.length > 0) groups.set(group, tasks);
    waitingCount -= 1;
    return task;
  }

  function makesRoomFor(group: string): boolean {
    const own = groups.get(group)?.length ?? 0;
    const [heaviest] = [...groups.values()].sort((left, right) => right.length - left.length);
    if (heaviest === undefined || heaviest.length < own + 2) return false;
    heaviest.pop()?.refuse(full());
    waitingCount -= 1;
    return true;
  }

  return (group, task) =>
    new Promise((resolve, reject) => {
      if (waitingCount >= limit && !makesRoomFor(group)) {
        reject(full());
        return;
      }
      const tasks = groups.get(group) ?? [];
      tasks.push({ run: () => Promise.resolve().then(task).then(resolve, reject), refuse: reject });
      groups.set(group, tasks);
      waitingCount += 1;
      void drain();
    });
}
