import { hasOwn } from '#web/since-2021.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import type { BodyPart } from '#web/client/rule-forms.ts';
import { BESIDE_CONDITION, CONDITIONS, type Form, formOf, type Member, STEPS, TRIGGERS } from './form.ts';
import { formPieces, type Hole, type Piece, type Voice, wordsOf } from './hole.ts';
import { jsonWords } from './hole-words.ts';
import { inside, isList, isObject, type Json, type JsonObject, type Spot } from './json.ts';
import type { Names } from './look.ts';

/** A trigger, condition or step in words. */
export type Line = {
  readonly pointer: string;
  readonly part: BodyPart;
  /** The type of the trigger, or the word of the condition or step; empty for what the page does not know. */
  readonly word: string;
  /** What its sentence is made from; `null` for what has none. */
  readonly form: Form | null;
  readonly pieces: readonly Piece[];
  readonly bodies: readonly Body[];
};
/** Lines that stand inside another, or at the top. */
export type Body = {
  readonly pointer: string;
  readonly part: BodyPart;
  /** Otherwise it is the one condition that stands there. */
  readonly isList: boolean;
  readonly title: string;
  /** What stands between its lines. */
  readonly joint: 'and' | 'or' | 'then';
  readonly lines: readonly Line[];
};
export type Sentence = Readonly<Record<'triggers' | 'conditions' | 'steps', Body>>;

/** A definition as sentences. It takes any JSON: what it does not know stands there as it is. */
export function sentenceOf(definition: Json, names: Names, isBrief = false): Sentence {
  const given = isObject(definition) ? definition : {};
  const voice = voiceWith(names, isBrief);
  const top = (name: string, part: BodyPart, joint: Body['joint']): Body =>
    listBody(voice, given[name], { pointer: inside('', name), part, title: '', joint });
  return {
    triggers: top('triggers', 'trigger', 'or'),
    conditions: top('conditions', 'condition', 'and'),
    steps: top('steps', 'step', 'then'),
  };
}

export function voiceWith(names: Names, isBrief = false): Voice {
  const voice: Voice = { names, isBrief, conditionWords: (spot) => lineWords(conditionLine(voice, spot)) };
  return voice;
}

type Place = Pick<Body, 'pointer' | 'part' | 'title'> & { readonly joint?: Body['joint'] };

function listBody(voice: Voice, value: Json | undefined, { joint = 'then', ...place }: Place): Body {
  const lines = (isList(value) ? value : []).map((one, index) =>
    lineOf(voice, place.part, { value: one, pointer: inside(place.pointer, index) }),
  );
  return { ...place, isList: true, joint, lines };
}

function oneBody(voice: Voice, { value, pointer }: Spot<Json | undefined>, title: string): Body {
  const lines = value === undefined || value === null ? [] : [conditionLine(voice, { value, pointer })];
  return { pointer, part: 'condition', isList: false, title, joint: 'and', lines };
}

export function lineOf(voice: Voice, part: BodyPart, spot: Spot): Line {
  if (part === 'trigger') return triggerLine(voice, spot);
  return part === 'condition' ? conditionLine(voice, spot) : stepLine(voice, spot);
}

/** Something that the page has no form for: its JSON is one hole. */
function unknownLine(part: BodyPart, { value, pointer }: Spot): Line {
  const words = ruleWords.unknownPart(jsonWords(value));
  const hole: Hole = {
    pointer,
    member: { kind: 'json' },
    value,
    words,
    say: part,
    name: part,
    device: '',
    look: undefined,
  };
  return { pointer, part, word: '', form: null, pieces: [hole], bodies: [] };
}

function triggerLine(voice: Voice, { value, pointer }: Spot): Line {
  const type = isObject(value) && typeof value['type'] === 'string' ? value['type'] : '';
  const form = hasOwn(TRIGGERS, type) ? TRIGGERS[type] : undefined;
  if (form === undefined || !isObject(value)) return unknownLine('trigger', { value, pointer });
  const pieces = formPieces(voice, form, { value, pointer });
  return { pointer, part: 'trigger', word: type, form, pieces, bodies: [] };
}

export function conditionLine(voice: Voice, { value, pointer }: Spot): Line {
  const word = isObject(value) ? conditionWord(value) : undefined;
  const member = CONDITIONS[word ?? ''];
  if (word === undefined || member === undefined || !isObject(value))
    return unknownLine('condition', { value, pointer });
  const at = inside(pointer, word);
  const inner = value[word] ?? null;
  // What stands beside the word, and nothing of what the word has.
  const { [word]: _inner, ...others } = value;
  const beside = formPieces(voice, BESIDE_CONDITION, { value: others, pointer }).map((piece, index) =>
    index === 0 && typeof piece === 'string' ? piece.trimStart() : piece,
  );
  const after = beside.length === 0 ? [] : [' ', ...beside];
  const line = { pointer, part: 'condition' as const, word };
  if (member.kind === 'form') {
    const pieces = [...formPieces(voice, member.form, { value: isObject(inner) ? inner : {}, pointer: at }), ...after];
    return { ...line, form: member.form, pieces, bodies: [] };
  }
  if (member.kind === 'record')
    return {
      ...line,
      form: null,
      pieces: [modesHole(voice, member, { value: inner, pointer: at }), ...after],
      bodies: [],
    };
  if (member.kind === 'body') {
    return {
      ...line,
      form: null,
      pieces: [ruleWords.noneOf, ...after],
      bodies: [oneBody(voice, { value: inner, pointer: at }, '')],
    };
  }
  const joint = word === 'or' ? 'or' : 'and';
  const body = listBody(voice, inner, { pointer: at, part: 'condition', title: '', joint });
  return { ...line, form: null, pieces: [word === 'or' ? ruleWords.oneOf : ruleWords.allOf, ...after], bodies: [body] };
}

/** The word of a condition that says what it is about. */
function conditionWord(node: JsonObject): string | undefined {
  return Object.keys(node).find((name) => hasOwn(CONDITIONS, name));
}

/** The modes of a condition are one hole: a record without a sentence of its own. */
function modesHole(voice: Voice, member: Member, { value, pointer }: Spot): Hole {
  const form = formOf('modes', { modes: member });
  const [hole] = formPieces(voice, form, { value: { modes: value }, pointer });
  if (hole === undefined || typeof hole === 'string') throw new Error('the sentence of modes is one hole');
  return { ...hole, pointer };
}

function stepLine(voice: Voice, { value, pointer }: Spot): Line {
  const word = isObject(value) ? Object.keys(value).find((name) => hasOwn(STEPS, name)) : undefined;
  const member = STEPS[word ?? ''];
  if (word === undefined || member?.kind !== 'form' || !isObject(value)) return unknownLine('step', { value, pointer });
  const inner = isObject(value[word]) ? value[word] : {};
  const at = inside(pointer, word);
  const unknown = Object.keys(value).filter((name) => name !== word && name !== 'id');
  const beside =
    unknown.length === 0 ? [] : formPieces(voice, formOf('', {}), { value: withoutName(value, word), pointer });
  const pieces = [...formPieces(voice, member.form, { value: inner, pointer: at }), ...beside];
  return {
    pointer,
    part: 'step',
    word,
    form: member.form,
    pieces,
    bodies: bodiesOf(voice, word, { value: inner, pointer: at }),
  };
}

function withoutName(value: JsonObject, word: string): JsonObject {
  const { [word]: _inner, ...others } = value;
  return others;
}

function bodiesOf(voice: Voice, word: string, { value: node, pointer: at }: Spot<JsonObject>): readonly Body[] {
  const steps = (name: string, title: string): Body =>
    listBody(voice, node[name], { pointer: inside(at, name), part: 'step', title });
  switch (word) {
    case 'wait_for':
      return 'condition' in node
        ? [oneBody(voice, { value: node['condition'], pointer: inside(at, 'condition') }, ruleWords.groups.until)]
        : [
            listBody(voice, node['triggers'], {
              pointer: inside(at, 'triggers'),
              part: 'trigger',
              title: ruleWords.groups.until,
              joint: 'or',
            }),
          ];
    case 'choose':
      return [
        ...casesOf(voice, node['cases'], inside(at, 'cases')),
        ...('else' in node ? [steps('else', ruleWords.groups.else)] : []),
      ];
    case 'repeat': {
      const ways = [
        ['while', ruleWords.groups.whileIt],
        ['until', ruleWords.groups.untilIt],
      ] as const;
      const conditions = ways.filter(([name]) => name in node);
      return [
        ...conditions.map(([name, title]) => oneBody(voice, { value: node[name], pointer: inside(at, name) }, title)),
        steps('steps', ruleWords.groups.each),
      ];
    }
    case 'parallel': {
      const branches = isList(node['branches']) ? node['branches'] : [];
      return branches.map((branch, index) =>
        listBody(voice, branch, {
          pointer: inside(inside(at, 'branches'), index),
          part: 'step',
          title: ruleWords.groups.branch(index + 1),
        }),
      );
    }
    default:
      return [];
  }
}

function casesOf(voice: Voice, cases: Json | undefined, at: string): readonly Body[] {
  return (isList(cases) ? cases : []).flatMap((one, index) => {
    const own = inside(at, index);
    const node = isObject(one) ? one : {};
    return [
      oneBody(voice, { value: node['if'], pointer: inside(own, 'if') }, ruleWords.groups.if),
      listBody(voice, node['then'], { pointer: inside(own, 'then'), part: 'step', title: ruleWords.groups.then }),
    ];
  });
}

/** One line with all that stands in it, as words. */
export function lineWords(line: Line): string {
  const own = wordsOf(line.pieces);
  if (line.part === 'condition' && line.bodies.length === 1) {
    const [body] = line.bodies;
    const words = body === undefined ? '' : bodyWords(body);
    return line.word === 'not' ? ruleWords.notThat(words) : words;
  }
  const inner = line.bodies.map((body) => `${body.title} ${bodyWords(body)}`.trim());
  return inner.length === 0 ? own : `${own} (${inner.join('; ')})`;
}

function bodyWords({ lines, joint }: Body): string {
  if (lines.length === 0) return ruleWords.nothing;
  const between = joint === 'or' ? ` ${ruleWords.or} ` : joint === 'and' ? ` ${ruleWords.and} ` : ', ';
  return lines.map(lineWords).join(between);
}

/** A whole automation in one sentence. */
export function sentenceWords({ triggers, conditions, steps }: Sentence): string {
  return ruleWords.whole(
    bodyWords(triggers),
    conditions.lines.length === 0 ? '' : bodyWords(conditions),
    bodyWords(steps),
  );
}

/** Where the members of its form stand: those of conditions and steps are below their word. */
export function nodePointer({ part, word, pointer }: Line): string {
  return part === 'trigger' || word === '' ? pointer : inside(pointer, word);
}
