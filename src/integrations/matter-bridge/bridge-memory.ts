import { isJsonObject } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { InstancePorts } from '#integrations/ports.ts';

/** The numbers that endpoints have in Matter, by their ids. */
type EndpointNumbers = Readonly<Record<string, number>>;

/**
 * What the hub itself remembers of the bridge, and its backups with it: no key of a home, but how many homes there were,
 * so that lost keys are noticed, and the numbers of the endpoints, which outlive them.
 */
export type BridgeMemory = {
  readonly load: () => Promise<Remembered>;
  readonly noteNumbers: (numbers: EndpointNumbers) => void;
  /** The keys of the homes are lost, until a home has the bridge again. */
  readonly noteLost: () => void;
  readonly noteHomes: (homes: number) => void;
};

type Remembered = { readonly numbers: EndpointNumbers; readonly homes: number; readonly isLost: boolean };

/** An entry has up to 64 bytes, and all of them 64 KiB. The oldest are those of devices that left long ago. */
const MOST_NUMBERS = 900;

export function createBridgeMemory({ state, log }: Pick<InstancePorts, 'state'> & { readonly log: Log }): BridgeMemory {
  let now: Remembered = { numbers: {}, homes: 0, isLost: false };

  const save = (next: Partial<Remembered>): void => {
    now = { ...now, ...next };
    state.save(now).catch((cause: unknown) => {
      log.warn('what the hub remembers of the Matter bridge cannot be written', { cause });
    });
  };
  return {
    load: async () => {
      const { numbers, homes, isLost } = await state.load();
      const count = typeof homes === 'number' ? homes : 0;
      return (now = { numbers: readNumbers(numbers), homes: count, isLost: isLost === true });
    },
    noteNumbers: (numbers) => {
      const newest = Object.entries(numbers).toSorted(([, one], [, other]) => other - one);
      save({ numbers: Object.fromEntries(newest.slice(0, MOST_NUMBERS)) });
    },
    noteLost: () => save({ isLost: true }),
    noteHomes: (homes) => {
      const isLost = now.isLost && homes === 0;
      if (homes !== now.homes || isLost !== now.isLost) save({ homes, isLost });
    },
  };
}

function readNumbers(kept: unknown): EndpointNumbers {
  if (!isJsonObject(kept)) return {};
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}
