import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FACTS, MONDAY, type SeenHome, scopeOf, SUNDAY } from '#test/support/automation/seen-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { allOf, compileCondition } from '#core/automation/condition/condition.ts';
import type { AutomationId, Condition } from '#core/automation/document/condition.ts';
import type { Evidence, RunScope, Truth } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { SceneId } from '#core/scene/scene.ts';

const device = 'lux' as DeviceId;
const LUX = { device, key: 'illuminance' };
const LAMP = { device: 'lamp' as DeviceId, key: 'on' };
const MIDNIGHT_S = 0;

function judge(condition: Condition, home: SeenHome, run: Partial<RunScope> = {}): Truth {
  return compileCondition(condition, '/conditions/0')(scopeOf(home, run), []);
}

describe('a condition of a feature', () => {
  test.each<[words: string, Condition, home: SeenHome, Truth]>([
    ['is the value', { feature: { ...LAMP, is: true } }, { values: { 'lamp on': true } }, true],
    ['is another', { feature: { ...LAMP, is: true } }, { values: { 'lamp on': false } }, false],
    ['is one of several', { feature: { ...LAMP, is: ['heat', 'cool'] } }, { values: { 'lamp on': 'cool' } }, true],
    ['is none of several', { feature: { ...LAMP, is_not: ['heat'] } }, { values: { 'lamp on': 'cool' } }, true],
    ['at the limit is not above', { feature: { ...LUX, above: 40 } }, { values: { 'lux illuminance': 40 } }, false],
    ['below', { feature: { ...LUX, below: 40 } }, { values: { 'lux illuminance': 39.9 } }, true],
    ['between takes its ends', { feature: { ...LUX, between: [1, 40] } }, { values: { 'lux illuminance': 40 } }, true],
    [
      'a text has no place between numbers',
      { feature: { ...LUX, above: 1 } },
      { values: { 'lux illuminance': '9' } },
      'unknown',
    ],
    ['of a device that is gone', { feature: { ...LAMP, is: true } }, {}, 'unknown'],
    [
      'offline',
      { feature: { ...LAMP, is: true } },
      { values: { 'lamp on': true }, availability: { lamp: 'offline' } },
      'unknown',
    ],
    [
      'its integration is down',
      { feature: { ...LAMP, is: true } },
      { values: { 'lamp on': true }, availability: { lamp: 'unknown' } },
      'unknown',
    ],
    [
      'asleep tells its last value',
      { feature: { ...LAMP, is: true } },
      { values: { 'lamp on': true }, availability: { lamp: 'asleep' } },
      true,
    ],
    [
      'stale',
      { feature: { ...LAMP, is: true } },
      { values: { 'lamp on': { value: true, quality: 'stale' } } },
      'unknown',
    ],
    ['never reported', { feature: { ...LAMP, is: true } }, { values: { 'lamp on': { quality: 'none' } } }, 'unknown'],
    [
      'restored counts',
      { feature: { ...LAMP, is: true } },
      { values: { 'lamp on': { value: true, quality: 'restored' } } },
      true,
    ],
    [
      'restored does not count where it must not',
      { feature: { ...LAMP, is: true, accept_restored: false } },
      { values: { 'lamp on': { value: true, quality: 'restored' } } },
      'unknown',
    ],
    [
      'assumed counts',
      { feature: { ...LAMP, is: true } },
      { values: { 'lamp on': { value: true, quality: 'assumed' } } },
      true,
    ],
    [
      'for long enough',
      { feature: { ...LAMP, is: true, for_s: 60 } },
      { nowMs: 60_000, values: { 'lamp on': true } },
      true,
    ],
    [
      'not for long enough',
      { feature: { ...LAMP, is: true, for_s: 60 } },
      { nowMs: 59_999, values: { 'lamp on': true } },
      false,
    ],
    [
      'since nobody knows when',
      { feature: { ...LAMP, is: true, for_s: 60 } },
      { values: { 'lamp on': { value: true, changedAtMs: null } } },
      'unknown',
    ],
    [
      'another value, since nobody knows when',
      { feature: { ...LAMP, is: true, for_s: 60 } },
      { values: { 'lamp on': { value: false, changedAtMs: null } } },
      false,
    ],
    [
      'an unknown limit',
      { feature: { ...LUX, above: { variable: 'dark' } } },
      { values: { 'lux illuminance': 4 } },
      'unknown',
    ],
    ['if unknown, as it says', { feature: { ...LAMP, is: true }, if_unknown: true }, {}, true],
  ])('%s', (...[, condition, home, truth]) => {
    expect(judge(condition, home)).toBe(truth);
  });
});

describe('a condition of a change', () => {
  const changed = (by: 'hand' | 'hub' | 'other' | 'any'): Condition => ({ changed: { ...LAMP, within_s: 10, by } });
  test.each<[words: string, Condition, home: SeenHome, Truth]>([
    ['in time', changed('any'), { nowMs: 10_000, values: { 'lamp on': true } }, true],
    ['too long ago', changed('any'), { nowMs: 10_001, values: { 'lamp on': true } }, false],
    ['by a hand', changed('hand'), { nowMs: 1, values: { 'lamp on': true } }, true],
    [
      'by a command and not a hand',
      changed('hand'),
      { nowMs: 1, values: { 'lamp on': { value: true, cause: DIRECT } } },
      false,
    ],
    ['by a command', changed('hub'), { nowMs: 1, values: { 'lamp on': { value: true, cause: DIRECT } } }, true],
    [
      'of a sensor by itself',
      { changed: { ...LUX, within_s: 10, by: 'other' } },
      { nowMs: 1, values: { 'lux illuminance': 3 } },
      true,
    ],
    ['nobody knows when', changed('any'), { values: { 'lamp on': { value: true, changedAtMs: null } } }, 'unknown'],
  ])('%s', (...[, condition, home, truth]) => {
    expect(judge(condition, home)).toBe(truth);
  });
});

describe('a condition of the clock', () => {
  const night: Condition = { time: { after: '22:00', before: '06:30' } };
  test.each<[words: string, Condition, secondOfDay: number, Truth]>([
    ['the start belongs to it', { time: { after: '22:00' } }, 79_200, true],
    ['the end does not', { time: { before: '06:30' } }, 23_400, false],
    ['before midnight is the whole day', { time: { before: '00:00' } }, 23_400, true],
    ['before midnight', night, 80_000, true],
    ['after midnight', night, MIDNIGHT_S, true],
    ['by day', night, 43_200, false],
    ['the day is that on which it began', { time: { after: '22:00', before: '06:30', days: ['sun'] } }, 100, true],
    ['and not that on which it ends', { time: { after: '22:00', before: '06:30', days: ['mon'] } }, 100, false],
    ['a working day', { time: { days: ['workday'] } }, 100, true],
    ['no working day', { time: { after: '22:00', before: '06:30', days: ['workday'] } }, 100, false],
    ['with seconds', { time: { after: '00:00:01', before: '00:00:02' } }, 1, true],
    ['from a time to the same is a whole day', { time: { after: '12:00', before: '12:00', days: ['sun'] } }, 100, true],
  ])('%s', (...[, condition, secondOfDay, truth]) => {
    expect(judge(condition, { clock: { secondOfDay, today: MONDAY, yesterday: SUNDAY } })).toBe(truth);
  });

  test('is unknown while the clock is not set', () => {
    expect(judge(night, { clock: null })).toBe('unknown');
  });
});

describe('a condition of the sun', () => {
  const seconds = { sunrise: 6 * 3600, sunset: 20 * 3600 };
  const dark: Condition = { sun: { after: 'sunset', offset_s: 900, before: 'sunrise' } };
  test.each<[words: string, Condition, secondOfDay: number, Truth]>([
    ['low', { sun: { below: 0 } }, 0, true],
    ['high', { sun: { above: 0 } }, 0, false],
    ['before the offset', dark, 20 * 3600 + 899, false],
    ['after the offset', dark, 20 * 3600 + 900, true],
    ['in the morning', dark, 6 * 3600 - 1, true],
    [
      'after an offset that leads to the next day',
      { sun: { after: 'sunset', offset_s: 5 * 3600, before: 'sunrise' } },
      3600,
      true,
    ],
    ['until then', { sun: { after: 'sunset', offset_s: 5 * 3600, before: 'sunrise' } }, 3599, false],
    ['without this event today', { sun: { after: 'dawn' } }, 0, 'unknown'],
  ])('%s', (...[, condition, secondOfDay, truth]) => {
    expect(judge(condition, { clock: { secondOfDay }, sun: { elevationDeg: -3, seconds } })).toBe(truth);
  });

  test.each<[words: string, elevationDeg: number, condition: Condition, name: string, reason: string]>([
    ['in the midnight sun', 12, { sun: { after: 'sunset' } }, 'sun/sunset', 'sun_does_not_set'],
    ['in the midnight sun, low', -0.5, { sun: { before: 'sunrise' } }, 'sun/sunrise', 'sun_does_not_set'],
    ['in the polar night', -9, { sun: { before: 'sunrise' } }, 'sun/sunrise', 'sun_does_not_rise'],
    ['in a bright summer night', -3, { sun: { after: 'dusk' } }, 'sun/dusk', 'no_dawn_or_dusk'],
  ])('says why it is unknown %s', (...[, elevationDeg, condition, name, reason]) => {
    const evidence: Evidence[] = [];
    const home = { clock: { secondOfDay: 0 }, sun: { elevationDeg, seconds: {} } };
    expect(compileCondition(condition, '')(scopeOf(home), evidence)).toBe('unknown');
    expect(evidence[0]?.operands.at(-1)).toEqual({ name, value: null, unknown: reason });
  });

  test('is unknown without a location', () => {
    expect(judge(dark, { sun: null })).toBe('unknown');
  });
});

describe('a condition of the house', () => {
  const home: SeenHome = {
    modes: { home: 'night', heating: 'eco' },
    presence: { anna: 'home', ben: 'away', carl: 'unknown' },
    variables: { bedtime: '22:30', guests: 2 },
    scenes: { movie: 'partly', lost: 'unknown' },
    running: ['other'],
    availability: { tv: 'offline', odd: 'unknown' },
  };
  const scene = (id: string): Condition => ({ scene: { scene: id as SceneId, is: 'active' } });
  test.each<[words: string, Condition, Truth]>([
    ['a mode', { mode: { home: 'night' } }, true],
    ['one of several values', { mode: { home: ['away', 'night'] } }, true],
    ['each mode', { mode: { home: 'night', heating: 'comfort' } }, false],
    ['a mode that is gone', { mode: { home: 'night', gone: 'x' } }, 'unknown'],
    ['another value decides beside one that is gone', { mode: { gone: 'x', home: 'home' } }, false],
    ['somebody home', { presence: { person: 'anyone', is: 'home' } }, true],
    ['somebody away', { presence: { person: 'anyone', is: 'away' } }, true],
    ['all away', { presence: { person: 'everyone', is: 'away' } }, false],
    ['one person', { presence: { person: 'ben', is: 'away' } }, true],
    ['a person about whom the hub knows nothing', { presence: { person: 'carl', is: 'away' } }, 'unknown'],
    ['a person who is gone', { presence: { person: 'dora', is: 'away' } }, 'unknown'],
    ['a variable', { variable: { variable: 'guests', above: 1 } }, true],
    ['a clock time in a variable', { variable: { variable: 'bedtime', below: '23:00' } }, true],
    ['a variable that is gone', { variable: { variable: 'gone', is: 1 } }, 'unknown'],
    ['a scene', scene('movie'), false],
    ['a scene that nobody knows', scene('lost'), 'unknown'],
    ['a scene that is gone', scene('gone'), 'unknown'],
    ['an automation that runs', { run: { automation: 'other' as AutomationId, is: 'running' } }, true],
    ['offline', { availability: { device: 'tv' as DeviceId, is: 'offline' } }, true],
    ['perhaps online', { availability: { device: 'odd' as DeviceId, is: 'online' } }, 'unknown'],
    ['known to be unknown', { availability: { device: 'odd' as DeviceId, is: 'unknown' } }, true],
    ['equal', { compare: { left: 1, op: 'eq', right: { sub: [3, 2] } } }, true],
    ['at most', { compare: { left: 2, op: 'le', right: 2 } }, true],
    ['not less', { compare: { left: 2, op: 'lt', right: 2 } }, false],
    ['no order', { compare: { left: true, op: 'gt', right: 2 } }, 'unknown'],
    ['unknown', { compare: { left: { div: [1, 0] }, op: 'ne', right: 2 } }, 'unknown'],
  ])('%s', (_words, condition, truth) => {
    expect(judge(condition, home)).toBe(truth);
  });

  test('everyone is home only if nobody is away, and unknown without people', () => {
    const all: Condition = { presence: { person: 'everyone', is: 'home' } };
    expect(judge(all, { presence: { anna: 'home', ben: 'home' } })).toBe(true);
    expect(judge(all, { presence: { anna: 'home', ben: 'unknown' } })).toBe('unknown');
    expect(judge(all, {})).toBe('unknown');
  });
});

describe('a condition of the run', () => {
  test('knows what started it', () => {
    expect(judge({ trigger: { id: 't1' } }, {}, { trigger: FACTS })).toBe(true);
    expect(judge({ trigger: { id: ['t2', 't3'] } }, {}, { trigger: FACTS })).toBe(false);
    expect(judge({ trigger: { id: 't1' } }, {})).toBe(false);
  });

  test('knows how a wait ended, once it has', () => {
    const late: Condition = { step: { id: 's2', timed_out: true } };
    expect(judge(late, {}, { timedOut: new Map([['s2', true]]) })).toBe(true);
    expect(judge(late, {}, { timedOut: new Map([['s2', false]]) })).toBe(false);
    expect(judge(late, {})).toBe('unknown');
  });
});

const truths = fc.constantFrom<Truth>(true, false, 'unknown');
/** A condition with this outcome whatever the home is. */
const fixed = (truth: Truth): Condition => ({
  compare: { left: 1, op: 'eq', right: truth === 'unknown' ? { div: [1, 0] } : truth ? 1 : 2 },
});
const ORDER = { false: 0, unknown: 1, true: 2 };
const rank = (truth: Truth): number => ORDER[`${truth}`];

describe('three values', () => {
  test('`and` is the least of its parts, `or` the greatest, `not` turns them around', () => {
    fc.assert(
      fc.property(fc.array(truths, { minLength: 1, maxLength: 5 }), (parts) => {
        const ranks = parts.map(rank);
        expect(rank(judge({ and: parts.map(fixed) }, {}))).toBe(Math.min(...ranks));
        expect(rank(judge({ or: parts.map(fixed) }, {}))).toBe(Math.max(...ranks));
        expect(rank(judge({ not: { and: parts.map(fixed) } }, {}))).toBe(2 - Math.min(...ranks));
        expect(judge({ not: { or: parts.map(fixed) } }, {})).toBe(
          judge({ and: parts.map((part) => ({ not: fixed(part) })) }, {}),
        );
      }),
      searchOf(1000),
    );
  });

  test('what is known decides the same if what is unknown becomes known', () => {
    const tree = fc.letrec<{ tree: Condition }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Condition>(
          { feature: { ...LAMP, is: true } },
          { feature: { ...LUX, above: 5 } },
          fixed(true),
          fixed(false),
        ),
        fc.record({ and: fc.array(tie('tree'), { maxLength: 3 }) }),
        fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }),
        fc.record({ not: tie('tree') }),
      ),
    })).tree;
    fc.assert(
      fc.property(tree, fc.boolean(), fc.integer({ min: 0, max: 10 }), (condition, on, lux) => {
        const before = judge(condition, {});
        const after = judge(condition, { values: { 'lamp on': on, 'lux illuminance': lux } });
        expect(before === 'unknown' ? after : before).toBe(after);
        expect(after).not.toBe('unknown');
      }),
      searchOf(2000),
    );
  });

  test('no condition at all is met', () => {
    expect(allOf([], '/conditions')(scopeOf({}), [])).toBe(true);
  });
});

describe('the evidence', () => {
  test('names each leaf that was looked at, with what it saw', () => {
    const condition: Condition = {
      or: [{ feature: { ...LUX, below: 40 }, if_unknown: false }, { feature: { ...LAMP, is: true } }],
    };
    const evidence: Evidence[] = [];
    const home = { values: { 'lux illuminance': 212, 'lamp on': false }, availability: { lux: 'offline' } } as const;
    compileCondition(condition, '/conditions/0')(scopeOf(home), evidence);
    expect(evidence).toEqual([
      {
        pointer: '/conditions/0/or/0',
        result: false,
        operands: [{ ...LUX, value: 212, quality: 'confirmed', changedAtMs: 0, unknown: 'offline' }],
      },
      {
        pointer: '/conditions/0/or/1',
        result: false,
        operands: [{ ...LAMP, value: false, quality: 'confirmed', changedAtMs: 0, unknown: null }],
      },
    ]);
  });

  test('ends with the condition that decided', () => {
    const evidence: Evidence[] = [];
    compileCondition({ and: [fixed(false), fixed(true)] }, '')(scopeOf({}), evidence);
    expect(evidence.map(({ pointer }) => pointer)).toEqual(['/and/0']);
  });
});
