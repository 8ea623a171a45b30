import type { MonthUse } from '#core/past/history/history-store.ts';
import { type Budget, type BudgetSubject, createByteCounts, type KnowsScripts, subjectsOf } from './budget-subject.ts';

/**
 * Bounds what the month that is open takes on disk: months are removed as a whole, and this one cannot be. Each may have a
 * part of what is still free, as the queues of a switch share its memory (dynamic thresholds, Choudhury and Hahne, 1998): so
 * the month is never full, who has much stops first, and who has little finds room until the end.
 */
type MonthBudget = Budget & {
  /** Takes what the disk says in the place of what was counted since it was asked last. */
  readonly note: (month: MonthFigures) => void;
  /** Whether one whose share was used up has clearly room again. */
  readonly hasRoom: (subject: BudgetSubject) => boolean;
};

export type MonthFigures = {
  readonly atMs: number;
  readonly use: MonthUse;
  readonly maxBytes: number;
};

/** Parts of what is free: a device alone gets to a quarter of the month, and an integration to a half. */
const SHARES = { device: 1 / 3, integration: 1 };
const ROOM_AGAIN = 0.9;

export function createMonthBudget({ isScript }: KnowsScripts): MonthBudget {
  const counted = createByteCounts();
  let month = { fromMs: 0, toMs: 0 };
  let figures: MonthFigures | undefined;

  const isWithin = (atMs: number): boolean => atMs >= month.fromMs && atMs < month.toMs;
  const begin = (nowMs: number): boolean => {
    if (isWithin(nowMs)) return false;
    const at = new Date(nowMs);
    const [year, number] = [at.getUTCFullYear(), at.getUTCMonth()];
    month = { fromMs: Date.UTC(year, number), toMs: Date.UTC(year, number + 1) };
    figures = undefined;
    counted.clear();
    return true;
  };
  /** Any number of devices is a script's for the asking, so they share what one device may have. */
  const shareOf = ({ kind, id }: BudgetSubject): number =>
    kind === 'device' || isScript(id) ? SHARES.device : SHARES.integration;
  const fits = (subject: BudgetSubject, bytes: number, part: number): boolean => {
    if (figures === undefined) return true;
    const { use, maxBytes } = figures;
    const onDisk = (subject.kind === 'device' ? use.ofDevices : use.ofIntegrations).get(subject.id) ?? 0;
    const free = maxBytes - use.bytes - counted.inAll();
    return onDisk + counted.of(subject) + bytes <= shareOf(subject) * free * part;
  };
  return {
    begin,
    // A script is named itself, and not each of its devices.
    findFull: (device, bytes) =>
      subjectsOf(device)
        .toReversed()
        .find((subject) => !fits(subject, bytes, 1)),
    add: counted.add,
    note: (asked) => {
      // Figures of another month come with the turn of the month, or of a clock that was set.
      if (!isWithin(asked.atMs)) return;
      figures = asked;
      counted.clear();
    },
    hasRoom: (subject) => fits(subject, 0, ROOM_AGAIN),
  };
}
