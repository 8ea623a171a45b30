import { anyOf, listed, lengthWords } from '#web/strings/en/grammar.ts';
import { memberWord } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords, numberWords, valueWords } from '#web/strings/value-words.ts';
import type { ReferenceKind } from '#web/client/rule-forms.ts';
import type { Member, NumberUnit, TextLook } from './form.ts';
import { isList, isObject, type Json } from './json.ts';
import { LENGTH, type Look, type Names, referenceOf } from './look.ts';

/** Where a hole stands: the sentence and its member, and what its value is about. */
export type HolePlace = {
  readonly names: Names;
  readonly say: string;
  readonly name: string;
  readonly device: string;
  readonly look: Look | undefined;
};

/** A value as it stands in a sentence, apart from operands and forms, which are sentences themselves. */
export function plainWords(member: Member, value: Json | undefined, place: HolePlace): string {
  if (value === undefined || value === '' || (isList(value) && value.length === 0)) return ruleWords.empty;
  switch (member.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? memberWord(place.say, place.name, String(value)) : jsonWords(value);
    case 'number':
      return typeof value === 'number' ? numberIn(member.unit, value, place.look) : jsonWords(value);
    case 'word':
      return typeof value === 'string' ? memberWord(place.say, place.name, value) : jsonWords(value);
    case 'reference':
      return referenceWords(place, member.to, value);
    case 'text':
      return typeof value === 'string' ? textIn(member.look, value, place) : jsonWords(value);
    case 'value':
      return literalWords(value, place.look);
    case 'list':
      return isList(value) ? listed(value.map((one) => plainWords(member.of, one, place))) : jsonWords(value);
    case 'some':
      return isList(value)
        ? anyOf(value.map((one) => plainWords(member.of, one, place)))
        : plainWords(member.of, value, place);
    default:
      return jsonWords(value);
  }
}

/** A value of a feature, a mode or a variable; a list means any of it. */
export function literalWords(value: Json, look: Look | undefined): string {
  if (value === '*') return ruleWords.anyValue;
  if (isList(value)) return anyOf(value.map((one) => literalWords(one, look)));
  if (look === undefined) return typeof value === 'string' ? enumWords(value) : jsonWords(value);
  if (look.capability === LENGTH && typeof value === 'number') return lengthWords(value);
  const words = valueWords(look, value);
  return typeof value === 'boolean' ? ruleWords.inside(words) : words;
}

function referenceWords({ names, say, name }: HolePlace, to: ReferenceKind, value: Json): string {
  const reference = referenceOf(value);
  const word = memberWord(say, name, reference);
  if (word !== reference) return word;
  const shown = isObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
  return names.nameOf(to, reference) ?? shown ?? ruleWords.gone(reference);
}

function numberIn(unit: NumberUnit, value: number, look: Look | undefined): string {
  switch (unit) {
    case 'seconds':
      return lengthWords(value);
    case 'ms':
      return lengthWords(value / 1000);
    case 'offset':
      return ruleWords.offset(value);
    case 'degrees':
      return `${value}°`;
    default:
      return look === undefined ? String(value) : numberWords(value, look);
  }
}

function textIn(look: TextLook, value: string, { names, device, say, name }: HolePlace): string {
  switch (look) {
    case 'key': {
      const feature = names.feature(device, value);
      return feature === undefined ? ruleWords.inside(enumWords(value)) : ruleWords.inside(feature.name);
    }
    case 'capability': {
      const feature = names.capability(value);
      return feature === undefined ? ruleWords.inside(enumWords(value)) : ruleWords.inside(feature.name);
    }
    case 'action':
      return pageWords.presses[value] === undefined
        ? (names.feature(device, value)?.name ?? value)
        : ruleWords.inside(pageWords.presses[value]);
    case 'clockOrSkip':
      return value === 'skip' ? ruleWords.skip : ruleWords.at(value);
    case 'modeValue':
      return ruleWords.modeValues[value] ?? enumWords(value);
    case 'recipient': {
      const [kind = '', id = ''] = value.split(':');
      return kind === 'role' ? (ruleWords.roles[id] ?? id) : (names.nameOf('person', id) ?? id);
    }
    case 'name':
      return names.nameOf('variable', value) ?? value;
    case 'moment':
      return value.replace('T', ' ').replace(/(?::00)?(?:\.\d+)?Z$/, ' UTC');
    default:
      return memberWord(say, name, value);
  }
}

const MOST_JSON = 60;

export function jsonWords(value: Json): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return text.length > MOST_JSON ? `${text.slice(0, MOST_JSON)}…` : text;
}
