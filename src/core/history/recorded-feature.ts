import type { Feature } from '#core/feature/feature.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { SeriesKind } from './sample.ts';

const COUNTERS: ReadonlySet<Capability> = new Set([
  'energy',
  'energy_returned',
  'water_volume',
  'gas_volume',
  'rainfall',
]);
/** They change with every message and tell nothing of the home. */
const RESTLESS: ReadonlySet<Capability> = new Set(['link_quality', 'last_seen']);

/** What the samples of a feature are; `null` if it has none: settings, lists, objects, and what only shows that it lives. */
export function seriesKindOf({ capability, kind, category, valueType }: Feature): SeriesKind | null {
  if (kind === 'event') return 'event';
  if (kind !== 'state' || category === 'config' || RESTLESS.has(capability)) return null;
  if (valueType === 'number') return COUNTERS.has(capability) ? 'counter' : 'gauge';
  return valueType === 'boolean' || valueType === 'enum' || valueType === 'string' ? 'state' : null;
}

/** Whether a feature is recorded although nobody asked for it. */
export function isRecordedByItself(feature: Feature): boolean {
  const kind = seriesKindOf(feature);
  if (kind === null) return false;
  return feature.category === 'primary' || kind === 'counter' || feature.capability === 'battery';
}
