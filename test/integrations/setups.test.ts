import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Setup } from '#core/integration/setup-step.ts';
import type { IntegrationKind, SetupResult } from '#integrations/kind.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { createSetups, type SetupPerson, type Setups } from '#integrations/setups.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createToyWorld, plainToyKind, toyKind } from '#test/support/kinds/toy-kind.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const HOST = '192.168.1.20';
const FOUND = { kind: 'toy_box', discovery: { uniqueId: 'box-1', name: 'Box', settings: { host: HOST } } };

function openBench(given: { readonly kinds?: (kind: IntegrationKind) => readonly IntegrationKind[] } = {}) {
  const world = createToyWorld();
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const kinds = (given.kinds ?? ((kind) => [kind, plainToyKind()]))(toyKind(world));
  const instances = new Map<string, SetupResult>();
  const changes: Setup[] = [];
  const takenBack: string[] = [];
  const disk = { isFull: false };
  let ids = 0;
  const setups = createSetups({
    findKind: (id) => kinds.find((kind) => kind.id === id),
    refuseStart: () => undefined,
    findDiscovery: (id) => (id === 'found-1' ? FOUND : undefined),
    rules: {
      isLanAddress: (address) => /^(127|192\.168)\./.test(address),
      isOwnAddress: (address) => address.startsWith('127.'),
      hasInstance: () => false,
    },
    portsOf: ({ signal }) => ({ clock: time.clock, startTimer: time.startTimer, log, signal }) as SetupPorts,
    keep: async (kind, result, { authorize }) => {
      await Promise.resolve();
      authorize();
      if (disk.isFull) throw new HubError('STORAGE_FULL', 'The disk is full.');
      const isRenewal = result.uniqueId !== null && instances.has(result.uniqueId);
      instances.set(result.uniqueId ?? kind.id, result);
      return { instance: kind.id, isRenewal };
    },
    startedInstance: (_id, signal) => ({
      connected: () => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      pair: async function* () {},
    }),
    takeBack: async (instance) => instances.delete(instance),
    onChange: (setup) => void changes.push(setup),
    newId: () => `setup-${(ids += 1)}`,
    clock: time.clock,
    startTimer: time.startTimer,
    log,
  });
  const person = (userId = 'ada') => {
    const rights = { isAllowed: true, isOwner: false };
    const authorize = (): void => {
      if (!rights.isAllowed) throw new HubError('FORBIDDEN', 'no more');
    };
    const who: SetupPerson = {
      userId,
      authorize,
      mayReachHub: () => rights.isOwner,
      onKept: async () => undefined,
      onTakenBack: async (id) => void takenBack.push(id),
    };
    return { who, rights };
  };
  return { world, time, lines, setups, instances, changes, takenBack, disk, person };
}

/** Waits for a call that waits for a kind, turning the clock. */
async function turning<Result>(bench: ReturnType<typeof openBench>, call: Promise<Result>, ms = 0): Promise<Result> {
  const late = { isDone: false };
  const done = call.finally(() => (late.isDone = true));
  done.catch(() => undefined);
  await bench.time.advance(ms);
  for (let tries = 0; !late.isDone && tries < 20; tries += 1) await bench.time.advance(1_000);
  return done;
}
type Answers = (answer: JsonObject) => Promise<Setup>;
async function begin(
  bench: ReturnType<typeof openBench>,
  who = bench.person().who,
): Promise<{ id: string; say: Answers }> {
  const { setup } = await turning(bench, bench.setups.start({ kind: 'toy_box' }, who));
  const say: Answers = async (answer) => (await turning(bench, bench.setups.answer(setup.id, answer))).setup;
  return { id: setup.id, say };
}
const stateOf = ({ findSetup }: Setups, id: string): unknown => {
  const setup = findSetup(id)?.setup;
  return setup && [setup.status, setup.step?.type ?? null, setup.error?.code ?? null];
};

test('a set-up goes through its steps and ends in an instance with its secrets', async () => {
  const bench = openBench();
  const { id, say } = await begin(bench);
  expect(stateOf(bench.setups, id)).toEqual(['running', 'form', null]);
  expect(await say({ host: HOST, key: 'k' })).toMatchObject({ step: { type: 'busy', text: 'Looking for the box.' } });
  await bench.time.advance(1_000);
  expect(stateOf(bench.setups, id)).toEqual(['running', 'choose', null]);
  bench.world.isPressed = false;
  expect(await say({ option: 'red' })).toMatchObject({ step: { type: 'act', untilMs: Date.UTC(2026, 0, 1) + 61_000 } });
  bench.world.isPressed = true;
  await bench.time.advance(2_000);
  expect(await say({})).toEqual({
    id,
    kind: 'toy_box',
    status: 'done',
    step: null,
    instance: 'toy_box',
    isRenewal: false,
    error: null,
  });
  expect([...bench.instances.values()]).toEqual([
    { uniqueId: 'box-1', name: 'The red box', settings: { host: HOST, room: null }, secrets: { key: 'k' } },
  ]);
  expect([bench.world.open.size, bench.world.files.size, bench.time.pendingMs()]).toEqual([0, 0, []]);
});

test('a busy step is seen while the kind works, and each step is reported once', async () => {
  const bench = openBench();
  const { say } = await begin(bench);
  await say({ host: HOST });
  await bench.time.advance(2_000);
  expect(bench.changes.map(({ step }) => step?.type ?? null)).toEqual(['form', null, 'busy', 'choose']);
});

test('a form with wrong values comes again with its errors and without its secrets', async () => {
  const bench = openBench();
  const { say } = await begin(bench);
  const again = await say({ host: '127.0.0.1', key: 'hush', room: 7, toys: 'all', deep: { in: 'it' } });
  expect(again).toMatchObject({
    status: 'running',
    step: { type: 'form', values: { host: '127.0.0.1', room: 7 }, errors: [{ pointer: '/host' }, {}, {}, {}] },
  });
  expect(JSON.stringify(bench.changes)).not.toContain('hush');
  expect(await say({ host: HOST, key: 'hush' })).toMatchObject({ step: { type: 'busy' } });
  expect(JSON.stringify(bench.changes)).not.toContain('hush');
});

test('only an owner may name an address of the hub, and that counts as of the answer', async () => {
  const bench = openBench();
  const { who, rights } = bench.person();
  const { say } = await begin(bench, who);
  expect(await say({ host: '127.0.0.1' })).toMatchObject({ step: { type: 'form' } });
  rights.isOwner = true;
  expect(await say({ host: '127.0.0.1' })).toMatchObject({ step: { type: 'busy' } });
});

test('a found thing fills in the form', async () => {
  const bench = openBench();
  const { setup } = await bench.setups.start({ thing: 'found-1' }, bench.person().who);
  expect(setup).toMatchObject({ kind: 'toy_box', step: { type: 'form', values: { host: HOST } } });
});

test('a kind without a set-up asks for its settings', async () => {
  const bench = openBench();
  const { setup } = await bench.setups.start({ kind: 'plain_box' }, bench.person().who);
  expect(setup.step).toMatchObject({ type: 'form', values: {}, fields: { host: { type: 'host' } } });
  await bench.setups.answer(setup.id, { host: HOST, key: 'k' });
  expect(stateOf(bench.setups, setup.id)).toEqual(['done', null, null]);
  expect([...bench.instances.values()]).toEqual([
    { uniqueId: null, name: 'Plain box', settings: { host: HOST, room: null }, secrets: { key: 'k' } },
  ]);
});

describe('an answer is refused', () => {
  const refusals: readonly [what: string, answer: JsonObject, pointer: string][] = [
    ['with an unknown option', { option: 'green' }, '/answer/option'],
    ['without an option', {}, '/answer/option'],
    ['with an option of another type', { option: ['red'] }, '/answer/option'],
    ['with more than it was asked for', { option: 'red', lid: 1 }, '/answer/lid'],
  ];
  test.each(refusals)('%s, and the step stays', async (_what, answer, pointer) => {
    const bench = openBench();
    const { id, say } = await begin(bench);
    await say({ host: HOST });
    await bench.time.advance(1_000);
    await expect(bench.setups.answer(id, answer)).rejects.toMatchObject({ options: { errors: [{ pointer }] } });
    expect(stateOf(bench.setups, id)).toEqual(['running', 'choose', null]);
    expect(await say({ option: 'red' })).toMatchObject({ status: 'running' });
  });

  test('if the set-up was answered already, works, or is over', async () => {
    const bench = openBench();
    const { id } = await begin(bench);
    const both = [bench.setups.answer(id, { host: HOST }), bench.setups.answer(id, { host: '10.0.0.1' })];
    const results = await turning(bench, Promise.allSettled(both));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(bench.setups.answer(id, {})).rejects.toMatchObject({ options: {} });
    await bench.time.advance(15 * 60_000);
    expect(stateOf(bench.setups, id)).toEqual(['failed', null, 'timed_out']);
    await expect(bench.setups.answer(id, {})).rejects.toMatchObject({ code: 'SETUP_NOT_WAITING' });
    await expect(bench.setups.answer('nothing', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('a set-up that is left open ends after 15 minutes, and its kind undoes what it did', async () => {
  const bench = openBench();
  const { id, say } = await begin(bench);
  await say({ host: HOST });
  await bench.time.advance(1_000);
  expect(bench.world.files.size).toBe(1);
  await bench.time.advance(15 * 60_000);
  expect(stateOf(bench.setups, id)).toEqual(['failed', null, 'timed_out']);
  expect([bench.world.open.size, bench.world.files.size, bench.time.pendingMs()]).toEqual([0, 0, []]);
});

test.each([
  ['while it waits for a person', 1_000],
  ['while the kind works', 0],
])('a set-up that is ended %s is undone and gone', async (_when, ms) => {
  const bench = openBench();
  const { id, say } = await begin(bench);
  await say({ host: HOST });
  await bench.time.advance(ms);
  await turning(bench, bench.setups.end(id));
  expect(stateOf(bench.setups, id)).toBeUndefined();
  expect([bench.world.open.size, bench.world.files.size, bench.time.pendingMs()]).toEqual([0, 0, []]);
  await expect(bench.setups.end(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a kind that does not end holds nobody up for longer than ten seconds, and the log says so', async () => {
  const stuck = (kind: IntegrationKind): IntegrationKind => ({
    ...kind,
    load: async () => ({
      ...(await kind.load()),
      setUp: async function* () {
        yield { type: 'busy', text: 'Working.' };
        await new Promise(() => undefined);
        throw new Error('never');
      },
    }),
  });
  const bench = openBench({ kinds: (kind) => [stuck(kind)] });
  const { setup } = await bench.setups.start({ kind: 'toy_box' }, bench.person().who);
  await bench.time.advance(0);
  const ended = bench.setups.end(setup.id);
  await bench.time.advance(10_000);
  await ended;
  expect(bench.lines.join('\n')).toContain('a set-up does not end');
  expect(bench.time.pendingMs()).toEqual([]);
});

test('a kind that goes on for ever without waiting is ended, and the hub goes on meanwhile', async () => {
  const endless = (kind: IntegrationKind): IntegrationKind => ({
    ...kind,
    load: async () => ({
      ...(await kind.load()),
      setUp: async function* () {
        for (let count = 0; ; count += 1) yield { type: 'busy', text: `Working ${count}.` };
      },
    }),
  });
  const bench = openBench({ kinds: (kind) => [endless(kind)] });
  const { setup } = await bench.setups.start({ kind: 'toy_box' }, bench.person().who);
  for (let turns = 0; turns < 2_100; turns += 1) await bench.time.advance(0);
  expect(stateOf(bench.setups, setup.id)).toEqual(['failed', null, 'failed']);
});

test.each<[string, Error, string, string]>([
  ['its own words', new HubError('INTEGRATION_DOWN', 'The box sleeps.'), 'integration_down', 'The box sleeps.'],
  ['no stack or secret of a fault', new Error('at /usr/lib: key=hush'), 'failed', 'The set-up failed.'],
])('a set-up that throws is failed and shows %s', async (...[, failure, code, message]) => {
  const bench = openBench();
  const { say } = await begin(bench);
  bench.world.failure = failure;
  const failed = await say({ host: HOST });
  expect(failed).toMatchObject({ status: 'failed', step: null, error: { code } });
  expect(failed.error?.message).toContain(message);
  expect(JSON.stringify(failed)).not.toContain('hush');
  expect([bench.instances.size, bench.world.open.size]).toEqual([0, 0]);
});

test('an instance that cannot be written leaves a failed set-up, and the next one succeeds', async () => {
  const bench = openBench();
  bench.disk.isFull = true;
  const { setup } = await bench.setups.start({ kind: 'plain_box' }, bench.person().who);
  const failed = await bench.setups.answer(setup.id, { host: HOST });
  expect([failed.setup.status, failed.setup.error?.code]).toEqual(['failed', 'storage_full']);
  bench.disk.isFull = false;
  const next = await bench.setups.start({ kind: 'plain_box' }, bench.person().who);
  expect((await bench.setups.answer(next.setup.id, { host: HOST })).setup.status).toBe('done');
});

test('a thing that is set up again renews its instance, and the set-up says so', async () => {
  const bench = openBench();
  for (const expected of [false, true]) {
    const { say } = await begin(bench);
    await say({ host: HOST });
    await bench.time.advance(1_000);
    await say({ option: 'red' });
    await bench.time.advance(1_000);
    expect(await say({})).toMatchObject({ status: 'done', isRenewal: expected });
  }
  expect(bench.instances.size).toBe(1);
});

test('eight set-ups run at the same time; a ninth ends the oldest of its person, or is refused; a person has one for each kind', async () => {
  const bench = openBench();
  const first = await begin(bench, bench.person('p0').who);
  for (let index = 1; index < 8; index += 1) await begin(bench, bench.person(`p${index}`).who);
  const ninth = bench.setups.start({ kind: 'toy_box' }, bench.person('p8').who);
  await expect(ninth).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  const again = await begin(bench, bench.person('p0').who);
  expect(stateOf(bench.setups, first.id)).toEqual(['failed', null, 'started_again']);
  expect(stateOf(bench.setups, again.id)).toEqual(['running', 'form', null]);
  expect(bench.world.open.size).toBe(8);
  await bench.setups.start({ kind: 'plain_box' }, bench.person('p0').who);
  expect(stateOf(bench.setups, again.id)).toEqual(['failed', null, 'ended']);
  expect(bench.world.open.size).toBe(7);
});

test('two starts at once by one person leave one set-up', async () => {
  const bench = openBench();
  await begin(bench);
  const who = bench.person().who;
  await turning(bench, Promise.all([1, 2, 3].map(() => bench.setups.start({ kind: 'toy_box' }, who))));
  expect(bench.world.open.size).toBe(1);
});

test('a person who lost the right cannot finish, even if nothing more is asked', async () => {
  const bench = openBench();
  const { who, rights } = bench.person();
  const { id, say } = await begin(bench, who);
  await say({ host: HOST });
  await bench.time.advance(1_000);
  bench.world.isPressed = false;
  await say({ option: 'red' });
  rights.isAllowed = false;
  bench.world.isPressed = true;
  await bench.time.advance(3_000);
  expect(stateOf(bench.setups, id)).toEqual(['failed', null, 'forbidden']);
  expect([bench.instances.size, bench.world.open.size]).toEqual([0, 0]);
});

test('a review of rights ends the set-ups of people who lost them, and no others', async () => {
  const bench = openBench();
  const { who, rights } = bench.person('eve');
  const lost = await begin(bench, who);
  const kept = await begin(bench, bench.person('ada').who);
  rights.isAllowed = false;
  bench.setups.reviewRights();
  await bench.time.advance(0);
  expect(stateOf(bench.setups, lost.id)).toEqual(['failed', null, 'forbidden']);
  expect(stateOf(bench.setups, kept.id)).toEqual(['running', 'form', null]);
});

test('the end of the hub leaves no generator and no timer', async () => {
  const bench = openBench();
  await begin(bench);
  await turning(bench, bench.setups.stop());
  expect([bench.world.open.size, bench.time.pendingMs()]).toEqual([0, []]);
});

test('no unknown kind or found thing is set up', async () => {
  const { setups, person } = openBench();
  await expect(setups.start({ kind: 'constructor' }, person().who)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(setups.start({ thing: 'x' }, person().who)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

const RIGHT = { form: { host: HOST }, choose: { option: 'red' }, act: {}, busy: {}, show: {} } as const;
const WRONG: readonly JsonObject[] = [{}, { option: 'red' }, { option: 1 }, { host: 1, key: 'k' }];
// Few, so that acts meet the set-ups of earlier ones; more than may run.
const who = fc.oneof(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 9 }));
const often = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });
const act = fc.oneof(
  often(3, fc.record({ do: fc.constant('start' as const), who })),
  often(12, fc.record({ do: fc.constant('answer' as const), who, answer: fc.constant('right' as const) })),
  often(3, fc.record({ do: fc.constant('answer' as const), who, answer: fc.constantFrom<JsonObject>(...WRONG) })),
  often(10, fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 500, 1_000, 2_000) })),
  often(1, fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(61_000, 15 * 60_000) })),
  often(1, fc.record({ do: fc.constant('end' as const), who })),
  often(1, fc.record({ do: fc.constant('press' as const), isPressed: fc.boolean() })),
  often(
    1,
    fc.record({
      do: fc.constant('fail' as const),
      failure: fc.constantFrom(new Error('x'), new HubError('STORAGE_FULL', 'x')),
    }),
  ),
  often(1, fc.record({ do: fc.constant('fill' as const), isFull: fc.boolean() })),
  often(1, fc.record({ do: fc.constant('demote' as const), who })),
);

const RIGHT_ANSWER = { do: 'answer', who: 0, answer: 'right' } as const;
const PASS = { do: 'pass', ms: 2_000 } as const;
/** A set-up that is finished, which a short search need not find by itself. */
const FINISHED = [{ do: 'start', who: 0 } as const, RIGHT_ANSWER, PASS, RIGHT_ANSWER, RIGHT_ANSWER, PASS];

test('X: whatever people, kinds and clocks do, only finished set-ups leave anything behind', async () => {
  let finished = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 80 }), async (acts) => {
      const bench = openBench();
      const people = Array.from({ length: 10 }, (_, index) => bench.person(`p${index}`));
      const started = new Map<number, string>();
      const calls: Promise<unknown>[] = [];
      const track = (call: Promise<unknown>): void => {
        calls.push(
          call.catch((cause: unknown) => {
            if (!(cause instanceof HubError)) throw cause;
          }),
        );
      };
      for (const one of acts) {
        if (one.do === 'start') {
          const { who } = people[one.who] ?? bench.person();
          const starting = bench.setups
            .start({ kind: 'toy_box' }, who)
            .then(({ setup }) => started.set(one.who, setup.id));
          track(starting);
        } else if (one.do === 'answer') {
          const id = started.get(one.who) ?? '';
          const right = RIGHT[bench.setups.findSetup(id)?.setup.step?.type ?? 'show'];
          track(bench.setups.answer(id, one.answer === 'right' ? right : one.answer));
        } else if (one.do === 'end') track(bench.setups.end(started.get(one.who) ?? ''));
        else if (one.do === 'press') bench.world.isPressed = one.isPressed;
        else if (one.do === 'fail') bench.world.failure = one.failure;
        else if (one.do === 'fill') bench.disk.isFull = one.isFull;
        else if (one.do === 'demote') Object.assign(people[one.who]?.rights ?? {}, { isAllowed: false });
        await bench.time.advance(one.do === 'pass' ? one.ms : 0);
        expect(bench.world.open.size).toBeLessThanOrEqual(8);
      }
      await bench.time.advance(16 * 60_000);
      await Promise.all(calls);
      finished += bench.instances.size;
      const isDone = bench.changes.some(({ status }) => status === 'done');
      expect(bench.instances.size > 0).toBe(isDone);
      expect([bench.world.open.size, bench.world.files.size, bench.time.pendingMs()]).toEqual([0, 0, []]);
    }),
    { ...searchOf(4_000), examples: [[FINISHED]] },
  );
  // A search in which no set-up is ever finished proves little.
  expect(finished).toBeGreaterThan(0);
});

describe('a set-up that goes on once its instance is there', () => {
  const BUSY = { type: 'busy', text: 'Looking …' } as const;
  const RESULT: SetupResult = { uniqueId: 'box-1', name: 'Box', settings: {}, secrets: {} };
  const openWith = (goOn: NonNullable<SetupResult['goOn']>, isKnown = false) => {
    const setUp = async function* () {
      yield BUSY;
      return { ...RESULT, goOn };
    };
    const bench = openBench({
      kinds: (kind) => [{ ...kind, load: async () => ({ ...(await kind.load()), setUp }) }],
    });
    if (isKnown) bench.instances.set('box-1', RESULT);
    return bench;
  };

  test('is done after its rest', async () => {
    const bench = openWith(async function* () {
      yield { type: 'show', text: 'Here', code: '1' };
    });
    const { id, say } = await begin(bench);
    expect(stateOf(bench.setups, id)).toEqual(['running', 'show', null]);
    expect(await say({})).toMatchObject({ status: 'done', instance: 'toy_box' });
    expect(bench.takenBack).toEqual([]);
  });

  // The third one has a device that joined just then: it stays, and its set-up is done.
  test.each([
    [false, 'failed', 'not_supported', ['toy_box']],
    [true, 'failed', 'not_supported', []],
    [false, 'done', null, []],
  ])('when its rest fails (was there before: %s) it is %s, %s', async (isKnown, status, ...[code, expected]) => {
    const bench = openWith(async function* () {
      yield BUSY;
      throw new HubError('NOT_SUPPORTED', 'It does not fit.');
    }, isKnown);
    if (status === 'failed') bench.instances.set('toy_box', RESULT);
    const { id } = await begin(bench);
    expect(stateOf(bench.setups, id)).toEqual([status, null, code]);
    expect(bench.takenBack).toEqual(expected);
  });

  test('takes it back when a person ends it while it waits, after the undo of the kind', async () => {
    const order: string[] = [];
    const bench = openWith(async function* ({ connected }) {
      try {
        yield BUSY;
        await connected();
      } finally {
        order.push(`undone, ${bench.takenBack.length} taken back`);
      }
    });
    bench.instances.set('toy_box', RESULT);
    const { id } = await begin(bench);
    expect(stateOf(bench.setups, id)).toEqual(['running', 'busy', null]);
    await turning(bench, bench.setups.end(id));
    expect(order).toEqual(['undone, 0 taken back']);
    expect(bench.takenBack).toEqual(['toy_box']);
  });
});
