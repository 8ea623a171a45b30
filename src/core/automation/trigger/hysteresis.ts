import { isVocabularyWord, VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import type { Unit } from '#core/feature/value-type.ts';

/** How far sensors waver around a value: so much, or so much of the limit. */
type Wavering = { readonly by: number } | { readonly share: number };

const OF_UNIT: Readonly<Partial<Record<Unit, Wavering>>> = {
  celsius: { by: 0.3 },
  hPa: { by: 0.5 },
  lx: { share: 0.1 },
  ppm: { share: 0.05 },
  ppb: { share: 0.05 },
  'ug/m3': { share: 0.1 },
  'mg/m3': { share: 0.1 },
  W: { share: 0.05 },
  VA: { share: 0.05 },
  A: { share: 0.05 },
  V: { share: 0.01 },
  dB: { by: 2 },
  'm/s': { share: 0.1 },
};
/** Other percentages are what somebody set, and do not waver. */
const OF_WORD: Readonly<Partial<Record<VocabularyWord, Wavering>>> = {
  humidity: { by: 2 },
  soil_moisture: { by: 2 },
  battery: { by: 2 },
  target_temperature: { by: 0 },
  target_temperature_cool: { by: 0 },
  away_target_temperature: { by: 0 },
};

/** By how much a value must come back before a limit counts as crossed again, where the trigger does not say it. */
export function usualHysteresis(key: string, limit: unknown): number {
  const word = key.split('.').find(isVocabularyWord);
  if (word === undefined) return 0;
  const wavering = OF_WORD[word] ?? OF_UNIT[VOCABULARY[word].unit ?? ''];
  if (wavering === undefined) return 0;
  if ('by' in wavering) return wavering.by;
  return typeof limit === 'number' ? Math.abs(limit) * wavering.share : 0;
}
