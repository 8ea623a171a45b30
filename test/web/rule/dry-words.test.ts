import { expect, test } from 'vitest';
import type { AutomationDryRun } from '#web/client/api.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import { dryNotes, drySentence } from '#web/rule/past/dry-words.ts';
import { type Line, sentenceOf } from '#web/rule/sentence/sentence.ts';
import { names } from './names.ts';

const home = { ...names } as RuleHome;
const DEFINITION = {
  triggers: [],
  steps: [
    { id: 's1', command: { targets: { devices: ['hall-lamp', 'gone'] }, set: { on: true } } },
    { id: 's2', notify: { severity: 'info', title: 'x' } },
    { id: 's3', command: { targets: { devices: ['hall-lamp'] }, do: 'identify' } },
  ],
};
const [first, second, third] = sentenceOf(DEFINITION, names).steps.lines as unknown as [Line, Line, Line];
const OFFLINE = { code: 'DEVICE_OFFLINE', message: 'The device is offline.' };
const because = (id: string | null) => ({ reason: id === null ? null : { id, with: {} }, message: id });
const step = (pointer: string, outcome: string, id: string) => ({ pointer, outcome, ...because(id) });
const run = (change: object = {}): AutomationDryRun =>
  ({
    state: 'ready',
    state_reason: null,
    over: true,
    trace: { outcome: 'finished', ...because(null), steps: [step('/steps/2/command', 'skipped', 'hand')] },
    commands: [
      {
        step: '/steps/0/command',
        after_ms: 12,
        scene: null,
        targets: [
          { device: 'hall-lamp', set: { on: true }, problem: null },
          { device: 'gone', set: { on: true }, problem: OFFLINE },
        ],
        problem: null,
      },
    ],
    others: [{ kind: 'notify', step: '/steps/1', after_ms: 4_240, problem: null }],
    ...change,
  }) as unknown as AutomationDryRun;
const wordsOf = (line: Line, of = run()) => dryNotes(line, of, home).map(({ text, isBad }) => [text, isBad]);

test('a step says what it would set and when, and which device it would not reach and why', () => {
  expect(wordsOf(first)).toEqual([
    ['at once · Hall lamp: on', false],
    ['gone (no longer there): not now. The device is offline.', true],
  ]);
  expect(wordsOf(second)).toEqual([['after 4.2 seconds · a message would go out', false]]);
  expect(wordsOf(third)).toEqual([['would be left out: somebody had moved it by hand', false]]);
});

test('what would not go out at all says so', () => {
  const problem = { code: 'RIGHTS_MISSING', message: 'The person may not.' };
  const [command] = run().commands;
  const [other] = run().others;
  const refused = run({ commands: [{ ...command, problem }], others: [{ ...other, problem }] });
  expect(wordsOf(first, refused)).toEqual([['Nothing of this would be sent. The person may not.', true]]);
  expect(wordsOf(second, refused)).toEqual([['This would not be done. The person may not.', true]]);
  expect(drySentence(refused)).toBe('It would do it, but not 2 things:');
});

test('one sentence says what would come of a start', () => {
  const nothing = { commands: [], others: [] };
  const ended = (outcome: string, id: string) => ({ trace: { outcome, ...because(id), steps: [] } });
  expect(drySentence(run())).toBe('It would do it, but not 1 thing:');
  expect(drySentence(run({ commands: [] }))).toBe('It would do all of it.');
  expect(drySentence(run(nothing))).toBe('It would end without doing anything.');
  expect(drySentence(run({ ...nothing, over: false }))).toBe('It would wait for something that has not happened yet.');
  expect(drySentence(run({ ...nothing, ...ended('not_met', 'not_met') }))).toBe(
    'It would do nothing: a condition does not hold now.',
  );
  expect(drySentence(run({ ...nothing, ...ended('skipped', 'queue_full') }))).toBe(
    'It would not start: too many of its runs were waiting.',
  );
});
