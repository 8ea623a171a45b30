/** The devices that say that they wait for the code. Anybody in the LAN may say so. */
export type Candidates = {
  /** False where there are too many of them. */
  readonly hasRoom: () => boolean;
  /** Tries one of them. */
  readonly watch: <Result>(attempt: () => Result | PromiseLike<Result>) => Promise<Result>;
  readonly stop: () => void;
};

type CandidatesDeps = {
  readonly isWrongCode: (cause: unknown) => boolean;
  /** One at least has refused the code, all others have failed, and no other came for a while. */
  readonly onAllFailed: () => void;
};

/** Another device with the same short discriminator may have the code; else nobody waits for the whole search. */
const OTHERS_MS = 3_000;
/** A home has a few at most that can be mistaken for each other. */
const MOST = 32;

export function createCandidates({ isWrongCode, onAllFailed }: CandidatesDeps): Candidates {
  let tried = 0;
  let underWay = 0;
  let wasRefused = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    hasRoom: () => tried < MOST,
    watch: async (attempt) => {
      tried += 1;
      underWay += 1;
      clearTimeout(timer);
      try {
        return await attempt();
      } catch (cause) {
        wasRefused ||= isWrongCode(cause);
        throw cause;
      } finally {
        underWay -= 1;
        if (underWay === 0 && wasRefused) timer = setTimeout(onAllFailed, OTHERS_MS);
      }
    },
    stop: () => clearTimeout(timer),
  };
}
