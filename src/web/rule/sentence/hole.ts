import { hasOwn } from '#web/since-2021.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { ruleJoins as joins, ruleSays, ruleVerbs as verbs } from '#web/strings/en/rule/sentences.ts';
import { type Form, type Member, OPERATIONS, TRIGGERS } from './form.ts';
import { type HolePlace, jsonWords, literalWords, plainWords } from './hole-words.ts';
import { inside, isList, isObject, type Json, type JsonObject, memberOf, type Spot } from './json.ts';
import { DEGREES, deviceOf, type Look, lookOf, type Names, SECONDS, settingLook } from './look.ts';
import { partsOf, tidied, usualOf } from './template.ts';

/** The sentences, by the parts of automations. */
const says: Readonly<Record<string, string>> = ruleSays;

/** A place of the sentence that can be filled in: where it is in the document, what it takes, and what it has. */
export type Hole = {
  readonly pointer: string;
  readonly member: Member;
  /** `undefined` where something has to be filled in. */
  readonly value: Json | undefined;
  readonly words: string;
  /** The key of the sentence around it, and the name of its member there. */
  readonly say: string;
  readonly name: string;
  readonly device: string;
  readonly look: Look | undefined;
  /** Another value that its words say too: the key of the feature. */
  readonly key?: string;
};
export type Piece = string | Hole;

/** Makes the words of a condition for operations that have one: it is given, because conditions have operands. */
export type Voice = {
  readonly names: Names;
  /** It leaves out what holds in rare cases. */
  readonly isBrief: boolean;
  readonly conditionWords: (spot: Spot) => string;
};
export function wordsOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.words)).join('');
}

/** The pieces of a form: its members in the order of its sentence, then those that the page does not know. */
export function formPieces(voice: Voice, form: Form, { value, pointer }: Spot<JsonObject>): readonly Piece[] {
  const { say, members, required, one, some } = form;
  const node = voice.isBrief ? usualOf(value) : value;
  const at: NodePlace = { voice, say, node, pointer, device: deviceOf(node), look: lookOf(voice.names, node) };
  const first = [...one, some].filter((names) => names.length > 0 && !names.some((name) => name in node));
  const needed = new Set([...required, ...first.map(([name]) => name)]);
  const extra = extraPieces(at);
  const has = (name: string): boolean => name in node || name in extra || needed.has(name);
  const said = partsOf(says[say] ?? '', has).flatMap((part): readonly Piece[] => {
    if (typeof part === 'string') return [part];
    const own = extra[part.name];
    if (own !== undefined) return own === '' ? [] : [own];
    const member = members[part.name];
    return member === undefined ? [] : memberPieces(at, part.name, member);
  });
  const pieces = tidied(said);
  return [...pieces, ...leftPieces(at, members, pieces)];
}

type NodePlace = {
  readonly voice: Voice;
  readonly say: string;
  readonly node: JsonObject;
  readonly pointer: string;
  readonly device: string;
  readonly look: Look | undefined;
};

function memberPieces(at: NodePlace, name: string, member: Member): readonly Piece[] {
  const { voice, node, pointer } = at;
  const value = node[name];
  const own = inside(pointer, name);
  if (member.kind === 'form')
    return formPieces(voice, member.form, { value: isObject(value) ? value : {}, pointer: own });
  if (member.kind === 'either') {
    return isObject(value)
      ? formPieces(voice, member.form, { value, pointer: own })
      : memberPieces(at, name, member.other);
  }
  return [holeOf(at, name, member)];
}

function holeOf(at: NodePlace, name: string, member: Member): Hole {
  const { voice, say, node, pointer, device } = at;
  const value = node[name];
  const place: HolePlace = { names: voice.names, say, name, device, look: at.look };
  const words = valueWordsOf(voice, member, { value, pointer: inside(pointer, name), node, place });
  const look = member.kind === 'operand' ? unitOf(place) : at.look;
  return { pointer: inside(pointer, name), member, value, words, say, name, device, look };
}

type Given = {
  readonly value: Json | undefined;
  readonly pointer: string;
  readonly node: JsonObject;
  readonly place: HolePlace;
};

function valueWordsOf(voice: Voice, member: Member, { value, pointer, node, place }: Given): string {
  if (value === undefined) return ruleWords.empty;
  const { names } = voice;
  switch (member.kind) {
    case 'operand':
      return operandWords(voice, { value, pointer }, unitOf(place));
    case 'tuple':
      return isList(value)
        ? listed(
            value.map((one, index) => operandWords(voice, { value: one, pointer: inside(pointer, index) }, place.look)),
          )
        : jsonWords(value);
    case 'record': {
      if (!isObject(value)) return jsonWords(value);
      const words = Object.entries(value).map(([key, one]) => {
        const own = inside(pointer, key);
        if (member.look === 'modes') return modeWords(names, key, one);
        if (member.look === 'operands')
          return ruleWords.setting(key, operandWords(voice, { value: one, pointer: own }, undefined));
        return settingWords(voice, settingLook(names, node, key), { key, value: one, pointer: own });
      });
      return words.length === 0 ? ruleWords.empty : listed(words);
    }
    case 'list':
      return isList(value) && member.of.kind === 'operand'
        ? listed(
            value.map((one, index) => operandWords(voice, { value: one, pointer: inside(pointer, index) }, undefined)),
          )
        : plainWords(member, value, place);
    default:
      return plainWords(member, value, place);
  }
}

/** Gives the unit that the operands of some members count, which no feature says. */
function unitOf({ say, name, look }: HolePlace): Look | undefined {
  if (say === 'step.delay' && name === 's') return SECONDS;
  return say === 'condition.sun' ? DEGREES : look;
}

function modeWords(names: Names, key: string, value: Json): string {
  if (key === 'home') return ruleWords.homeModeIs(literalWords(value, names.mode(key)));
  return ruleWords.modeIs(names.nameOf('mode', key) ?? key, literalWords(value, names.mode(key)));
}

type Setting = { readonly key: string; readonly value: Json; readonly pointer: string };

function settingWords(voice: Voice, look: Look | undefined, { key, value, pointer }: Setting): string {
  const words = operandWords(voice, { value, pointer }, look);
  if (look?.capability === 'on') return words;
  return ruleWords.setting(ruleWords.inside(look?.name ?? key), words);
}

/** Words that two members make together: `sees motion`, `turn on`. An empty text takes the place of what they say. */
function extraPieces({ voice, say, node, pointer, device, look }: NodePlace): Readonly<Record<string, Hole | ''>> {
  const hole = (name: string, member: Member, words: string): Hole => {
    const own = inside(pointer, name);
    return { pointer: own, member, value: node[name], words, say, name, device, look };
  };
  if (say === 'trigger.sun' && !('offset_s' in node)) {
    const moment = typeof node['event'] === 'string' ? ruleWords.sunMoments[node['event']] : undefined;
    const event = TRIGGERS['sun']?.members['event'];
    return moment === undefined || event === undefined ? {} : { moment: hole('event', event, moment) };
  }
  const isTrigger = say === 'trigger.feature';
  const wanted = isTrigger ? node['to'] : node['is'];
  const verb = verbs[look?.capability ?? ''];
  if ((isTrigger || say === 'condition.feature') && typeof wanted === 'boolean' && verb && !('from' in node)) {
    const does = verb[(isTrigger ? 0 : 2) + (wanted ? 0 : 1)] ?? '';
    const member: Member = { kind: isTrigger ? 'value' : 'operand' };
    return { does: { ...hole(isTrigger ? 'to' : 'is', member, does), key: inside(pointer, 'key') }, said: '' };
  }
  const { set } = node;
  if (say !== 'step.command' || !isObject(set)) return {};
  const doneTo = (key: string): string | undefined =>
    verbOf(settingLook(voice.names, node, key)?.capability, set[key] ?? null);
  const done = Object.keys(set).find((key) => doneTo(key) !== undefined);
  if (done === undefined) return {};
  const member: Member = { kind: 'record', of: { kind: 'operand' }, look: 'settings' };
  const turn = hole('set', member, doneTo(done) ?? '');
  const others = Object.entries(set).filter(([key]) => key !== done);
  if (others.length === 0) return { turn };
  const words = others.map(([key, value]) =>
    settingWords(voice, settingLook(voice.names, node, key), {
      key,
      value,
      pointer: inside(inside(pointer, 'set'), key),
    }),
  );
  return { turn, rest: hole('set', member, listed(words)) };
}

/** The verb of a value that is done rather than set: turned on, locked, opened. */
function verbOf(capability: string | undefined, value: Json): string | undefined {
  const [yes, no] = ruleWords.does[capability ?? ''] ?? [];
  if (capability === 'position') return value === 100 ? yes : value === 0 ? no : undefined;
  return typeof value !== 'boolean' ? undefined : value ? yes : no;
}

/** Makes pieces of what the sentence has no place for, and of members that the page does not know. */
function leftPieces(at: NodePlace, members: Form['members'], pieces: readonly Piece[]): readonly Piece[] {
  const { say, node, pointer, device } = at;
  const isSaid = (own: string): boolean =>
    pieces.some(
      (piece) => typeof piece !== 'string' && (`${piece.pointer}/`.startsWith(`${own}/`) || piece.key === own),
    );
  return Object.keys(node).flatMap((name): readonly Piece[] => {
    const own = inside(pointer, name);
    const member = members[name];
    if (isSaid(own) || (member === undefined && (name === 'id' || name === 'type'))) return [];
    if (member !== undefined) {
      const isBelow = isBody(member) || (member.kind === 'list' && member.of.kind === 'form');
      return isBelow ? [] : [`, ${memberLabel(say, name)}: `, ...memberPieces(at, name, member)];
    }
    const value = node[name] ?? null;
    const words = ruleWords.setting(name, jsonWords(value));
    return [', ', { pointer: own, member: { kind: 'json' }, value, words, say, name, device, look: undefined }];
  });
}

/** Whether it is lines below the sentence. */
function isBody(member: Member): boolean {
  return member.kind === 'body' || (member.kind === 'list' && isBody(member.of));
}

function operandWords(voice: Voice, spot: Spot, look: Look | undefined): string {
  return wordsOf(operandPieces(voice, spot, look));
}

/** The one word of an operation; `undefined` for a plain value. */
export function operationOf(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const [word = '', second] = Object.keys(value);
  return second === undefined && hasOwn(OPERATIONS, word) ? word : undefined;
}

/** A value of a sentence, or how it comes about. A plain value is words alone. */
function operandPieces(voice: Voice, { value, pointer }: Spot, look: Look | undefined): readonly Piece[] {
  const word = operationOf(value);
  if (word === undefined || !isObject(value)) return [literalWords(value, look)];
  const inner = value[word] ?? null;
  const at = inside(pointer, word);
  const member = OPERATIONS[word];
  const place = { names: voice.names, say: 'operand', name: word, device: '', look };
  const hole = (name: string | number, own: Member, words: string): Hole => ({
    pointer: name === '' ? at : inside(at, name),
    member: own,
    value: name === '' ? inner : memberOf(inner, String(name)),
    words,
    say: `operand.${word}`,
    name: name === '' ? word : String(name),
    device: '',
    look,
  });
  if (member?.kind === 'form')
    return formPieces(voice, member.form, { value: isObject(inner) ? inner : {}, pointer: at });
  if (member?.kind === 'tuple' && isList(inner)) {
    const parts = partsOf(says[`operand.${word}`] ?? '', () => true);
    return parts.map((part) => {
      if (typeof part === 'string') return part;
      const own = member.of[Number(part.name)] ?? OPERAND;
      const spot = { value: inner[Number(part.name)] ?? null, pointer: inside(at, part.name) };
      const words =
        own.kind === 'body'
          ? voice.conditionWords(spot)
          : operandWords(voice, spot, own.kind === 'operand' ? look : undefined);
      return hole(part.name, own, words);
    });
  }
  if (member?.kind === 'list' && isList(inner)) {
    const [before, between] = joins[word] ?? ['', ', '];
    return inner.flatMap((one, index) => [
      index === 0 ? before : between,
      hole(index, OPERAND, operandWords(voice, { value: one, pointer: inside(at, index) }, look)),
    ]);
  }
  return [hole('', member ?? JSON_MEMBER, singleWords(word, inner, place))];
}

const OPERAND: Member = { kind: 'operand' };
const JSON_MEMBER: Member = { kind: 'json' };

function singleWords(word: string, value: Json, { names, look }: HolePlace): string {
  if (typeof value !== 'string') return literalWords(value, look);
  switch (word) {
    case 'trigger':
      return value.startsWith('/') ? ruleWords.fromBody(value) : (ruleWords.facts[value] ?? value);
    case 'variable':
      return names.nameOf('variable', value) ?? ruleWords.ownVariable(value);
    case 'sun':
      return ruleWords.sunHeight;
    default:
      return literalWords(value, look);
  }
}
