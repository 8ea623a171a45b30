import { useEffect, useMemo, useState } from 'preact/hooks';

type Cities = Readonly<Record<string, readonly number[]>>;

/**
 * The names of all time zones: `here`, then those whose clocks show the same now, then all others. They are the
 * browser's, or, as old browsers have no list, those that have a city.
 */
export function useZones(here: string): readonly string[] {
  const { supportedValuesOf } = Intl as { readonly supportedValuesOf?: (key: 'timeZone') => string[] };
  const cities = useCities(supportedValuesOf === undefined);
  return useMemo(() => {
    const all = supportedValuesOf?.('timeZone') ?? Object.keys(cities ?? {}).filter((key) => !key.includes(' '));
    return nearestFirst(['UTC', ...all], here);
  }, [here, cities]);
}

/** Puts a zone and all that show the same time before the others, each once. */
function nearestFirst(zones: readonly string[], here: string): readonly string[] {
  const now = new Date();
  const shown = clockIn(here, now);
  const same = zones.filter((zone) => clockIn(zone, now) === shown);
  return [...new Set([here, ...same, ...zones])];
}

/** The keys of cities where clocks show the same as in a zone: its own first, then the others by name. */
export function citiesNear(cities: Cities, zone: string): readonly string[] {
  const now = new Date();
  const shown = clockIn(zone, now);
  const near = Object.keys(cities).filter((key) => clockIn(key.split(' ')[0] ?? '', now) === shown);
  const byName = near.sort((a, b) => cityOf(a).localeCompare(cityOf(b)));
  return [...new Set([...byName.filter((key) => key === zone || key.startsWith(`${zone} `)), ...byName])];
}

/** `America/Argentina/Buenos_Aires` → `Buenos Aires`, `Europe/Berlin Hamburg` → `Hamburg`. */
export function cityOf(key: string): string {
  const space = key.indexOf(' ');
  return space > 0 ? key.slice(space + 1) : key.slice(key.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

function clockIn(zone: string, now: Date): string | undefined {
  try {
    return now.toLocaleString('en', { timeZone: zone });
  } catch (cause) {
    // An older browser does not know each zone.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** Latitude and longitude of the main city of each time zone, and of others by the zone and their name; `undefined` until they are loaded, or where nobody needs them. */
export function useCities(isNeeded = true): Cities | undefined {
  const [cities, setCities] = useState<Cities>();
  useEffect(() => {
    if (!isNeeded) return;
    import('./zone-places.json').then(
      (loaded) => setCities(loaded.default),
      // What needs the cities is missing then; the rest of the page is not.
      () => setCities({}),
    );
  }, [isNeeded]);
  return cities;
}
