/** The time of the home in which the judge renders. */
export const BERLIN = { nowMs: (): number => 1_763_728_496_000, zoneOffset: berlinOffset };

const berlin = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' });

function berlinOffset(epochMs: number): number {
  const found = /GMT([+-])(\d\d):(\d\d)/.exec(berlin.format(epochMs));
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === '-' ? -minutes : minutes;
}
