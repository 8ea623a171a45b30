/** The words of the place, the clock and the calendars. */
export { place as p } from '#web/strings/en/place.ts';
