import { expect, test } from 'vitest';
import type { Shape } from '#core/automation/document/shape.ts';
import { DEFINITION_SHAPE, PART_SHAPES } from '#core/automation/document/shapes.ts';
import { BESIDE_CONDITION, CONDITIONS, OPERATIONS } from '#web/rule/sentence/condition-forms.ts';
import type { Form, Member } from '#web/rule/sentence/form.ts';
import { DEFINITION, STEPS_BY_WORD } from '#web/rule/sentence/step-forms.ts';
import { membersOf } from '#web/rule/sentence/template.ts';
import { TRIGGERS } from '#web/rule/sentence/trigger-forms.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { ruleJoins as joins, ruleSays } from '#web/strings/en/rule/sentences.ts';
import { ruleWords } from '#web/strings/en/rule/members.ts';

const says: Readonly<Record<string, string>> = ruleSays;

// The page brings its own tables, because it takes no code of the hub. These tests hold them against the hub's.

type Plain = null | string | number | boolean | readonly Plain[] | { readonly [name: string]: Plain };

function ofShape(shape: Shape): Plain {
  switch (shape.kind) {
    case 'boolean':
    case 'json':
      return shape.kind;
    case 'number':
      return ['number', shape.min, shape.max, shape.isWhole === true];
    case 'text':
      return ['text', shape.max];
    case 'word':
      return ['word', ...shape.words];
    case 'reference':
      return ['reference', shape.to, ...(shape.words ?? [])];
    case 'list':
      return ['list', ofShape(shape.of), shape.min ?? 0, shape.max];
    case 'record':
      return ['record', ofShape(shape.of), shape.max];
    case 'tuple':
      return ['tuple', ...shape.of.map(ofShape)];
    case 'object':
      return {
        members: Object.fromEntries(Object.entries(shape.members).map(([name, one]) => [name, ofShape(one)])),
        required: shape.required ?? [],
        one: shape.one ?? [],
        some: shape.some ?? [],
      };
    case 'oneOrList':
      return ['some', ofShape(shape.of), shape.max];
    case 'objectOr':
      return ['either', ofShape(shape.object), ofShape(shape.other)];
    case 'part':
      return shape.part;
    default:
      throw new Error(`a ${shape.kind} stands only at the top`);
  }
}

function ofMember(member: Member): Plain {
  switch (member.kind) {
    case 'boolean':
    case 'json':
      return member.kind;
    case 'value':
      return 'json';
    case 'operand':
      return 'operand';
    case 'body':
      return member.part;
    case 'number':
      return ['number', member.min, member.max, member.isWhole];
    case 'text':
      return ['text', member.max];
    case 'word':
      return ['word', ...member.words];
    case 'reference':
      return ['reference', member.to, ...member.words];
    case 'list':
      return ['list', ofMember(member.of), member.min, member.max];
    case 'some':
      return ['some', ofMember(member.of), member.max];
    case 'tuple':
      return ['tuple', ...member.of.map(ofMember)];
    case 'record':
      return ['record', ofMember(member.of), member.max];
    case 'form':
      return ofForm(member.form);
    default:
      return ['either', ofForm(member.form), ofMember(member.other)];
  }
}

function ofForm({ members, required, one, some }: Form): Plain {
  return {
    members: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, ofMember(member)])),
    required,
    one,
    some,
  };
}

/** Lists of triggers, conditions and steps may be empty in the middle of a document; the page does not say so. */
function withLists(plain: Plain): Plain {
  if (Array.isArray(plain)) {
    const list = plain as readonly Plain[];
    const isBodies = list[0] === 'list' && ['trigger', 'condition', 'step'].includes(list[1] as string);
    return isBodies ? ['bodies', list[1] ?? null, list[3] ?? null] : list.map(withLists);
  }
  if (typeof plain !== 'object' || plain === null) return plain;
  return Object.fromEntries(Object.entries(plain).map(([name, one]) => [name, withLists(one)]));
}

const { trigger, condition, step, operand } = PART_SHAPES;
const wordsOfShape = (shape: Shape): Readonly<Record<string, Shape>> => (shape.kind === 'worded' ? shape.words : {});
const rowsOf = (words: Readonly<Record<string, Shape>>, members: Readonly<Record<string, Member>>) =>
  [...new Set([...Object.keys(words), ...Object.keys(members)])].map(
    (word) => [word, words[word], members[word]] as const,
  );

test.each([
  ...rowsOf(wordsOfShape(condition), CONDITIONS),
  ...rowsOf(wordsOfShape(step), STEPS_BY_WORD),
  ...rowsOf(operand.words, OPERATIONS),
])('the page has the form of “%s”', (_word, shape, member) => {
  expect(member && withLists(ofMember(member))).toEqual(shape && withLists(ofShape(shape)));
});

test('the page has the form of each trigger', () => {
  const types = trigger.kind === 'typed' ? trigger.types : {};
  expect(Object.keys(TRIGGERS).sort()).toEqual(Object.keys(types).sort());
  const ofHub = Object.entries(types).map(([type, shape]) => {
    const { id: _id, type: _type, ...members } = shape.members;
    const required = (shape.required ?? []).filter((name) => name !== 'type');
    return [type, withLists(ofShape({ ...shape, members, required }))] as const;
  });
  const ofPage = Object.entries(TRIGGERS).map(([type, form]) => [type, withLists(ofForm(form))] as const);
  expect(Object.fromEntries(ofPage)).toEqual(Object.fromEntries(ofHub));
});

test('the page has the form of what is beside them', () => {
  const beside = condition.kind === 'worded' ? condition.beside : {};
  expect(Object.keys(BESIDE_CONDITION)).toEqual(Object.keys(beside));
  expect(withLists(ofForm(DEFINITION))).toEqual(withLists(ofShape(DEFINITION_SHAPE)));
});

function formsIn(member: Member): readonly Form[] {
  switch (member.kind) {
    case 'form':
      return [member.form, ...membersIn(member.form)];
    case 'either':
      return [member.form, ...membersIn(member.form), ...formsIn(member.other)];
    case 'list':
    case 'some':
      return formsIn(member.of);
    default:
      return [];
  }
}
const membersIn = (form: Form): readonly Form[] => Object.values(form.members).flatMap(formsIn);
const FORMS = [
  ...Object.values(TRIGGERS).flatMap((form) => [form, ...membersIn(form)]),
  ...[...Object.values(CONDITIONS), ...Object.values(STEPS_BY_WORD), ...Object.values(OPERATIONS)].flatMap(formsIn),
];
/** Bodies are lines of their own below the sentence. */
const isSaid = (member: Member): boolean =>
  member.kind !== 'body' &&
  !(member.kind === 'list' && !isSaid(member.of)) &&
  !(member.kind === 'list' && formsIn(member).length > 0);

test.each(FORMS.filter(({ say }) => say !== 'case').map((form) => [form.say, form] as const))(
  'the sentence of %s has a place for each of its members, and no other',
  (say, { members }) => {
    const wanted = Object.keys(members).filter((name) => isSaid(members[name] ?? { kind: 'json' }));
    const said = new Set(membersOf(says[say] ?? ''));
    for (const name of ['does', 'said', 'turn', 'rest']) said.delete(name);
    expect([...said].sort()).toEqual([...wanted].sort());
  },
);

test('each operation of fixed values has a sentence with all of them, and each other one its words', () => {
  const missing = Object.entries(OPERATIONS).filter(([word, member]) => {
    if (member.kind === 'tuple') return new Set(membersOf(says[`operand.${word}`] ?? '')).size !== member.of.length;
    return member.kind === 'list' && joins[word] === undefined;
  });
  expect(missing).toEqual([]);
});

test('each member has a label, and each word of it a word in the language', () => {
  const missing = [...FORMS, DEFINITION].flatMap(({ say, members }) =>
    Object.entries(members).flatMap(([name, member]) => {
      const words = member.kind === 'word' ? member.words : member.kind === 'boolean' ? ['true', 'false'] : [];
      const known = { ...ruleWords[name], ...ruleWords[`${say}.${name}`] };
      const unsaid = words.filter((word) => known[word] === undefined).map((word) => `${say}.${name} ${word}`);
      return memberLabel(say, name) === name ? [...unsaid, `${say}.${name}`] : unsaid;
    }),
  );
  expect(missing).toEqual([]);
});
