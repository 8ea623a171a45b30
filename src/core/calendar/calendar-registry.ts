import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import { type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeGiven } from '#core/records/authorized-change.ts';
import { type Calendar, dateFinder, MAX_CALENDARS } from './calendar.ts';

/** The calendars of the home. */
export type CalendarRegistry = {
  /** By key. */
  readonly calendars: () => readonly Calendar[];
  readonly find: (key: string) => Calendar | undefined;
  /** Makes the calendar or changes it. Throws as `KeyedRecords.add` and `change`. */
  readonly put: (wish: CalendarWish, given?: ChangeGiven) => Promise<Calendar>;
  /** Throws as `KeyedRecords.remove`. */
  readonly remove: (key: string, given?: ChangeGiven) => Promise<void>;
  /** Whether one of them makes this date no workday. */
  readonly isFree: (date: string) => boolean;
  /** The calendars that have this date. */
  readonly on: (date: string) => readonly Calendar[];
  readonly subscribe: (listener: () => void) => () => void;
};

type CalendarWish = Pick<Calendar, 'key' | 'name' | 'dates' | 'isFree'>;

type CalendarRegistryDeps = {
  readonly store: KeyedStore<Calendar>;
  readonly turn: TurnQueue;
  readonly nowMs: () => number;
  readonly log: Log;
};

/** Reads the calendars, which from then on change only here. */
export async function openCalendarRegistry({ nowMs, log, ...deps }: CalendarRegistryDeps): Promise<CalendarRegistry> {
  const records = await openKeyedRecords({ ...deps, noun: 'calendar', maxCount: MAX_CALENDARS });
  const listeners = createSubscribers<[]>(log);
  let finders: readonly { readonly calendar: Calendar; readonly has: (date: string) => boolean }[] = [];
  const note = (): void => {
    finders = records.all().map((calendar) => ({ calendar, has: dateFinder(calendar.dates) }));
  };
  note();
  const changed = (): void => {
    note();
    listeners.tell();
  };
  return {
    calendars: records.all,
    find: records.find,
    put: async (wish, given) => {
      const isNew = records.find(wish.key) === undefined;
      const calendar = isNew
        ? await records.add({ ...wish, changedAtMs: nowMs(), revision: 1 }, given)
        : await records.change(
            wish.key,
            (old) => ({ ...old, ...wish, changedAtMs: nowMs(), revision: old.revision + 1 }),
            given,
          );
      changed();
      return calendar;
    },
    remove: async (key, given) => {
      await records.remove(key, given);
      changed();
    },
    isFree: (date) => finders.some(({ calendar, has }) => calendar.isFree && has(date)),
    on: (date) => finders.flatMap(({ calendar, has }) => (has(date) ? [calendar] : [])),
    subscribe: listeners.add,
  };
}
