import * as z from 'zod/mini';
import { DEVICE_TYPES } from '#core/device/device.ts';
import { FEATURE_CATEGORIES, FEATURE_KINDS, UNITS, VALUE_TYPES } from '#core/feature/value-type.ts';
import { VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import type { Route } from '#http/routing/route.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { defineRoute } from '#http/routing/route.ts';

const vocabularySchema = named(
  'Vocabulary',
  z.object({
    capabilities: described(
      'The words for features, by name.',
      z.record(
        z.string(),
        z.object({
          kind: described(
            'A `state` has a value, an `action` is done, an `event` only happens.',
            wordOf('FeatureKind', FEATURE_KINDS),
          ),
          value_type: described('What its values are.', wordOf('ValueType', VALUE_TYPES)),
          unit: described('The one unit that it has everywhere; `null`: none.', z.nullable(z.string())),
          writable: described('Whether commands can set it, where the device lets them.', z.boolean()),
          category: described(
            '`primary`: what people use; `config`: a setting; `diagnostic`: for who looks after the device.',
            wordOf('FeatureCategory', FEATURE_CATEGORIES),
          ),
          history: described(
            'What the hub can record: a measured value (`gauge`), a count that only rises (`counter`), one of a few states (`state`), things that happen (`event`), or nothing.',
            z.enum(['gauge', 'counter', 'state', 'event', 'none']),
          ),
          matter: described('Its name in Matter; `null`: it has none there.', z.nullable(z.string())),
        }),
      ),
    ),
    device_types: described('The words for types of devices.', z.array(wordOf('DeviceType', DEVICE_TYPES))),
    units: described('The words for units.', z.array(z.string())),
  }),
);

/** The words that describe devices. They are the same for every caller, and change only with the version of the hub. */
export function vocabularyRoutes(): readonly Route[] {
  const json: z.infer<typeof vocabularySchema> = {
    capabilities: Object.fromEntries(
      (Object.keys(VOCABULARY) as VocabularyWord[]).map((word) => {
        const { kind, valueType, unit, writable, category, matter } = VOCABULARY[word];
        const history = seriesKindOf({ capability: word, kind, category, valueType }) ?? 'none';
        return [word, { kind, value_type: valueType, unit, writable, category, history, matter }];
      }),
    ),
    device_types: [...DEVICE_TYPES],
    units: [...UNITS],
  };
  return [
    defineRoute({
      id: 'getVocabulary',
      method: 'GET',
      path: '/api/v1/vocabulary',
      summary: 'Show the capabilities, device types and units',
      tag: 'Reference',
      access: 'device:read',
      answers: { 200: vocabularySchema },
      handle: () => ({ status: 200, json }),
    }),
  ];
}
