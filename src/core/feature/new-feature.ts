import type { Feature } from './feature.ts';
import { VOCABULARY, type VocabularyWord } from './vocabulary.ts';

type Details = Partial<Omit<Feature, 'key' | 'capability' | 'component' | 'kind'>>;

/** A feature with a word of the vocabulary. It is writable only where the details say so. */
export function wordFeature(word: VocabularyWord, component: string, details: Details = {}): Feature {
  const { kind, valueType, unit, category } = VOCABULARY[word];
  return {
    ...PLAIN,
    key: keyOf(word, component),
    capability: word,
    component,
    kind,
    category,
    name: titleOf(word),
    valueType,
    readable: kind === 'state',
    unit,
    ...details,
  };
}

/** A feature that the vocabulary has no word for. */
export function ownFeature(name: string, component: string, details: Details & Pick<Feature, 'valueType'>): Feature {
  const capability = `x.${name}` as const;
  return {
    ...PLAIN,
    key: keyOf(capability, component),
    capability,
    component,
    kind: 'state',
    category: details.writable === true ? 'config' : 'diagnostic',
    name: titleOf(name),
    readable: true,
    unit: null,
    ...details,
  };
}

/** Something that can only be set off. */
export function ownAction(name: string, component: string, category: Feature['category'] = 'config'): Feature {
  const details = { valueType: 'none', writable: true, readable: false, category } as const;
  return { ...ownFeature(name, component, details), kind: 'action' };
}

/** A part of a whole. */
export const PERCENT = { valueType: 'number', unit: 'percent', min: 0, max: 100 } as const;

const PLAIN = { description: null, writable: false, min: null, max: null, step: null, options: null, schema: null };

function keyOf(capability: string, component: string): string {
  return component === 'main' ? capability : `${component}.${capability}`;
}

/** `color_temperature` → "Color temperature". */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
