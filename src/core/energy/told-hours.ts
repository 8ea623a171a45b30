import { isJsonObject, parseJson } from '#base/json.ts';

/**
 * The hours that were settled by a clock that only a person had set. Once the true time is known, the history moves their
 * samples, and they are settled again.
 */
export type ToldHours = {
  readonly present: () => ToldRange | null;
  /** On disk when it resolves. */
  readonly keep: (range: ToldRange | null) => Promise<void>;
};

export type ToldRange = {
  /** Where the first of them begins, or the first that is still to be settled again. */
  readonly fromMs: number;
  /** The epoch of the clock when the first was settled. */
  readonly epoch: string;
  readonly isBeingSettledAgain: boolean;
};

export type ToldHoursStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
};

const META = 'energy_told';

export async function openToldHours({ loadMeta, putMeta }: ToldHoursStore): Promise<ToldHours> {
  let present = rangeFrom((await loadMeta()).get(META));
  return {
    present: () => present,
    keep: async (range) => {
      await putMeta(new Map([[META, range === null ? '' : JSON.stringify(range)]]));
      present = range;
    },
  };
}

/** The database is checked at each start, and only `keep` writes this. */
function rangeFrom(text = ''): ToldRange | null {
  const range = text === '' ? null : parseJson(text);
  if (range === null || range === undefined || !isJsonObject(range)) return null;
  const { fromMs, epoch, isBeingSettledAgain } = range;
  if (typeof fromMs !== 'number' || typeof epoch !== 'string') return null;
  return { fromMs, epoch, isBeingSettledAgain: isBeingSettledAgain === true };
}
