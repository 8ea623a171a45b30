import type { Feature } from '#core/feature/feature.ts';
import { isVocabularyWord, VOCABULARY } from '#core/feature/vocabulary.ts';
import type { SeriesKind } from './sample.ts';

type Described = Pick<Feature, 'capability' | 'kind' | 'category' | 'valueType'>;

/**
 * Tells the kind of samples that a feature has; `null` if it has none: settings, lists, objects, and what only shows
 * that it lives.
 */
export function seriesKindOf({ capability, kind, category, valueType }: Described): SeriesKind | null {
  if (kind === 'event') return 'event';
  const history = isVocabularyWord(capability) ? VOCABULARY[capability].history : 'by_type';
  if (kind !== 'state' || category === 'config' || history === 'none') return null;
  if (valueType === 'number') return history === 'counter' ? 'counter' : 'gauge';
  return valueType === 'boolean' || valueType === 'enum' || valueType === 'string' ? 'state' : null;
}

/** Whether a feature is recorded although nobody asked for it. */
export function isRecordedByItself(feature: Described): boolean {
  const kind = seriesKindOf(feature);
  if (kind === null) return false;
  return feature.category === 'primary' || kind === 'counter' || feature.capability === 'battery';
}
