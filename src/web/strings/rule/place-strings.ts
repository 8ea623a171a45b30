import type { HubClock } from '#web/client/api.ts';
import { listed } from '#web/strings/language/grammar.ts';
import { words } from '#web/strings/language/language.ts';

const en = {
  title: 'Place and time',
  text: 'Times of automations go by the clock of the hub, the sun over your home, and your calendars.',
  clock: 'Clock',
  now: 'The hub says it is',
  source: 'It knows that',
  sources: {
    synced: 'from a time server',
    owner: 'from a person, since it was switched on',
    none: 'from nobody: this is a guess',
  } satisfies Readonly<Record<HubClock['source'], string>>,
  unset: 'No time server has answered since the hub was switched on. Times of automations wait until the clock is set.',
  takeTime: 'Take the time of this device',
  clockSet: (time: string) => `The clock of the hub is set: ${time}.`,
  zone: 'Time zone',
  zoneHint: 'A time such as 07:00 in an automation means 07:00 there.',
  zoneSaved: (zone: string) => `The time zone is ${zone.replaceAll('_', ' ')}.`,
  place: 'Where the home is',
  placeText:
    'For sunrise and sunset. The hub rounds the place to about a kilometer, and only owners and admins can see it.',
  latitude: 'Latitude',
  latitudeHint: 'Degrees north, for example 48.14; south is negative. Maps show both numbers for a place.',
  longitude: 'Longitude',
  longitudeHint: 'Degrees east, for example 11.58; west is negative.',
  placeSaved: 'The hub knows where the sun stands.',
  sunToday: (rise: string | null, set: string | null) =>
    `Today the sun ${rise === null ? 'does not rise' : `rises at ${rise}`} and ${set === null ? 'does not set' : `sets at ${set}`}.`,
  forget: 'Forget the place',
  calendars: 'Calendars',
  calendarsText: 'Dates under a name. A workday is Monday to Friday, without the days of calendars that are free.',
  add: 'New calendar',
  addIt: 'Add calendar',
  name: 'Name',
  dates: 'Dates',
  datesHint: 'One in each line: 12-24 for every year, 2026-05-01 for one year, 12-24..01-06 for several days.',
  free: 'Days off',
  freeNote: 'These days are no workdays.',
  saved: (name: string) => `${name} is saved.`,
  remove: 'Remove calendar',
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeText: 'Its dates are workdays or not as on every other week.',
  upcoming: 'Next days',
  day: (names: readonly string[], isWorkday: boolean) => `${listed(names)} · ${isWorkday ? 'a workday' : 'no workday'}`,
};

/** The words of the place, the clock and the calendars. */
export const p = words('place', en);
