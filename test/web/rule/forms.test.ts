import { expect, test } from 'vitest';
import {
  CONDITIONS,
  DEFINITION,
  type Form,
  type Member,
  OPERATIONS,
  STEPS,
  TRIGGERS,
} from '#web/rule/sentence/form.ts';
import { membersOf } from '#web/rule/sentence/template.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { ruleJoins as joins, ruleSays } from '#web/strings/en/rule/sentences.ts';
import { ruleWords } from '#web/strings/en/rule/members.ts';

const says: Readonly<Record<string, string>> = ruleSays;

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
  ...[...Object.values(CONDITIONS), ...Object.values(STEPS), ...Object.values(OPERATIONS)].flatMap(formsIn),
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
    for (const name of ['does', 'said', 'turn', 'rest', 'moment']) said.delete(name);
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
