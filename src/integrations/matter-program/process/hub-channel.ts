/** The way to the hub, with what waits for its answer. */
export type HubChannel<From> = {
  readonly say: (message: From) => void;
  /** For what went wrong and is over. */
  readonly fault: (what: string, cause: unknown) => void;
  /** Resolves once the text is on disk, and rejects where it cannot be. */
  readonly keep: (text: string) => Promise<void>;
  readonly takeKept: (seq: number, isKept: boolean) => void;
};

/** What each role says beside its own words. */
export type Said =
  | { readonly type: 'keep'; readonly seq: number; readonly text: string }
  | { readonly type: 'fault'; readonly message: string };

/** One of the things that the program can be; it is one of them for its whole life. */
export type Role<To> = { readonly onMessage: (message: To) => void };

export function createHubChannel<From extends object>(send: (message: From | Said) => void): HubChannel<From> {
  const keeps = new Map<number, { readonly resolve: () => void; readonly reject: (cause: Error) => void }>();
  let lastSeq = 0;
  return {
    say: send,
    fault: (what, cause) => send({ type: 'fault', message: `${what}: ${wordsOf(cause)}` }),
    keep: async (text) => {
      lastSeq += 1;
      const seq = lastSeq;
      try {
        await new Promise<void>((resolve, reject) => {
          keeps.set(seq, { resolve, reject });
          send({ type: 'keep', seq, text });
        });
      } finally {
        keeps.delete(seq);
      }
    },
    takeKept: (seq, isKept) => {
      const waiting = keeps.get(seq);
      if (isKept) waiting?.resolve();
      else waiting?.reject(new NotKeptError());
    },
  };
}

/** The disk does not take what must be remembered. */
export class NotKeptError extends Error {
  constructor() {
    super('the hub could not keep the state');
    this.name = 'NotKeptError';
  }
}

/** The message of an error with those of its causes: what Matter did not take is in the last one. */
export function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = [cause.cause, ...('errors' in cause && Array.isArray(cause.errors) ? cause.errors : [])];
  return [cause.message, ...inner.filter((one) => one !== undefined).map(wordsOf)].join(': ');
}
