import { hasOwn } from '#web/since-2021.ts';
import { filled, type Values, type Wording } from '#words/texts.ts';
import type { HubWords, RefusalTexts, WithFeatures } from './hub-words.ts';

type Words = Readonly<Record<string, string>>;

/** A language has these for the codes and names of the hub. */
type HubTables = {
  /** By what a feature can do: `color_temperature`. The hub makes its name from that. */
  readonly features: Words;
  /** Words of enumerations. */
  readonly values: Words;
  readonly problems: Words;
  readonly faults: Words;
};

/** A language's words for the codes of the hub. */
export function createHubWords({ features, values, problems, faults }: HubTables): HubWords {
  let said: RefusalTexts = { reasons: {}, limits: {} };
  /** `Button 2`: the number stays. A name that a device or a person gave has no words here. */
  const feature = (name: string): string => {
    const [, word = '', number = ''] = /^(.*?)((?: \d+)?)$/s.exec(name) ?? [];
    const known = ownWord(features, word.toLowerCase().replaceAll(' ', '_'));
    return known === undefined ? name : `${known}${number}`;
  };
  const withLimit = (words: string | undefined, reason: Wording | undefined): string | undefined => {
    if (words === undefined || reason === undefined) return words;
    const limit = ownWord(said.limits, reason.id);
    if (limit === undefined) return words;
    return `${words} ${filled(limit, withCommas(reason.with))}`;
  };
  return {
    problem: (code, reason) => withLimit(ownWord(problems, code), reason),
    fault: (code, reason) => {
      const words = reason && ownWord(said.reasons, reason.id);
      return words === undefined
        ? withLimit(ownWord(faults, code), reason)
        : filled(words, withCommas(reason?.with ?? {}));
    },
    learn: (texts) => void (said = texts),
    value: (value) => ownWord(values, value),
    device: <Device extends WithFeatures>(device: Device): Device => ({
      ...device,
      features: device.features.map((one) => ({ ...one, name: feature(one.name) })),
    }),
  };
}

/** All languages but English write `0,5`. */
function withCommas(values: Values): Values {
  const inWords = (value: string | number) => (typeof value === 'number' ? String(value).replace('.', ',') : value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inWords(value)]));
}

/** Some words come from people: `constructor` is none of a table's. */
export function ownWord(table: Words, key: string): string | undefined {
  return hasOwn(table, key) ? table[key] : undefined;
}
