import { useEffect, useState } from 'preact/hooks';
import { ownZone } from '#web/strings/hub-zone.ts';

type Cities = Readonly<Record<string, readonly number[]>>;

/** The names of all time zones: the browser's, or, as old browsers have no list, those that have a city. */
export function useZones(): readonly string[] {
  const { supportedValuesOf } = Intl as { readonly supportedValuesOf?: (key: 'timeZone') => string[] };
  const cities = useCities(supportedValuesOf === undefined);
  return supportedValuesOf?.('timeZone') ?? [...new Set([ownZone(), 'UTC', ...Object.keys(cities ?? {})])];
}

/** Latitude and longitude of the main city of each time zone; `undefined` until they are loaded, or where nobody needs them. */
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
