/** The way to the hub, with what waits for its answer. */
export type HubChannel<From> = {
  readonly say: (message: From) => void;
  /** For what went wrong and is over. */
  readonly fault: (what: string, cause: unknown) => void;
  /** Resolves once the text is on disk, and rejects where it cannot be. */
  readonly keep: (text: string) => Promise<void>;
  readonly takeAnswer: (answer: { readonly seq: number; readonly isKept: boolean }) => void;
};

/** Each role says this beside its own words. */
type Said =
  | { readonly type: 'keep'; readonly seq: number; readonly text: string }
  | { readonly type: 'fault'; readonly message: string };

/** One of the things that the program can be. */
export type Role<To> = {
  readonly onMessage: (message: To) => void;
  /** Nothing of it is left once resolved. */
  readonly close: () => Promise<void>;
};

type HubChannelDeps<From> = {
  readonly send: (message: From | Said) => void;
  readonly nextSeq: () => number;
};

export function createHubChannel<From extends object>({ send, nextSeq }: HubChannelDeps<From>): HubChannel<From> {
  const keeps = new Map<number, { readonly resolve: () => void; readonly reject: (cause: Error) => void }>();
  return {
    say: send,
    fault: (what, cause) => send({ type: 'fault', message: `${what}: ${wordsOf(cause)}` }),
    keep: async (text) => {
      const seq = nextSeq();
      try {
        await new Promise<void>((resolve, reject) => {
          keeps.set(seq, { resolve, reject });
          send({ type: 'keep', seq, text });
        });
      } finally {
        keeps.delete(seq);
      }
    },
    takeAnswer: ({ seq, isKept }) => {
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
