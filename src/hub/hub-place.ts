import { createTurnQueue } from '#base/turn-queue.ts';
import { type CalendarRegistry, openCalendarRegistry } from '#core/calendar/calendar-registry.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import { type LocationRecord, openLocationRecord } from '#core/place/location-record.ts';
import type { Location, Place } from '#core/place/place.ts';
import type { SunDay } from '#http/calendar/routes.ts';
import type { HubContext } from './hub-context.ts';

/** Where and when the home is. */
export type Placed = {
  readonly place: Place;
  readonly locationRecord: LocationRecord;
  readonly calendars: CalendarRegistry;
};

type PlaceDeps = Pick<HubContext, 'storage' | 'hubClock' | 'identity' | 'events' | 'log' | 'stops'>;

const DAY_MS = 86_400_000;

/** Reads the location and the calendars, and reports changes of the clock from then on. */
export async function openPlace(deps: PlaceDeps): Promise<Placed> {
  const { storage, hubClock, identity, events, stops } = deps;
  const log = deps.log.part('place');
  const [locationRecord, calendars] = await Promise.all([
    openLocationRecord({ store: storage.meta, turn: createTurnQueue(), log }),
    openCalendarRegistry({ store: storage.calendars, turn: createTurnQueue(), nowMs: hubClock.nowMs, log }),
  ]);
  stops.add(
    'the watch over the clock',
    hubClock.subscribe((clock) => events.append({ type: 'clock.changed', clock })),
  );
  const sources = [locationRecord, calendars, identity];
  const place: Place = {
    location: locationRecord.location,
    isFree: calendars.isFree,
    subscribe: (listener) => {
      const ends = sources.map(({ subscribe }) => subscribe(listener));
      return () => ends.forEach((end) => end());
    },
  };
  return { place, locationRecord, calendars };
}

/** The sun of the day of a moment. Its library is read with the first question. */
export async function sunOfDay(
  location: Location | undefined,
  timeZone: HubIdentity['timeZone'],
  atMs: number,
): Promise<SunDay | undefined> {
  if (location === undefined) return undefined;
  const { sunEventAt } = await import('#automations/sun.ts');
  const zone = timeZone();
  const day = Math.floor((atMs + zone.offsetMs(atMs)) / DAY_MS);
  const noonMs = zone.instantOf(day * DAY_MS + DAY_MS / 2);
  const at = (event: keyof SunDay): number | undefined => sunEventAt(event, noonMs, location);
  return { dawn: at('dawn'), sunrise: at('sunrise'), noon: at('noon'), sunset: at('sunset'), dusk: at('dusk') };
}
