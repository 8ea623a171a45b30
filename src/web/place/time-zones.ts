/** The names of all time zones. Old browsers have no list: they have their own zone and UTC. */
export function zonesOf(): readonly string[] {
  const { supportedValuesOf } = Intl as { readonly supportedValuesOf?: (key: 'timeZone') => string[] };
  return supportedValuesOf?.('timeZone') ?? [ownZone(), 'UTC'];
}

/** The time zone of the browser. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
