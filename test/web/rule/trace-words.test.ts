import { expect, test } from 'vitest';
import type { AutomationRun } from '#web/client/api.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import { markOf, seenWords, shareOfDay, triggerWords } from '#web/rule/past/trace-words.ts';
import { type Body, type Line, sentenceOf } from '#web/rule/sentence/sentence.ts';
import { names } from './names.ts';

const home = {
  ...names,
  features: () => [],
  options: () => [],
  capabilities: () => [],
  recipients: () => [],
} as RuleHome;
const AT = '2026-11-22T17:04:11.000Z';
const DEFINITION = {
  triggers: [
    { id: 't1', type: 'feature', device: 'hall-motion', key: 'motion', to: true },
    { id: 't2', type: 'hub', on: 'started' },
  ],
  conditions: [
    {
      or: [
        { feature: { device: 'hall-lux', key: 'illuminance', below: 40 } },
        { feature: { device: 'hall-lamp', key: 'on', is: true } },
      ],
    },
  ],
  steps: [
    { id: 's1', command: { targets: { devices: ['hall-lamp'] }, set: { on: true } } },
    { id: 's2', delay: { s: 5 } },
    { id: 's3', restore: {} },
  ],
};
const step = (pointer: string, outcome: string) => ({
  pointer,
  at: AT,
  ms: 5,
  outcome,
  reason: null,
  message: null,
  command: null,
  conditions: [],
  values: [],
});
const run = {
  trigger: {
    id: 't1',
    type: 'feature',
    device: 'hall-lux',
    key: 'illuminance',
    from: 50,
    value: 31,
    action: null,
    at: AT,
    late_s: 12,
  },
  conditions: [{ pointer: '/conditions/0/or/0', result: 'false', operands: [] }],
  steps: [step('/steps/0/command', 'done'), step('/steps/1/delay', 'failed'), step('/steps/1/delay', 'running')],
} as unknown as AutomationRun;

function linesOf({ lines }: Body): readonly Line[] {
  return lines.flatMap((line) => [line, ...line.bodies.flatMap(linesOf)]);
}

test('each line of a trace says how it went, and a line that the run did not reach says so', () => {
  const { triggers, conditions, steps } = sentenceOf(DEFINITION, names);
  const marks = [triggers, conditions, steps]
    .flatMap(linesOf)
    .map((line) => [line.pointer, markOf(line, { run, definition: DEFINITION })]);
  expect(Object.fromEntries(marks)).toEqual({
    '/triggers/0': 'yes',
    '/triggers/1': 'none',
    '/conditions/0': 'no',
    '/conditions/0/or/0': 'no',
    '/conditions/0/or/1': 'none',
    '/steps/0': 'yes',
    '/steps/1': 'running',
    '/steps/2': 'none',
  });
});

test.each([
  [
    { device: 'hall-lux', key: 'illuminance', value: 31, unknown: null, quality: 'confirmed' },
    'Hall lux illuminance: 31 lx',
  ],
  [
    { device: 'hall-lamp', key: 'on', value: true, unknown: null, quality: 'restored' },
    'Hall lamp on: on (from before a restart)',
  ],
  [
    { device: 'hall-lux', key: 'illuminance', value: null, unknown: 'offline' },
    'Hall lux illuminance: unknown, the device could not be reached',
  ],
  [{ name: 'mode/home', value: 'night', unknown: null }, 'Home mode: Night'],
  [{ device: null, value: null, unknown: null, hidden: true }, 'A device that you cannot see'],
] as const)('what a condition saw, %j, is “%s”', (seen, words) => {
  expect(seenWords(seen, home)).toBe(words);
});

test('what a condition saw of a mode has the name that people gave the value', () => {
  const mode: typeof home.mode = (key) => {
    const look = names.mode(key);
    return look && { ...look, names: { gaste_party: 'Gäste & Party' } };
  };
  const seen = { name: 'mode/home', value: 'gaste_party', unknown: null };
  expect(seenWords(seen, { ...home, mode })).toBe('Home mode: Gäste & Party');
});

test('what a condition saw of the clock is a time of the day', () => {
  expect(seenWords({ name: 'clock', value: 34_842, unknown: null }, home)).toMatch(/^the time: 9:40( AM)?$/);
});

test('what started a run is said with its value before, and how late it was', () => {
  expect(triggerWords(run, home)).toMatch(/Hall lux · 50 lx → 31 lx · 12 seconds late$/);
});

test('a start stands in its day where the clock of the hub was, not that of the browser', () => {
  expect(shareOfDay('2026-11-22T23:00:00Z', 'Europe/Berlin')).toBe(0);
  expect(shareOfDay('2026-11-22T11:00:00Z', 'Europe/Berlin')).toBe(0.5);
});
