import { isSameJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import { type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { type Calendar, dateFinder, MAX_CALENDARS } from './calendar.ts';

export type CalendarRegistry = Awaited<ReturnType<typeof openCalendarRegistry>>;

type CalendarWish = Pick<Calendar, 'key' | 'name' | 'dates' | 'isFree'>;

type CalendarRegistryDeps = {
  readonly store: KeyedStore<Calendar>;
  readonly turn: TurnQueue;
  readonly nowMs: () => number;
  readonly log: Log;
};

/** Reads the calendars, which from then on change only here. */
export async function openCalendarRegistry({ nowMs, log, ...deps }: CalendarRegistryDeps) {
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
    /** By key. */
    calendars: records.all,
    find: records.find,
    /** Makes the calendar or changes it; the same again changes nothing. Throws as `KeyedRecords.add` and `change`. */
    put: async (wish: CalendarWish, terms?: ChangeTerms): Promise<Calendar> => {
      const isNew = records.find(wish.key) === undefined;
      const calendar = isNew
        ? await records.add({ ...wish, changedAtMs: nowMs(), revision: 1 }, terms)
        : await records.change(
            wish.key,
            (old) =>
              isSameJson({ ...old, ...wish }, old)
                ? old
                : { ...old, ...wish, changedAtMs: nowMs(), revision: old.revision + 1 },
            terms,
          );
      changed();
      return calendar;
    },
    /** Throws as `KeyedRecords.remove`. */
    remove: async (key: string, terms?: ChangeTerms): Promise<void> => {
      await records.remove(key, terms);
      changed();
    },
    /** Whether one of them makes this date no workday. */
    isFree: (date: string): boolean => finders.some(({ calendar, has }) => calendar.isFree && has(date)),
    on: (date: string): readonly Calendar[] => finders.flatMap(({ calendar, has }) => (has(date) ? [calendar] : [])),
    subscribe: listeners.add,
  };
}
