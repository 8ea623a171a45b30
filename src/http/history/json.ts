import * as z from 'zod/mini';
import { GAP_REASONS } from '#core/past/history/sample.ts';
import { deviceReferenceSchema } from '#http/device/json.ts';
import { timeSchema } from '#http/answer/time-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';

const historyGapSchema = named(
  'HistoryGap',
  z.object({
    from: described('From when on nothing is known.', timeSchema),
    to: described('Until when.', timeSchema),
    reason: described('Why nothing is known.', z.enum(GAP_REASONS)),
    from_uncertain: described('It may have begun later: the hub did not see when.', z.boolean()),
  }),
);

const historySeriesSchema = named(
  'HistorySeries',
  z.object({
    series: described('The selector of the device and the key of the feature, or such as `mode/home`.', z.string()),
    device: described('`null` of a mode, a variable or a person.', z.nullable(deviceReferenceSchema)),
    key: z.string(),
    kind: described(
      '`gauge`: a measured value; `counter`: it only rises; `state`: one of a few; `event`: it happens.',
      wordOf('SeriesKind', ['gauge', 'counter', 'state', 'event']),
    ),
    unit: z.nullable(z.string()),
    tier: described(
      'What the rows were made of: `raw` from samples alone, `hour` also from what is kept of each hour for ever.',
      z.enum(['raw', 'hour']),
    ),
    samples_from: described(
      'The samples before this time are removed; `null` if the range begins later. Of points before it, each stands for an hour: its mean, the state that held longest, or the greatest reading of a counter. Buckets shorter than an hour know nothing of that time.',
      z.nullable(timeSchema),
    ),
    resolution: described('As asked for: `raw`, `points`, or the length of time of a row such as `1h`.', z.string()),
    columns: described('The names of the values in each row.', z.array(z.string())),
    rows: described(
      'A value holds until the next row, unless a gap begins before. Of buckets: a value is `null` where nothing is known in the bucket. `mean` is weighted by time; `seconds` says how long each value held, `counts` how often each thing happened; `in_gap` counts what a counter counted while the hub did not hear it, or in the first day of a new meter. `increase` is negative where it takes back what a meter showed too much before. A rise that no home makes, of more than 30 kWh or m³ in an hour, counts once a second reading confirms it.',
      z.array(z.array(z.unknown())),
    ),
    before: described(
      'Time and value of the sample that held when the range began; `null` if none was known.',
      z.nullable(z.array(z.unknown())),
    ),
    gaps: described(
      'When nothing was known, and why. `from_uncertain`: it may have begun later or earlier, as after a power cut.',
      z.array(historyGapSchema),
    ),
    thinned: described(
      'Changes were left out within the range, or up to an hour before it: the feature reports too fast, or a person set an interval or a deadband.',
      z.boolean(),
    ),
    summary: described(
      'The whole time in one row.',
      z.object({
        min: described('The least value; `null`: none is known, or it is no number.', z.nullable(z.number())),
        max: described('The greatest value; `null`: none is known, or it is no number.', z.nullable(z.number())),
        mean: described('The mean over the time in which it was known; `null`: none.', z.nullable(z.number())),
        known_s: described('Seconds in which the value was known.', z.number()),
        changes: described('How many times it changed.', z.int()),
      }),
    ),
  }),
);

export const historySchema = named(
  'HistoryAnswer',
  z.object({
    from: described('The beginning of the time.', timeSchema),
    to: described('The end of the time.', timeSchema),
    time_zone: z.string(),
    next: described('The `cursor` of the rest; `null` if this is all.', z.nullable(z.string())),
    series: described('One for each that was asked for.', z.array(historySeriesSchema)),
  }),
);
