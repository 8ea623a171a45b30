import { describe, expect, test } from 'vitest';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { Engine } from '#core/automation-run/engine.ts';
import { DIRECT } from '#core/cause/cause.ts';
import { automation, createVirtualHome, START_MS } from '#test/support/automation/virtual-home.ts';

const DEVICES = {
  motion: { values: { motion: false } },
  door: { values: { open: false } },
  lamp: { values: { on: false, brightness: 1 } },
  remote: { values: { button: null } },
} as const;

const rule = (
  part: object,
  { id = 'a', ...details }: Omit<Partial<Automation>, 'id'> & { readonly id?: string } = {},
): Automation => automation(id, part, details);
const moves = { id: 't1', type: 'feature', device: 'motion', key: 'motion' };
const bright = (brightness: unknown, id = 's1') => ({
  id,
  command: { targets: { devices: ['lamp'] }, set: { brightness }, skip_if_same: false },
});
const wait = (s: number) => ({ id: 'w', delay: { s } });
const homeOf = (automations: readonly Automation[], more: object = {}) =>
  createVirtualHome({ devices: DEVICES, automations, ...more });

describe('a trigger while a run is under way', () => {
  const flips = (mode: object, count: number) => {
    const home = homeOf([
      rule({
        mode,
        triggers: [moves],
        steps: [bright({ if: [{ compare: { left: { trigger: 'value' }, op: 'eq', right: true } }, 10, 20] }), wait(10)],
      }),
    ]);
    for (let at = 0; at < count; at += 1) {
      home.report('motion', 'motion', at % 2 === 0);
      home.advance(1_000);
    }
    return home;
  };

  test('single: is skipped as busy', () => {
    expect(flips({ kind: 'single', max: 1 }, 3).outcomes()).toEqual(['running', 'skipped: busy', 'skipped: busy']);
  });

  test('restart: ends the run before', () => {
    const outcomes = flips({ kind: 'restart', max: 1 }, 3).outcomes();
    expect(outcomes.map((one) => one.slice(0, 10))).toEqual(['superseded', 'superseded', 'running']);
  });

  test('parallel: starts beside it, up to its number', () => {
    expect(flips({ kind: 'parallel', max: 2 }, 3).outcomes()).toEqual(['running', 'running', 'skipped: busy']);
  });

  test('queued: waits for its turn, with the value of its own start, up to its number', () => {
    const home = flips({ kind: 'queued', max: 2 }, 5);
    expect(home.outcomes()).toEqual(['running', 'running', 'running', 'skipped: queue_full', 'skipped: queue_full']);
    home.advance(60_000);
    expect(home.sent()).toEqual([
      '0 s: lamp {"brightness":10}',
      '10 s: lamp {"brightness":20}',
      '20 s: lamp {"brightness":10}',
    ]);
  });

  test('a condition that does not hold leaves the run under way alone', () => {
    const home = homeOf([
      rule({
        mode: { kind: 'restart', max: 1 },
        triggers: [moves],
        conditions: [{ feature: { device: 'door', key: 'open', is: false } }],
        steps: [wait(10)],
      }),
    ]);
    home.report('motion', 'motion', true);
    home.report('door', 'open', true);
    home.report('motion', 'motion', false);
    expect(home.outcomes()).toEqual(['running', 'not_met: not_met']);
  });

  test('200 runs are the most for all automations together', () => {
    const many = Array.from({ length: 21 }, (_, at) =>
      rule(
        { mode: { kind: 'parallel', max: 10 }, triggers: [moves], steps: [wait(60)] },
        { id: `a${String(at).padStart(2, '0')}` },
      ),
    );
    const home = homeOf(many);
    for (let at = 0; at < 10; at += 1) home.report('motion', 'motion', at % 2 === 0);
    expect(home.outcomes().filter((one) => one === 'running')).toHaveLength(200);
    expect(home.outcomes().filter((one) => one === 'skipped: too_many_runs')).toHaveLength(10);
  });
});

describe('equal triggers', () => {
  const again = { ...moves, id: 't2' };
  const startsBy = (part: object) => {
    const home = homeOf([rule({ mode: { kind: 'parallel', max: 10 }, ...part })]);
    home.report('motion', 'motion', true);
    return home.traces().map(({ trigger, outcome }) => `${trigger.id} ${outcome}`);
  };

  test('are one, with the id of the first', () => {
    expect(startsBy({ triggers: [moves, again] })).toEqual(['t1 finished']);
    expect(startsBy({ triggers: [moves, { ...again, to: true }] })).toEqual(['t1 finished', 't2 finished']);
  });

  test('count each where the document asks for the id', () => {
    const asks = { trigger: { id: 't2' } };
    const both = ['t1 not_met', 't2 finished'];
    expect(startsBy({ triggers: [moves, again], conditions: [asks] })).toEqual(both);
    const steps = [{ id: 's1', choose: { cases: [{ if: { not: asks }, then: [] }] } }];
    expect(startsBy({ triggers: [moves, again], steps })).toEqual(['t1 finished', 't2 finished']);
  });

  test('are called each by its id where they are hooks, and a person may name any', () => {
    const hooks = ['t1', 't2'].map((id) => ({ id, type: 'hook' }));
    const home = homeOf([rule({ triggers: [moves, again] }), rule({ triggers: hooks }, { id: 'b' })]);
    home.send({ kind: 'hook', automation: 'b' as never, trigger: 't2', body: null });
    const byHand = { cause: DIRECT, skipConditions: false } as const;
    home.send({ kind: 'run', automation: 'a' as never, trigger: 't2', ...byHand });
    expect(home.traces().map(({ trigger }) => `${trigger.id} ${trigger.type}`)).toEqual(['t2 hook', 't2 feature']);
  });

  test('are broken where they stand in the document', () => {
    const triggers = [moves, again, { ...moves, id: 't3', to: true }];
    const broken = { state: 'broken', broken: ['/triggers/2/key'] } as const;
    const home = homeOf([rule({ on_broken: 'run_rest', mode: { kind: 'parallel', max: 10 }, triggers }, broken)]);
    home.report('motion', 'motion', true);
    expect([home.outcomes(), home.misses()]).toEqual([['finished'], ['broken']]);
  });

  test('that an edit makes different again remember nothing of before they were equal', () => {
    const long = { type: 'feature', device: 'motion', key: 'motion', to: true, for_s: 60 };
    const other = { type: 'feature', device: 'door', key: 'open', to: true, for_s: 60 };
    const version = (number: number, ...triggers: object[]): Automation =>
      rule({ triggers: triggers.map((one, at) => ({ id: `t${at + 1}`, ...one })) }, { version: number });
    const home = homeOf([version(1, other, long)]);
    home.report('motion', 'motion', true);
    home.advance(10_000);
    home.save(version(2, long, long));
    expect([...home.entries().keys()]).not.toContain('trigger/a/t2');
    home.save(version(3, other, long));
    home.restart();
    home.advance(120_000);
    expect(home.outcomes()).toEqual([]);
  });
});

test('one change is dealt with in pieces of one start each, and so is a start of the hub', () => {
  const ids = Array.from({ length: 20 }, (_, at) => `a${10 + at}`);
  const marks: (readonly [automations: number, runs: number])[] = [[0, 0]];
  const begun = new Set<string>();
  const next = { id: 's2', automation: { automation: 'z', do: 'run' } };
  const home = homeOf(
    [
      ...ids.map((id) => rule({ triggers: [moves, { ...moves, id: 't2', to: true }], steps: [wait(1), next] }, { id })),
      rule({ mode: { kind: 'queued', max: 10 }, steps: [wait(1)] }, { id: 'z' }),
    ],
    {
      afterPiece: ({ automations, runs }: Engine) => {
        for (const run of runs.keys()) begun.add(run);
        marks.push([automations.size, begun.size]);
      },
    },
  );
  home.report('motion', 'motion', true);
  home.advance(60_000);
  expect(marks.at(-1)).toEqual([21, 31]);
  for (const [at, [automations, runs]] of marks.slice(1).entries()) {
    const [automationsBefore = 0, runsBefore = 0] = marks[at] ?? [];
    expect(automations - automationsBefore).toBeLessThanOrEqual(1);
    expect(runs - runsBefore).toBeLessThanOrEqual(1);
  }
});

describe('two automations on one change', () => {
  test('run in the order of their ids, after runs that waited for it', () => {
    const home = homeOf([
      rule({ triggers: [moves], steps: [bright(2)] }, { id: 'b' }),
      rule({ triggers: [moves], steps: [bright(1)] }, { id: 'a' }),
      rule(
        {
          triggers: [{ id: 't1', type: 'feature', device: 'door', key: 'open' }],
          steps: [{ id: 'w', wait_for: { triggers: [moves], timeout_s: 60 } }, bright(3)],
        },
        { id: 'z' },
      ),
    ]);
    home.report('door', 'open', true);
    home.report('motion', 'motion', true);
    expect(home.commands().map(({ command }) => command.automation)).toEqual(['z', 'a', 'b']);
  });
});

describe('an automation that may not run', () => {
  test.each(['disabled', 'suspended', 'broken'] as const)('%s: its trigger is a near miss', (state) => {
    const home = homeOf([rule({ triggers: [moves], steps: [bright(1)] }, { state, broken: ['/steps/0'] })]);
    home.report('motion', 'motion', true);
    expect([home.misses(), home.outcomes(), home.sent()]).toEqual([[state], [], []]);
  });

  test('a broken one runs its whole triggers, if it says so', () => {
    const part = {
      on_broken: 'run_rest',
      triggers: [moves, { ...moves, id: 't2', device: 'door', key: 'open' }],
      steps: [bright(1)],
    };
    const home = homeOf([rule(part, { state: 'broken', broken: ['/triggers/0/device'] })]);
    home.report('motion', 'motion', true);
    expect(home.sent()).toEqual([]);
    home.report('door', 'open', true);
    expect([home.misses(), home.sent()]).toEqual([['broken'], ['0 s: lamp {"brightness":1}']]);
  });

  test('a broken one that runs its whole triggers also runs what is in its queue, over a restart', () => {
    const part = {
      on_broken: 'run_rest',
      mode: { kind: 'queued', max: 5 },
      triggers: [moves, { ...moves, id: 't2', device: 'door', key: 'open' }],
      steps: [wait(60), bright(1)],
    };
    const home = homeOf([rule(part, { state: 'broken', broken: ['/triggers/0/device'] })]);
    home.report('door', 'open', true);
    home.report('door', 'open', false);
    home.advance(30_000);
    home.restart();
    home.advance(200_000);
    expect([home.sent().length, home.outcomes()]).toEqual([2, ['finished', 'finished']]);
  });

  test('where the signer has lost a right, the first command suspends it and stops its runs', () => {
    const home = homeOf([rule({ triggers: [moves], steps: [bright(1), wait(10), bright(2)] })], { answer: 'refusal' });
    home.report('motion', 'motion', true);
    home.advance(60_000);
    home.report('motion', 'motion', false);
    expect(home.effects()).toContainEqual({ kind: 'suspend', automation: 'a', code: 'RIGHTS_MISSING' });
    expect([home.sent().length, home.outcomes(), home.misses()]).toEqual([
      1,
      ['failed: RIGHTS_MISSING'],
      ['suspended'],
    ]);
    expect(home.traces()[0]?.steps[0]).toMatchObject({ outcome: 'failed', command: { status: 'refused' } });
  });

  test('disabling stops its runs', () => {
    const one = rule({ triggers: [moves], steps: [wait(10), bright(2)] });
    const home = homeOf([one]);
    home.report('motion', 'motion', true);
    home.save({ ...one, state: 'disabled' });
    home.advance(60_000);
    expect([home.sent(), home.outcomes()]).toEqual([[], ['stopped: disabled']]);
  });
});

describe('other starts', () => {
  test('a person starts it, conditions and all, or without them', () => {
    const home = homeOf([
      rule({
        triggers: [moves],
        conditions: [{ feature: { device: 'door', key: 'open', is: true } }],
        steps: [bright(1)],
      }),
    ]);
    const run = { kind: 'run', automation: rule({}).id, trigger: 't1', cause: DIRECT } as const;
    home.send({ ...run, skipConditions: false });
    home.send({ ...run, skipConditions: true });
    expect(home.outcomes()).toEqual(['not_met: not_met', 'finished']);
  });

  test('a hook brings its body', () => {
    const home = homeOf([rule({ triggers: [{ id: 'h', type: 'hook' }], steps: [bright({ trigger: '/level' })] })]);
    home.send({ kind: 'hook', automation: rule({}).id, trigger: 'h', body: { level: 42 } });
    home.send({ kind: 'hook', automation: rule({}).id, trigger: 'none', body: null });
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":42}']);
  });

  test('a press starts it each time', () => {
    const home = homeOf([
      rule({
        triggers: [{ id: 't1', type: 'occurrence', device: 'remote', key: 'button', action: 'single' }],
        steps: [bright(1)],
      }),
    ]);
    home.press('remote', 'single');
    home.press('remote', 'double');
    home.press('remote', 'single');
    expect(home.sent()).toHaveLength(2);
  });

  test('the start of the hub and a clock that is set do', () => {
    const home = homeOf([
      rule({
        triggers: [
          { id: 't1', type: 'hub', on: 'started' },
          { id: 't2', type: 'hub', on: 'clock_set' },
        ],
        steps: [bright({ if: [{ trigger: { id: 't2' } }, 2, 1] })],
      }),
    ]);
    home.setClock(0);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":1}', '0 s: lamp {"brightness":2}']);
  });

  test('the failure of another automation does, one level deeper', () => {
    const home = homeOf([
      rule({ triggers: [moves], steps: [{ id: 's1', stop: { outcome: 'failed', reason: 'on purpose' } }] }),
      rule(
        { triggers: [{ id: 't1', type: 'automation', automation: 'a', outcome: 'failed' }], steps: [bright(1)] },
        { id: 'b' },
      ),
    ]);
    home.report('motion', 'motion', true);
    expect(home.outcomes().toSorted()).toEqual(['failed: on purpose', 'finished']);
    expect(home.commands()[0]?.command.cause).toMatchObject({ automation: 'b', depth: 2 });
  });

  test('the mode and a variable do, and see the values before and after', () => {
    const home = homeOf([
      rule({
        triggers: [
          { id: 't1', type: 'mode', mode: 'home', to: 'night', from: 'home' },
          { id: 't2', type: 'variable', variable: 'x' },
        ],
        steps: [bright({ if: [{ trigger: { id: 't1' } }, 1, { trigger: 'value' }] })],
      }),
    ]);
    home.setMode('home', 'night');
    home.setMode('home', 'night');
    home.setVariable('x', 7);
    expect(home.sent()).toEqual(['0 s: lamp {"brightness":1}', '0 s: lamp {"brightness":7}']);
  });
});

describe('a time of the clock', () => {
  const daily = (more: object = {}) =>
    rule({ triggers: [{ id: 't1', type: 'time', at: '13:00', ...more }], steps: [bright(1)] });

  test('waits until the clock is set, and is then made up for if it is not too late', () => {
    const home = homeOf([daily()], { isClockSet: false });
    home.advance(3_700_000);
    expect([home.sent(), home.misses()]).toEqual([[], ['clock_unset']]);
    home.setClock(0);
    home.advance(1);
    expect(home.sent()).toHaveLength(1);
    expect(home.traces()[0]?.trigger).toMatchObject({ lateMs: 100_000 });
  });

  test.each([
    ['skip', 60_000, 0],
    ['always', 40_000_000, 1],
    [{ run_late_s: 60 }, 59_000, 1],
    [{ run_late_s: 60 }, 61_000, 0],
    [undefined, 299_000, 1],
    [undefined, 301_000, 0],
  ])('missed: %j, %i ms late: %i starts', (missed, lateMs, count) => {
    const home = homeOf([daily(missed === undefined ? {} : { missed })]);
    home.restart({ offMs: 3_600_000 + lateMs });
    home.advance(1);
    expect(home.sent()).toHaveLength(count);
  });

  test('of many that were missed, only the last is made up for', () => {
    const home = homeOf([daily({ missed: 'always' })]);
    home.restart({ offMs: 5 * 86_400_000 });
    home.advance(1);
    expect(home.sent()).toHaveLength(1);
  });

  test('was not missed while it was disabled, nor before it was saved', () => {
    const one = daily({ missed: 'always' });
    const home = homeOf([one]);
    home.save({ ...one, state: 'disabled' });
    home.advance(7_200_000);
    home.save({ ...one, state: 'ready' });
    home.advance(1);
    expect(home.sent()).toEqual([]);
    home.save({ ...daily({ missed: 'always', at: '13:30' }), version: 2, signedAtMs: START_MS + 7_200_000 });
    home.advance(1);
    home.restart();
    home.advance(1);
    expect(home.sent()).toEqual([]);
  });

  test('half a year forward and back again misses nothing of today', () => {
    const home = homeOf([daily()]);
    home.setClock(180 * 86_400_000);
    home.advance(3_600_000 + 10_000);
    home.setClock(-180 * 86_400_000);
    home.advance(86_400_000);
    expect(home.outcomes()).toHaveLength(2);
  });
});
