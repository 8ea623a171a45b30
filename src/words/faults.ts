import { faultTexts } from '#words/en/faults.ts';
import { filled, type HolesOf, type Values, type Wording } from './texts.ts';

type Texts = typeof faultTexts;
type ValuesOf<Text> = [HolesOf<Text>] extends [never] ? readonly [] : readonly [values: Values<HolesOf<Text>>];

/** The ids of texts without holes. */
export type PlainFault = { [Id in keyof Texts]: [HolesOf<Texts[Id]>] extends [never] ? Id : never }[keyof Texts];

const NOTHING: Values = {};

/** The English, and the id with its values. */
export type FaultWords = readonly [message: string, reason: Wording];

/** Says what is wrong with a field, in English, and by its id for readers of any language. */
export function faultWords<Id extends keyof Texts>(id: Id, ...[values = NOTHING]: ValuesOf<Texts[Id]>): FaultWords {
  const filling: Values = values;
  return [filled(faultTexts[id], filling), { id, with: filling }];
}

/** A value that may be one of these is another. */
export function notOneOf(values: readonly string[]): FaultWords {
  return faultWords('one_of', { values: values.join(', ') });
}
