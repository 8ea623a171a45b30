import { expect, test } from 'vitest';
import type { Automation } from '#web/client/api.ts';
import { placeWords } from '#web/rule/past/change-words.ts';
import { bodyOf, DEFINED, draftFrom, isBegun, isSameToEdit, shortened } from '#web/rule/rule-draft.ts';
import { faultsFrom, faultsOf } from '#web/rule/editor/faults.ts';
import { DEFINITION } from '#web/rule/sentence/form.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const isKnown = (selector: string): boolean => selector !== 'gone';
const LAMP = { id: '0199', selector: 'hall-lamp', name: 'Hall lamp' };
const GONE = { id: '0188', selector: 'gone', name: 'Gone' };

test('references are shown as people write them, and one that is gone stays as it was', () => {
  const given = { device: LAMP, other: [GONE], set: { on: true }, value: { id: 'a', name: 'b' } };
  expect(shortened(given, isKnown)).toEqual({ ...given, device: 'hall-lamp' });
});

test('all that an automation does goes back to the hub, with a trimmed name and without what the hub adds', () => {
  const automation = {
    id: '1',
    name: ' Hall ',
    description: 'x',
    room: { id: '2', selector: 'hall', name: 'Hall' },
    revision: 5,
    mode: { kind: 'single', max: 1 },
    triggers: [{ id: 't1', type: 'hub', on: 'started', tomorrow: 1 }],
    conditions: [],
    steps: [{ id: 's1', restore: {} }],
    allow_sensitive: [LAMP],
  } as unknown as Automation;
  const draft = draftFrom(automation, isKnown);
  expect(bodyOf(draft)).toEqual({
    name: 'Hall',
    description: 'x',
    room: 'hall',
    mode: { kind: 'single', max: 1 },
    triggers: [{ id: 't1', type: 'hub', on: 'started', tomorrow: 1 }],
    conditions: [],
    steps: [{ id: 's1', restore: {} }],
    allow_sensitive: ['hall-lamp'],
  });
  expect(isBegun(draft)).toBe(true);
  expect(isBegun({ ...draft, definition: { triggers: [], steps: [] } })).toBe(false);
});

test('a fault belongs to the line in which it is, not to the lines around it', () => {
  const faults = faultsFrom(
    '',
    [
      {
        pointer: '/steps/0/choose/cases/0/then/0/delay/s',
        code: 'OUT_OF_RANGE',
        message: hubText('must be from 0 to 5'),
        reason: { id: 'x', with: {} },
      },
      {
        pointer: '/steps/0/choose',
        code: 'UNKNOWN',
        message: hubText('is not a known member'),
        reason: { id: 'x', with: {} },
      },
    ],
    [{ pointer: '/triggers/10', message: hubText('may start itself'), reason: { id: 'x', with: {} } }],
  );
  const texts = (pointer: string, inner: readonly string[] = []) =>
    faultsOf(faults, pointer, inner).map(({ text }) => text);
  expect(texts('/steps/0', ['/steps/0/choose/cases/0/then'])).toEqual(['Is not a known member.']);
  expect(texts('/steps/0/choose/cases/0/then/0')).toEqual(['Must be from 0 to 5.']);
  expect(texts('/triggers/1')).toEqual([]);
  expect(texts('/triggers/10')).toEqual(['May start itself.']);
});

test.each([
  ['/steps/0/command/set/brightness', 'Then 1: What to set, brightness'],
  ['/triggers/2/to', 'When 3: To which value'],
  ['/conditions/0', 'If 1'],
  ['/mode/kind', 'If it is started again meanwhile'],
  ['/yield_to_hand_s', 'After a hand'],
])('the place %s is “%s”', (pointer, words) => {
  expect(placeWords(pointer)).toBe(words);
});

test('what is taken for a definition is what the forms know of one', () => {
  expect(DEFINED).toEqual(Object.keys(DEFINITION.members));
});

test('a switch or a signature leaves the same to edit, and a version, a name, notes or a room do not', () => {
  const one = { version: 2, revision: 5, enabled: true, name: 'Hall', description: '', room: null };
  const withPart = (part: object): Automation => ({ ...one, ...part }) as unknown as Automation;
  expect(isSameToEdit(withPart({}), withPart({ revision: 6, enabled: false }))).toBe(true);
  for (const part of [{ version: 3 }, { name: 'Loft' }, { description: 'x' }, { room: { selector: 'hall' } }]) {
    expect(isSameToEdit(withPart({}), withPart({ revision: 6, ...part }))).toBe(false);
  }
});
