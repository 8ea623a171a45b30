export type ConnectionLife = ReturnType<typeof createConnectionLife>;

/** The time of a connection from its first byte to its end, whose first reason counts. */
export function createConnectionLife(signal: AbortSignal, faultFrom: (cause: unknown) => Error) {
  const ending = new AbortController();
  let settle: { readonly resolve: () => void; readonly reject: (cause: Error) => void } | undefined;
  const ended = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  // Who waits for the end may come later.
  ended.catch(() => undefined);
  const isOver = (): boolean => ending.signal.aborted;
  const abort = (): void => {
    if (isOver()) return;
    ending.abort();
    settle?.resolve();
  };
  const end = (cause: unknown): void => {
    if (isOver()) return;
    signal.removeEventListener('abort', abort);
    ending.abort();
    settle?.reject(faultFrom(cause));
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    signal: ending.signal,
    /** Rejects with the reason of the end, resolves if the signal ended it. */
    ended,
    isOver,
    end,
    /** Runs a task whose failure ends the connection; none after its end. */
    during: (task: () => void): void => {
      if (isOver()) return;
      try {
        task();
      } catch (cause) {
        end(cause);
      }
    },
  };
}
