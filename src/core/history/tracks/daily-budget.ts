import {
  type BudgetedDevice,
  type BudgetSubject,
  createByteCounts,
  type KnowsScripts,
  subjectsOf,
} from './budget-subject.ts';

/** Bounds what devices make the hub write in a day (UTC). */
type DailyBudget = {
  /** Whether another day has begun, with all of its room. */
  readonly begin: (nowMs: number) => boolean;
  /** Whose room these bytes are too many for. */
  readonly findFull: (device: BudgetedDevice, bytes: number) => BudgetSubject | undefined;
  readonly add: (device: BudgetedDevice, bytes: number) => void;
};

/** In bytes. */
export type DailyRoom = { readonly device: number; readonly script: number };

const DAY_MS = 86_400_000;
/** Thirty numbers a second need 42 MB. With the journal and its moves a script then writes less than 100 MB a day. */
const ROOM: DailyRoom = { device: 48_000_000, script: 60_000_000 };

export function createDailyBudget({ isScript }: KnowsScripts, room: DailyRoom = ROOM): DailyBudget {
  const spent = createByteCounts();
  let today = 0;
  return {
    begin: (nowMs) => {
      const day = Math.floor(nowMs / DAY_MS);
      if (day === today) return false;
      today = day;
      spent.clear();
      return true;
    },
    findFull: (device, bytes) => {
      const [itself, from] = subjectsOf(device);
      if (isScript(from.id) && spent.of(from) + bytes > room.script) return from;
      return spent.of(itself) + bytes > room.device ? itself : undefined;
    },
    add: spent.add,
  };
}
