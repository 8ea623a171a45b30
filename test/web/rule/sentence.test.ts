import { assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { searchOf } from '#test/support/machine/runs.ts';
import type { Hole, Piece } from '#web/rule/sentence/hole.ts';
import { isList, isObject, type Json, type JsonObject, valueAt, withValueAt } from '#web/rule/sentence/json.ts';
import { type Body, lineWords, sentenceOf, sentenceWords } from '#web/rule/sentence/sentence.ts';
import { names } from './names.ts';
import { definitions } from './random-definition.ts';

const say = (definition: Json): string => sentenceWords(sentenceOf(definition, names));
const trigger = (given: JsonObject): string | undefined => lineOf('triggers', given);
const condition = (given: JsonObject): string | undefined => lineOf('conditions', given);
const step = (given: JsonObject): string | undefined => lineOf('steps', given);
function lineOf(part: 'triggers' | 'conditions' | 'steps', given: JsonObject): string | undefined {
  const [line] = sentenceOf({ [part]: [given] }, names)[part].lines;
  return line && lineWords(line);
}

const MOTION = { type: 'feature', any_of: { room: 'hall', capability: 'motion' }, to: true };

test('the motion light is one sentence', () => {
  const light = {
    triggers: [{ id: 'seen', ...MOTION }],
    conditions: [
      {
        or: [
          { feature: { device: 'hall-lux', key: 'illuminance', below: 40 }, if_unknown: true },
          { feature: { device: 'hall-lamp', key: 'on', is: true } },
        ],
      },
    ],
    steps: [
      {
        command: {
          targets: { devices: ['hall-lamp'] },
          transition_ms: 400,
          set: { on: true, brightness: { if: [{ mode: { home: 'night' } }, 10, 70] } },
        },
      },
      {
        wait_for: { triggers: [{ ...MOTION, all: true, to: false, for_s: 180 }], timeout_s: 14_400, then: 'continue' },
      },
      { command: { targets: { devices: ['hall-lamp'] }, set: { on: false }, transition_ms: 3000 } },
    ],
  };
  expect(say(light)).toBe(
    'When any device with motion in Hall sees motion, and Hall lux illuminance is below 40 lx (if unknown: yes) or Hall lamp is on: turn on Hall lamp with brightness 10 % if the mode is Night, else 70 % over 0.4 seconds, wait at most 4 hours, then go on in any case (Until all of any device with motion in Hall sees no motion any more and stays so for 3 minutes), turn off Hall lamp over 3 seconds.',
  );
});

test.each<[JsonObject, string]>([
  [{ type: 'feature', device: 'hall-motion', key: 'motion', to: true }, 'Hall motion sees motion'],
  [
    { type: 'feature', device: 'terrace-door', key: 'open', to: false, for_s: 90 },
    'Terrace door closes and stays so for 1 minute and 30 seconds',
  ],
  [{ type: 'feature', device: 'hall-lux', key: 'illuminance' }, 'Hall lux illuminance changes'],
  [
    { type: 'feature', device: 'hall-lamp', key: 'brightness', from: 10, to: [20, 30], by: 'hand' },
    'Hall lamp brightness goes from 10 % to 20 % or 30 %, changed by hand',
  ],
  [
    { type: 'threshold', device: 'hall-lux', key: 'temperature', above: 26, hysteresis: 0.5, for_s: 600 },
    'Hall lux temperature rises above 26.0°, give or take 0.5° and stays so for 10 minutes',
  ],
  [
    { type: 'threshold', device: 'hall-lux', key: 'temperature', change: { by: 2, within_s: 600 } },
    'Hall lux temperature changes by 2 within 10 minutes',
  ],
  [
    { type: 'occurrence', device: 'remote', key: 'button_1', action: ['single', 'double'] },
    'Remote button 1 is pressed once or pressed twice',
  ],
  [{ type: 'time', at: '06:45', days: ['mon', 'workday'] }, 'it is 06:45 on Monday and workdays'],
  [
    { type: 'time', at: { variable: 'alarm' }, missed: 'skip' },
    'it is the time in alarm (no longer there), if missed, not at all',
  ],
  [{ type: 'time', every_s: 300 }, '5 minutes have passed again'],
  [{ type: 'sun', event: 'sunset' }, 'the sun sets'],
  [
    { type: 'sun', event: 'sunset', offset_s: -1200, not_before: '17:30', if_none: '22:00' },
    'it is 20 minutes before sunset, not before 17:30, on days without it at 22:00',
  ],
  [{ type: 'sun', event: 'elevation', elevation_deg: -4, rising: false }, 'it is a sun height of -4°, while it sinks'],
  [{ type: 'presence', person: 'everyone', to: 'away' }, 'everybody leaves'],
  [{ type: 'presence', person: 'ada', to: 'home' }, 'Ada comes home'],
  [{ type: 'availability', device: 'remote', to: 'offline' }, 'Remote goes offline'],
  [{ type: 'hub', on: 'started' }, 'the hub has started'],
])('the trigger %j is “%s”', (given, words) => {
  expect(trigger(given)).toBe(words);
});

test.each<[JsonObject, string]>([
  [{ time: { after: '22:00', before: '06:00' } }, 'it is between 22:00 and 06:00'],
  [
    { sun: { after: 'sunset', offset_s: -900, before: 'sunrise' } },
    'it is between 15 minutes before sunset and sunrise',
  ],
  [{ sun: { below: -4 } }, 'the sun is below -4 °'],
  [{ not: { feature: { device: 'terrace-door', key: 'open', is: true } } }, 'not: Terrace door is open'],
  [{ mode: { home: ['home', 'night'] } }, 'the mode is Home or Night'],
  [{ presence: { person: 'anyone', is: 'home' } }, 'somebody is at home'],
  [
    {
      compare: {
        left: { add: [1, { feature: { device: 'hall-lux', key: 'temperature' } }] },
        op: 'gt',
        right: { history: { device: 'hall-lux', key: 'temperature', over_s: 3600, fn: 'mean' } },
      },
    },
    '1 + Hall lux temperature is more than the mean of Hall lux temperature over 1 hour',
  ],
  [
    { changed: { device: 'hall-lamp', key: 'on', within_s: 60, by: 'hand' } },
    'Hall lamp on changed within 1 minute, changed by hand',
  ],
])('the condition %j is “%s”', (given, words) => {
  expect(condition(given)).toBe(words);
});

test.each<[JsonObject, string]>([
  [
    { command: { targets: { devices: ['water-valve'] }, set: { valve_open: false }, retry: { times: 3, after_s: 5 } } },
    'close Water valve, tried again 3 times after 5 seconds',
  ],
  [{ command: { targets: { room: 'hall' }, set: { on: false } } }, 'turn off all in Hall'],
  [{ delay: { s: 60 } }, 'wait 1 minute'],
  [{ scene: { scene: 'movie' } }, 'turn on the scene Movie night'],
  [
    { notify: { severity: 'critical', title: 'Water', to: ['role:resident'] } },
    'send “Water” to residents as an alarm',
  ],
  [
    { repeat: { times: 3, max: 5, steps: [{ restore: {} }] } },
    'repeat 3 times, at most 5 rounds (Each round put back what this run changed)',
  ],
  [
    {
      choose: {
        cases: [
          { if: { presence: { person: 'ada', is: 'away' } }, then: [{ stop: { outcome: 'failed', reason: 'alone' } }] },
        ],
      },
    },
    'depending on the case (If Ada is away; Then stop as failed: alone)',
  ],
])('the step %j is “%s”', (given, words) => {
  expect(step(given)).toBe(words);
});

test('a sentence that is read leaves out what holds in rare cases, and one that is edited has a hole for it', () => {
  const definition = {
    triggers: [{ type: 'sun', event: 'sunset', offset_s: -900, missed: { run_late_s: 7200 } }],
    steps: [{ delay: { until: '23:00', late_max_s: 604_800 } }],
  };
  expect(sentenceWords(sentenceOf(definition, names, true))).toBe(
    'When it is 15 minutes before sunset: wait until 23:00.',
  );
  expect(say(definition)).toContain('if missed, up to 2 hours late');
});

test('what has to be filled in is an empty hole', () => {
  expect(trigger({ type: 'feature' })).toBe('… changes');
  expect(condition({ feature: {} })).toBe('… … is …');
  expect(step({ command: { targets: {} } })).toBe('set … to …');
  expect(step({ command: { targets: { devices: [] } } })).toBe('set … to …');
  expect(step({ notify: { severity: 'info', title: '' } })).toBe('send “…” as information');
});

test('what the page does not know stands there as it is, in a hole', () => {
  expect(trigger({ type: 'moon', phase: 'full' })).toContain('{"type":"moon","phase":"full"}');
  expect(trigger({ type: 'hub', on: 'started', since: 5 })).toBe('the hub has started, since 5');
  expect(condition({ oracle: {} })).toContain('oracle');
  expect(step(3 as never)).toContain('3');
});

function holesOf({ lines }: Body): readonly Hole[] {
  const ofPieces = (pieces: readonly Piece[]): readonly Hole[] => pieces.filter((piece) => typeof piece !== 'string');
  return lines.flatMap(({ pieces, bodies }) => [...ofPieces(pieces), ...bodies.flatMap(holesOf)]);
}

/** The pointers of all that a person could want to change: ids and the words of parts are not among them. */
function leavesOf(value: Json, pointer: string): readonly string[] {
  if (isList(value)) return value.flatMap((one, index) => leavesOf(one, `${pointer}/${index}`));
  if (!isObject(value) || 'selector' in value) return [pointer];
  return Object.entries(value)
    .filter(([name, one]) => name !== 'id' || typeof one !== 'string' || !/\/\d+$/.test(pointer))
    .filter(([name]) => name !== 'type' || !/\/triggers\/\d+$/.test(pointer))
    .flatMap(([name, one]) => leavesOf(one, `${pointer}/${name}`));
}

test('every value of every definition stands in a hole, which leads to it', () => {
  assert(
    property(definitions, (definition) => {
      const { triggers, conditions, steps } = sentenceOf(definition, names);
      const holes = [triggers, conditions, steps].flatMap(holesOf);
      for (const { pointer, value, words } of holes) {
        expect(words).not.toMatch(/undefined|\[object/);
        expect(valueAt(definition, pointer)).toEqual(value);
        expect(value === undefined ? definition : withValueAt(definition, pointer, value)).toEqual(definition);
      }
      const isCovered = (leaf: string): boolean =>
        holes.some(({ pointer, key }) => leaf === pointer || leaf === key || leaf.startsWith(`${pointer}/`));
      const lost = leavesOf(definition, '').filter((leaf) => !isCovered(leaf));
      expect(lost).toEqual([]);
    }),
    searchOf(2000),
  );
});
