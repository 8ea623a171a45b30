import { neat } from '#core/feature/measure.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import {
  numberFrom,
  numberIn,
  type Part,
  type Place,
  reading,
  wordOf,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

const QUALITIES = wordsFrom({
  0: 'unknown',
  1: 'good',
  2: 'fair',
  3: 'moderate',
  4: 'poor',
  5: 'very_poor',
  6: 'extremely_poor',
});
const LEVELS = wordsFrom({ 0: 'unknown', 1: 'low', 2: 'medium', 3: 'high', 4: 'critical' });

const CONCENTRATIONS: readonly (readonly [cluster: string, word: VocabularyWord])[] = [
  ['carbonDioxideConcentrationMeasurement', 'co2'],
  ['carbonMonoxideConcentrationMeasurement', 'co'],
  ['totalVolatileOrganicCompoundsConcentrationMeasurement', 'tvoc'],
  ['formaldehydeConcentrationMeasurement', 'formaldehyde'],
  ['pm1ConcentrationMeasurement', 'pm1'],
  ['pm25ConcentrationMeasurement', 'pm25'],
  ['pm10ConcentrationMeasurement', 'pm10'],
  ['nitrogenDioxideConcentrationMeasurement', 'no2'],
  ['ozoneConcentrationMeasurement', 'ozone'],
  ['radonConcentrationMeasurement', 'radon'],
];

type Unit = { readonly unit: string; readonly dimension: 'share' | 'mass' | 'count' | 'decay'; readonly size: number };
/** By `measurementUnit`. What has another dimension than the word is not converted: that would take a guess. */
const UNITS: readonly Unit[] = [
  { unit: 'ppm', dimension: 'share', size: 1e-6 },
  { unit: 'ppb', dimension: 'share', size: 1e-9 },
  { unit: 'ppt', dimension: 'share', size: 1e-12 },
  { unit: 'mg/m3', dimension: 'mass', size: 1e-3 },
  { unit: 'ug/m3', dimension: 'mass', size: 1e-6 },
  { unit: 'ng/m3', dimension: 'mass', size: 1e-9 },
  { unit: '1/m3', dimension: 'count', size: 1 },
  { unit: 'Bq/m3', dimension: 'decay', size: 1 },
];
const IN_AIR = 0;
const MOST = 1e9;

/** How good the air is, and what is in it. */
export function airSources(part: Part): void {
  const quality = 'airQuality.airQuality';
  if (part.has(quality)) {
    const feature = wordFeature('air_quality', part.component, { options: [...QUALITIES.values()] });
    part.add(
      reading(feature, quality, (value) => wordOf(QUALITIES, value)),
      quality,
    );
  }
  for (const [cluster, word] of CONCENTRATIONS) if (part.hasCluster(cluster)) addConcentration(part, cluster, word);
}

function addConcentration(part: Part, cluster: string, word: VocabularyWord): void {
  const unit = UNITS[numberFrom(part.find(`${cluster}.measurementUnit`)) ?? -1];
  const wanted = UNITS.find((one) => one.unit === VOCABULARY[word].unit);
  const medium = numberFrom(part.find(`${cluster}.measurementMedium`)) ?? IN_AIR;
  const fits = unit !== undefined && unit.dimension === wanted?.dimension && medium === IN_AIR;
  const factor = fits ? unit.size / wanted.size : 1;
  const values = [
    ['measuredValue', ''],
    ['peakMeasuredValue', '_peak'],
    ['averageMeasuredValue', '_average'],
  ] as const;
  for (const [attribute, suffix] of values) {
    const place: Place = `${cluster}.${attribute}`;
    if (!part.has(place)) continue;
    const isMain = suffix === '';
    const shownUnit = fits ? wanted.unit : (unit?.unit ?? null);
    const details = {
      valueType: 'number',
      unit: shownUnit,
      category: isMain ? 'primary' : 'diagnostic',
    } as const;
    const feature =
      fits && isMain
        ? wordFeature(word, part.component)
        : ownFeature(`${word}${suffix || '_concentration'}`, part.component, details);
    const [min, max] = isMain ? rangeOf(part, cluster) : [0, MOST];
    part.add(
      reading(feature, place, (value) => {
        const number = numberIn(value, [min, max]);
        return number === undefined ? undefined : neat(number * factor);
      }),
      place,
    );
  }
  part.hide(
    ...(['measurementUnit', 'measurementMedium', 'minMeasuredValue', 'maxMeasuredValue'] as const).map(
      (name): Place => `${cluster}.${name}`,
    ),
  );
  const level: Place = `${cluster}.levelValue`;
  if (!part.has(level)) return;
  const details = { valueType: 'enum', category: 'primary', options: [...LEVELS.values()] } as const;
  part.add(
    reading(ownFeature(`${word}_level`, part.component, details), level, (value) => wordOf(LEVELS, value)),
    level,
  );
}

function rangeOf(part: Part, cluster: string): readonly [number, number] {
  const min = numberIn(part.find(`${cluster}.minMeasuredValue`), [0, MOST]) ?? 0;
  const max = numberIn(part.find(`${cluster}.maxMeasuredValue`), [0, MOST]) ?? MOST;
  return min < max ? [min, max] : [0, MOST];
}
