import { bytesOf, type SampleValue } from '#core/past/history/sample.ts';
import {
  type Budget,
  type BudgetedDevice,
  type BudgetSubject,
  createByteCounts,
  type KnowsScripts,
  subjectsOf,
} from './budget-subject.ts';
import { createMonthBudget, type MonthFigures } from './month-budget.ts';

/** Bounds what devices make the hub write: a flood ends in a gap, not in a worn card or a full disk. */
export type RecordingBudget = ReturnType<typeof createRecordingBudget>;

export const PAUSE_REASONS = ['day', 'month'] as const;

export type PausedRecording = BudgetSubject & {
  /** Whose room is used up. */
  readonly reason: (typeof PAUSE_REASONS)[number];
  readonly sinceMs: number;
};

export type RecordingBudgetDeps = KnowsScripts & {
  readonly nowMs: () => number;
  /** Called once when samples of somebody begin to be left out, and when they are recorded again. */
  readonly onPaused: (paused: PausedRecording, isPaused: boolean) => void;
  /** Called when a month begins, whose figures are to be asked for. */
  readonly onMonth: () => void;
  readonly room?: DailyRoom | undefined;
};

const DAY_MS = 86_400_000;

/** In bytes. */
type DailyRoom = { readonly device: number; readonly script: number };

/** Thirty numbers a second need 42 MB. With the journal and its moves a script then writes less than 100 MB a day. */
const ROOM: DailyRoom = { device: 48_000_000, script: 60_000_000 };

/** Bounds what devices make the hub write in a day (UTC). */
function createDailyBudget({ isScript }: KnowsScripts, room: DailyRoom = ROOM): Budget {
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

type Paused = PausedRecording & { lastMs: number };

export function createRecordingBudget({ nowMs, onPaused, onMonth, ...deps }: RecordingBudgetDeps) {
  const day = createDailyBudget(deps, deps.room);
  const month = createMonthBudget(deps);
  day.begin(nowMs());
  month.begin(nowMs());
  const paused = new Map<string, Paused>();
  const refuse = (subject: BudgetSubject, reason: PausedRecording['reason']): false => {
    const key = `${subject.kind}/${subject.id}`;
    const atMs = nowMs();
    const known = paused.get(key);
    const one = known ?? { ...subject, reason, sinceMs: atMs, lastMs: atMs };
    one.lastMs = atMs;
    paused.set(key, one);
    if (known === undefined) onPaused(one, true);
    return false;
  };
  const release = (reason: PausedRecording['reason'], isOver: (one: Paused) => boolean): void => {
    for (const [key, one] of paused) {
      if (one.reason !== reason || !isOver(one)) continue;
      paused.delete(key);
      onPaused(one, false);
    }
  };
  const follow = (atMs: number): void => {
    if (day.begin(atMs)) release('day', () => true);
    if (!month.begin(atMs)) return;
    release('month', () => true);
    onMonth();
  };
  return {
    /** False if the room of its device, or of the integration that the device is from, is used up. */
    take: (device: BudgetedDevice, value: SampleValue): boolean => {
      follow(nowMs());
      const bytes = bytesOf(value);
      const ofMonth = month.findFull(device, bytes);
      if (ofMonth !== undefined) return refuse(ofMonth, 'month');
      const ofDay = day.findFull(device, bytes);
      if (ofDay !== undefined) return refuse(ofDay, 'day');
      month.add(device, bytes);
      day.add(device, bytes);
      return true;
    },
    noteMonth: (figures: MonthFigures): void => {
      const atMs = nowMs();
      follow(atMs);
      month.note(figures);
      // A device that has nothing to record any more, as after a person switched it off, is not paused either.
      release('month', (one) => month.hasRoom(one) || atMs - one.lastMs >= DAY_MS);
    },
    /** Whose samples are left out. */
    paused: (): readonly PausedRecording[] =>
      [...paused.values()].map(({ kind, id, reason, sinceMs }) => ({ kind, id, reason, sinceMs })),
  };
}
