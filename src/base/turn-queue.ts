/** Runs async tasks one after the other, in the order in which they were added. */
export type TurnQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createTurnQueue(): TurnQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    // A failed task must not fail the tasks behind it; its own caller sees the failure in `result`.
    last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  };
}
