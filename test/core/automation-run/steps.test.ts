import { describe, expect, test } from 'vitest';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import { automation, createVirtualHome } from '#test/support/automation/virtual-home.ts';

const DEVICES = {
  motion: { room: 'hall', values: { motion: false } },
  door: { values: { open: false } },
  lamp: { room: 'hall', values: { on: false, brightness: 1 } },
  spot: { room: 'hall', values: { on: false, brightness: 1 } },
  lock: { isSensitive: true, values: { locked: true } },
} as const;
const rule = (steps: readonly object[], part: object = {}, details: Omit<Partial<Automation>, 'id'> = {}): Automation =>
  automation(
    'a',
    { triggers: [{ id: 't1', type: 'feature', device: 'motion', key: 'motion', to: true }], steps, ...part } as object,
    details,
  );
const run = (steps: readonly object[], part: object = {}, settings: object = {}) => {
  const home = createVirtualHome({ devices: DEVICES, automations: [rule(steps, part)], ...settings });
  home.report('motion', 'motion', true);
  return home;
};
const bright = (brightness: unknown, id = 's1', more: object = {}) => ({
  id,
  command: { targets: { devices: ['lamp'] }, set: { brightness }, ...more },
});
const opened = { id: 'w1', type: 'feature', device: 'door', key: 'open', to: true };
const isOpen = { feature: { device: 'door', key: 'open', is: true } };
/** A member that an object of a test may not have as it is written. */
const when = (condition: object, steps: readonly object[]): object =>
  Object.fromEntries([
    ['if', condition],
    ['then', steps],
  ]);

describe('a command', () => {
  test('reaches each target once: devices, those of a room that can do it, and the one that started the run', () => {
    const targets = { devices: ['lamp'], room: 'hall', trigger: 'device' };
    const home = run([{ id: 's1', command: { targets, set: { brightness: 5 } } }]);
    expect(home.commands()[0]?.command.wishes.map(([device]) => device)).toEqual(['lamp', 'spot', 'motion']);
  });

  test('is not sent where it is so already, unless it must be', () => {
    expect(run([bright(1)]).traces()[0]?.steps[0]).toMatchObject({ outcome: 'done', reason: { id: 'unchanged' } });
    expect(run([bright(1, 's1', { skip_if_same: false })]).sent()).toHaveLength(1);
  });

  test('with a value that nobody knows is not sent, and the trace says which', () => {
    const home = run([bright({ div: [1, 0] }), bright(7, 's2')]);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":7}']);
    expect(home.traces()[0]?.steps[0]).toMatchObject({
      outcome: 'failed',
      reason: { id: 'value_unknown', with: { key: 'brightness' } },
    });
  });

  test('by default the next step does not wait for it', () => {
    const home = run([bright(5), bright(6, 's2')]);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":5}', '0 s: lamp {"brightness":6}']);
    expect(home.outcomes()).toEqual(['finished']);
    expect(home.traces()[0]?.steps[0]).toMatchObject({ outcome: 'running', command: { status: 'sent' } });
    home.advance(1_000);
    expect(home.traces()[0]?.steps[0]).toMatchObject({
      outcome: 'done',
      ms: 300,
      command: { status: 'confirmed', evidence: 'state_report', results: { lamp: 'confirmed' } },
    });
  });

  test('wait: finished waits for the report of the device', () => {
    const home = run([bright(5, 's1', { wait: 'finished' }), bright(6, 's2')]);
    home.advance(1_000);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":5}', '0.3 s: lamp {"brightness":6}']);
  });

  test.each([
    ['continue', ['0 s: lamp {"brightness":5}', '0.1 s: lamp {"brightness":6}'], 'finished'],
    ['stop', ['0 s: lamp {"brightness":5}'], 'failed: failed'],
  ])('that failed: %s', (onFailure, sent, outcome) => {
    const home = run(
      [bright(5, 's1', { wait: 'finished', on_failure: onFailure }), bright(6, 's2')],
      {},
      { answer: 'failure' },
    );
    home.advance(60_000);
    expect([home.sent(), home.outcomes()]).toEqual([sent, [outcome]]);
  });

  test('that nobody waits for is tried again in the background, and may end the run late', () => {
    const steps = [
      bright(5, 's1', { retry: { times: 2, after_s: 5 }, on_failure: 'stop' }),
      { id: 's2', delay: { s: 60 } },
      bright(6, 's3'),
    ];
    const home = run(steps, {}, { answer: 'failure' });
    home.advance(120_000);
    expect(home.sent()).toEqual(['0 s', '5.1 s', '10.2 s'].map((at) => `${at}: lamp {"brightness":5}`));
    expect(home.outcomes()).toEqual(['failed: failed']);
  });
});

describe('restore', () => {
  const flash = [bright(100, 's1', { wait: 'finished' }), { id: 's2', delay: { s: 5 } }, { id: 's3', restore: {} }];

  test('puts back what the run changed', () => {
    const home = run(flash);
    home.advance(10_000);
    expect([home.sent()[1], home.value('lamp', 'brightness')]).toEqual(['5.3 s: lamp {"brightness":1}', 1]);
  });

  test('leaves alone what somebody else changed since', () => {
    const home = run(flash);
    home.advance(2_000);
    home.report('lamp', 'brightness', 44);
    home.advance(10_000);
    expect([home.sent().length, home.value('lamp', 'brightness')]).toEqual([1, 44]);
  });

  test.each([
    ['trigger', 1],
    ['run', 100],
  ])('since %s, after a restart of the run', (since, value) => {
    const home = run([...flash.slice(0, 2), { id: 's3', restore: { since } }], { mode: { kind: 'restart', max: 1 } });
    home.advance(2_000);
    home.report('motion', 'motion', false);
    home.report('motion', 'motion', true);
    home.advance(20_000);
    expect(home.value('lamp', 'brightness')).toBe(value);
  });
});

describe('waits', () => {
  test('a delay of an unknown length ends the run instead of going on at once', () => {
    const home = run([{ id: 's1', delay: { s: { variable: 'x' } } }, bright(5)]);
    expect([home.sent(), home.outcomes()]).toEqual([[], ['failed: delay_unknown']]);
  });

  test('until a time of the clock', () => {
    const home = run([{ id: 's1', delay: { until: '12:30' } }, bright(5)]);
    home.advance(3_600_000);
    expect(home.sent()).toEqual(['1800 s: lamp {"brightness":5}']);
  });

  test('for a trigger, which must fire while it waits', () => {
    const home = run([
      { id: 's1', wait_for: { triggers: [opened], timeout_s: 60 } },
      bright({ if: [{ step: { id: 's1', timed_out: true } }, 1_000, 5] }),
    ]);
    home.advance(10_000);
    home.report('door', 'open', true);
    home.advance(60_000);
    expect(home.sent()).toEqual(['10 s: lamp {"brightness":5}']);
    expect(home.traces()[0]?.steps[0]).toMatchObject({ outcome: 'done', ms: 10_000 });
  });

  test('for a condition, which may hold already', () => {
    const steps = [{ id: 's1', wait_for: { condition: isOpen, timeout_s: 60 } }, bright(5)];
    const home = run(steps);
    home.advance(10_000);
    home.report('door', 'open', true);
    expect(home.sent()).toEqual(['10 s: lamp {"brightness":5}']);
    const other = createVirtualHome({ devices: DEVICES, automations: [rule(steps)] });
    other.report('door', 'open', true);
    other.report('motion', 'motion', true);
    expect(other.sent()).toHaveLength(1);
  });

  test('for a condition that time alone changes, to the second', () => {
    const home = run([
      { id: 's1', wait_for: { condition: { time: { after: '12:10', before: '13:00' } }, timeout_s: 3_600 } },
      bright(5),
    ]);
    home.advance(3_600_000);
    expect(home.sent()).toEqual(['600 s: lamp {"brightness":5}']);
  });

  test.each([
    ['continue', ['60 s: lamp {"brightness":5}'], 'finished'],
    ['stop', [], 'stopped: timed_out'],
  ])('that time out: %s', (onTimeout, sent, outcome) => {
    const wait = Object.fromEntries([
      ['triggers', [opened]],
      ['timeout_s', 60],
      ['then', onTimeout],
    ]);
    const home = run([{ id: 's1', wait_for: wait }, bright(5)]);
    home.advance(120_000);
    expect([home.sent(), home.outcomes()]).toEqual([sent, [outcome]]);
    expect(home.traces()[0]?.steps[0]).toMatchObject({ outcome: 'timed_out', ms: 60_000 });
  });

  test('nothing is left of a run that is over: no timer and no entry', () => {
    const home = run([{ id: 's1', wait_for: { condition: { time: { after: '13:00' } }, timeout_s: 600 } }]);
    expect(home.timers()).toHaveLength(2);
    home.send({ kind: 'stop', automation: rule([]).id });
    expect([home.timers(), [...home.entries().keys()], home.outcomes()]).toEqual([[], [], ['stopped: by_person']]);
  });
});

describe('the way through the steps', () => {
  test.each([
    [true, 10],
    [false, 30],
  ])('choose, door open %s', (open, brightness) => {
    const choose = {
      cases: [when(isOpen, [bright(10)]), when({ feature: { device: 'lamp', key: 'on', is: true } }, [bright(20)])],
      else: [bright(30)],
    };
    const home = createVirtualHome({ devices: DEVICES, automations: [rule([{ id: 'c', choose }, bright(99, 's9')])] });
    home.report('door', 'open', open);
    home.report('motion', 'motion', true);
    expect(home.sent()).toEqual([brightness, 99].map((one) => `0 s: lamp {"brightness":${one}}`));
    expect(home.traces()[0]?.steps[0]).toMatchObject({
      pointer: '/steps/0/choose',
      reason: open ? { id: 'case', with: { number: 1 } } : { id: 'else' },
    });
  });

  test('repeat: so many times, and never more than its limit', () => {
    const body = [bright(5, 's1', { skip_if_same: false }), { id: 's2', delay: { s: 1 } }];
    const home = run([{ id: 'r', repeat: { times: 10, max: 4, steps: body } }]);
    home.advance(60_000);
    expect(home.sent()).toHaveLength(4);
  });

  test('repeat: for each value', () => {
    const repeat = {
      for_each: { variable: 'level', in: [10, 20, { add: [10, 20] }] },
      max: 10,
      steps: [bright({ variable: 'level' }), { id: 's2', delay: { s: 1 } }],
    };
    const home = run([{ id: 'r', repeat }]);
    home.advance(60_000);
    expect(home.sent()).toEqual([
      '0 s: lamp {"brightness":10}',
      '1 s: lamp {"brightness":20}',
      '2 s: lamp {"brightness":30}',
    ]);
  });

  test.each([
    ['while', { not: isOpen }, 3],
    ['until', isOpen, 3],
  ])('repeat: %s', (word, condition, rounds) => {
    const home = run([
      {
        id: 'r',
        repeat: {
          [word]: condition,
          max: 100,
          steps: [bright(5, 's1', { skip_if_same: false }), { id: 's2', delay: { s: 10 } }],
        },
      },
    ]);
    home.advance(25_000);
    home.report('door', 'open', true);
    home.advance(60_000);
    expect([home.sent().length, home.outcomes()]).toEqual([rounds, ['finished']]);
  });

  test.each([
    ['all', ['5 s: lamp {"brightness":5}', '20 s: lamp {"brightness":20}', '20 s: lamp {"brightness":99}']],
    ['any', ['5 s: lamp {"brightness":5}', '5 s: lamp {"brightness":99}']],
  ])('parallel: ends with %s', (end, sent) => {
    const branches = [
      [{ id: 'd1', delay: { s: 20 } }, bright(20, 's1')],
      [{ id: 'd2', delay: { s: 5 } }, bright(5, 's2')],
    ];
    const home = run([{ id: 'p', parallel: { branches, end } }, bright(99, 's9')]);
    home.advance(60_000);
    expect([home.sent(), home.timers()]).toEqual([sent, []]);
  });

  test('parallel: branches that end at once go on in a loop, however many there are', () => {
    const home = run([
      { id: 'r', repeat: { times: 1_000, max: 1_000, steps: [{ id: 'p', parallel: { branches: [[]] } }] } },
    ]);
    expect(home.outcomes()).toEqual(['finished']);
    expect(home.timers()).toEqual([]);
  });

  test('one press ends one wait, and not the next one of the same run', () => {
    const presses = ['w1', 'w2'].map((id) => ({ ...opened, id, ...(id === 'w1' ? { to: true } : { to: '*' }) }));
    const home = run([
      { id: 's1', wait_for: { triggers: presses, timeout_s: 60 } },
      bright(5, 's2'),
      { id: 's3', wait_for: { triggers: presses, timeout_s: 60 } },
      bright(6, 's4'),
    ]);
    home.report('door', 'open', true);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":5}']);
    home.report('door', 'open', false);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":5}', '0 s: lamp {"brightness":6}']);
  });

  test('stop ends the run with its outcome', () => {
    const home = run([{ id: 's1', stop: { outcome: 'failed', reason: 'too cold' } }, bright(5, 's2')]);
    expect([home.sent(), home.outcomes()]).toEqual([[], ['failed: too cold']]);
  });

  test('variables are what they were when the run began', () => {
    const home = run([{ id: 's1', delay: { s: 10 } }, bright({ variable: 'level' }, 's2')], {
      variables: { level: { feature: { device: 'spot', key: 'brightness' } } },
    });
    home.report('spot', 'brightness', 80);
    home.advance(20_000);
    expect([home.sent(), home.traces()[0]?.outcome]).toEqual([[], 'finished']);
    expect(home.traces()[0]?.variables).toEqual({ level: 1 });
  });

  test('a thousand rounds leave two hundred lines in the trace, and the count of the rest', () => {
    const home = run([{ id: 'r', repeat: { times: 500, max: 1_000, steps: [{ id: 's1', delay: { s: 1 } }] } }]);
    home.advance(600_000);
    const [trace] = home.traces();
    expect([trace?.steps.length, trace?.stepsLeftOut, trace?.outcome]).toEqual([200, 301, 'finished']);
  });
});

describe('steps that reach outside', () => {
  test('tell people, ask machines, set modes, variables and presence, and switch automations', () => {
    const home = run([
      { id: 's1', notify: { severity: 'info', title: 'It is {operand:n}', operands: { n: { add: [1, 2] } } } },
      { id: 's2', request: { method: 'POST', url: 'http://box.lan/', json: { n: 4 } } },
      { id: 's3', mode: { mode: 'home', value: 'night', for_s: 60 } },
      { id: 's4', variable: { variable: 'x', value: { add: [40, 2] } } },
      { id: 's5', presence_note: { person: 'p1', state: 'home' } },
      { id: 's6', automation: { automation: 'other', do: 'disable' } },
    ]);
    const out = home.effects().filter((effect) => 'pointer' in effect);
    expect(out.map(({ kind }) => kind)).toEqual([
      'notify',
      'request',
      'set_mode',
      'set_variable',
      'note_presence',
      'disable',
    ]);
    expect(out).toMatchObject([
      { operands: { n: 3 } },
      { ref: null, json: { n: 4 } },
      { forS: 60 },
      { value: 42 },
      { person: 'p1' },
      { target: 'other' },
    ]);
    expect([home.mode('home'), home.variable('x')]).toEqual(['night', 42]);
    expect(out.every((effect) => 'cause' in effect && effect.cause.depth === 1)).toBe(true);
  });

  test('a request is waited for, if the step says so', () => {
    const home = run([{ id: 's1', request: { method: 'GET', url: 'http://box.lan/', wait: true } }, bright(5, 's2')]);
    expect(home.sent()).toEqual([]);
    const [ref = ''] = home.effects().flatMap((effect) => (effect.kind === 'request' ? [effect.ref] : []));
    home.send({ kind: 'request_ended', ref: ref ?? '', error: 'connection_failed' });
    expect(home.sent()).toHaveLength(1);
    expect(home.traces()[0]?.steps[0]).toMatchObject({ outcome: 'failed', reason: 'connection_failed' });
  });

  test('another automation is started and stopped', () => {
    const other = automation('b', { steps: [{ id: 's1', delay: { s: 60 } }] });
    const start = rule([
      { id: 's1', automation: { automation: 'b', do: 'run' } },
      { id: 's2', delay: { s: 5 } },
      { id: 's3', automation: { automation: 'b', do: 'stop' } },
    ]);
    const home = createVirtualHome({ devices: DEVICES, automations: [start, other] });
    home.report('motion', 'motion', true);
    home.advance(10_000);
    expect(home.outcomes().toSorted()).toEqual(['finished', 'stopped: by_automation a']);
  });
});

describe('what comes too late', () => {
  const off = { id: 's2', command: { targets: { devices: ['lamp'] }, set: { on: false }, skip_if_same: false } };
  const wait = (more: object = {}) => ({ id: 's1', delay: { s: 60, ...more } });
  const late = (steps: readonly object[], lateS: number, part: object = {}) => {
    const home = run(steps, part);
    home.advance(2_000);
    home.restart({ offMs: 58_000 + lateS * 1_000 });
    home.advance(1_000);
    return home;
  };

  test.each([
    ['an hour late, it goes on', [wait(), bright(5, 's2')], 3_599, 'finished'],
    ['later than that, it is abandoned', [wait(), bright(5, 's2')], 3_601, 'abandoned: late 3601'],
    ['with a limit of its own', [wait({ late_max_s: 60 }), bright(5, 's2')], 61, 'abandoned: late 61'],
    ['what leads to off has no limit', [wait(), off], 1_000_000, 'finished'],
  ])('%s', (...[, steps, lateS, outcome]) => {
    const home = late(steps, lateS);
    expect(home.outcomes()).toEqual([outcome]);
    expect(home.sent()).toHaveLength(outcome === 'finished' ? 1 : 0);
  });

  test('a lock is never moved late', () => {
    const unlock = { id: 's2', command: { targets: { devices: ['lock'] }, set: { locked: false } } };
    const home = late([wait(), unlock, bright(5, 's3')], 20, { allow_sensitive: ['lock'] });
    expect(home.sent().map((one) => one.replace(/.*: /, ''))).toEqual(['lamp {"brightness":5}']);
    expect(home.traces()[0]?.steps[1]).toMatchObject({ outcome: 'failed', reason: { id: 'LATE' } });
  });

  test('a command that was under way is not sent again: its value decides, and what is unclear is said', () => {
    const steps = [{ ...off, command: { ...off.command, set: { on: true }, wait: 'finished', on_failure: 'stop' } }];
    const seen = run(steps);
    seen.restart();
    seen.advance(20_000);
    const lost = run(steps, {}, { answer: 'silence' });
    lost.restart();
    lost.advance(20_000);
    expect([seen.sent().length, seen.outcomes(), seen.traces()[0]?.steps[0]?.reason]).toEqual([
      1,
      ['finished'],
      { id: 'arrived', with: {} },
    ]);
    expect([lost.sent().length, lost.outcomes()]).toEqual([1, ['failed: unclear']]);
  });
});

describe('saving', () => {
  const held = { id: 't1', type: 'feature', device: 'door', key: 'open', to: true, for_s: 60 };
  const version = (number: number, steps: readonly object[], triggers: readonly object[] = [held]) => ({
    ...rule(steps, { triggers }),
    version: number,
  });
  const begun = (one: Automation) => {
    const home = createVirtualHome({ devices: DEVICES, automations: [one] });
    home.report('door', 'open', true);
    home.advance(30_000);
    return home;
  };

  test.each([
    ['a trigger that stays goes on counting', version(2, [bright(6)]), ['60 s: lamp {"brightness":6}']],
    [
      'one that moves to another place too',
      version(2, [bright(6)], [{ id: 't0', type: 'hook' }, held]),
      ['60 s: lamp {"brightness":6}'],
    ],
    ['one that is changed begins anew', version(2, [bright(6)], [{ ...held, for_s: 70 }]), []],
  ])('%s', (_name, next, sent) => {
    const home = begun(version(1, [bright(5)]));
    home.save(next);
    home.advance(120_000);
    expect(home.sent()).toEqual(sent);
  });

  test('saving one automation leaves the others alone', () => {
    const other = automation('b', {});
    const home = createVirtualHome({ devices: DEVICES, automations: [version(1, [bright(5)]), other] });
    home.report('door', 'open', true);
    home.advance(30_000);
    home.save({ ...other, version: 2 });
    home.advance(31_000);
    expect(home.sent()).toEqual(['60 s: lamp {"brightness":5}']);
  });

  test.each([
    ['goes on as it began, if the step at which it waits stays', 10, ['100 s: lamp {"brightness":5}'], 'finished'],
    ['is superseded, if that step is changed', 50, [], 'superseded: step_changed'],
  ])('a run under way %s', (...[, seconds, sent, outcome]) => {
    const delay = (s: number) => ({ id: 'd', delay: { s } });
    const home = begun(version(1, [delay(40), bright(5)]));
    home.advance(31_000);
    home.save(version(2, [delay(seconds === 10 ? 40 : seconds), bright(6)]));
    home.advance(10_000);
    home.restart();
    home.advance(120_000);
    expect([home.sent(), home.outcomes()]).toEqual([sent, [outcome]]);
  });

  test('removing ends its runs and leaves no timer and no entry', () => {
    const home = begun(version(1, [{ id: 'd', delay: { s: 40 } }], [held, { id: 't2', type: 'time', at: '20:00' }]));
    home.advance(31_000);
    home.report('door', 'open', false);
    home.report('door', 'open', true);
    home.send({ kind: 'removed', automation: rule([]).id });
    expect([home.timers(), [...home.entries().keys()], home.outcomes()]).toEqual([[], [], ['stopped: removed']]);
  });

  test('a run whose automation or version nobody knows any more is abandoned', () => {
    const home = run([{ id: 's1', delay: { s: 60 } }]);
    home.forgetAutomations();
    home.restart();
    expect([home.outcomes(), [...home.entries().keys()]]).toEqual([['abandoned: automation_unknown'], []]);
  });
});
