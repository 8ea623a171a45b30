import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTestClock, DAY_MS, openAuth, OWNER, PEER, reopenAuth } from '#test/support/hub/auth-harness.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/** A model of one session as the API specifies it, without any cryptography. */
type Model = { alive: boolean; current: number; pending: boolean; spentAtMs: Record<number, number> };
type Step =
  | { do: 'refresh'; token: number; disk: boolean }
  | { do: 'use'; access: number; disk: boolean }
  | { do: 'burst'; times: number }
  | { do: 'wait'; ms: number }
  | { do: 'restart' };

const GRACE_MS = 60_000;
const KEPT = 16;

function promote(model: Model, nowMs: number): Model {
  const { alive, current, spentAtMs } = model;
  return { alive, current: current + 1, pending: false, spentAtMs: { ...spentAtMs, [current]: nowMs } };
}

/** The model after a refresh with that generation, and the generation that it gives; `undefined` if it is refused. */
function refreshModel(
  model: Model,
  generation: number,
  now: { ms: number; endMs: number },
): [Model, number | undefined] {
  if (!model.alive || now.ms >= now.endMs) return [model, undefined];
  if (generation < model.current) {
    const isRecent = model.current - generation <= KEPT;
    const inGrace = isRecent && now.ms - (model.spentAtMs[generation] ?? 0) < GRACE_MS;
    return inGrace ? [model, model.current] : [{ ...model, alive: false }, undefined];
  }
  const current = generation > model.current ? promote(model, now.ms) : model;
  return [{ ...current, pending: true }, current.current + 1];
}

describe('any history of a rotating session', () => {
  const disk = fc.boolean();
  const recent = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 14, max: 19 }));
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('refresh' as const), token: recent, disk }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('use' as const), access: recent, disk }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.constantFrom(1, 1000, 20_000, 20_000, 40_000, 40_000, 59_999, 60_000, DAY_MS, 7 * DAY_MS),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('burst' as const), times: fc.constantFrom(1, 2, 3, 15, 16, 17) }),
    },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'restart' }) },
  );

  test('A7: follows the model: retries, lost answers, second tabs, theft, full disks and restarts', async () => {
    const checked = fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { expected, observed } = await play(steps);
        expect(observed).toEqual(expected);
      }),
      searchOf(200),
    );
    await expect(checked).resolves.toBeUndefined();
  });
});

/** Plays the steps on the hub and on the model; `memory` is what the hub knows, `disk` what a restart brings back. */
async function play(steps: readonly Step[]): Promise<{ expected: string[]; observed: string[] }> {
  const hubClock = createTestClock();
  let hub = await openAuth({ hubClock });
  await hub.setUp();
  const login = await hub.logIn({ rotating: true });
  let memory: Model = { alive: true, current: 0, pending: false, spentAtMs: {} };
  let disk = memory;
  const texts = [login.refreshToken];
  const accesses = [{ text: login.accessToken, generation: 0, endMs: hubClock.nowMs() + DAY_MS }];
  const expected: string[] = [];
  const observed: string[] = [];

  const refresh = async (generation: number, isDiskGood: boolean): Promise<void> => {
    const nowMs = hubClock.nowMs();
    const [after, given] = refreshModel(memory, generation, { ms: nowMs, endMs: login.session.expiresAtMs });
    const writes = after !== memory;
    memory = after;
    if (isDiskGood && writes) disk = memory;
    const answer = await hub.signIn.refresh(texts[generation] ?? '', PEER).catch(() => undefined);
    const isGranted = given !== undefined && (isDiskGood || !writes);
    if (isGranted && answer !== undefined) {
      texts[given] ??= answer.refreshToken ?? '';
      accesses.push({ text: answer.accessToken, generation: given, endMs: nowMs + DAY_MS });
    }
    expected.push(isGranted ? (texts[given] ?? '') : 'refused');
    observed.push(answer?.refreshToken ?? 'refused');
  };
  const use = async (access: (typeof accesses)[number], isDiskGood: boolean): Promise<void> => {
    const nowMs = hubClock.nowMs();
    const isGood = memory.alive && nowMs < access.endMs;
    if (isGood && memory.pending && access.generation === memory.current + 1) {
      memory = promote(memory, nowMs);
      if (isDiskGood) disk = memory;
    }
    expected.push(isGood ? OWNER.email : 'nobody');
    observed.push(await hub.who(access.text).catch(() => 'nobody'));
  };

  for (const step of steps) {
    hub.stores.failWith = 'disk' in step && !step.disk ? new Error('disk full') : undefined;
    if (step.do === 'refresh') await refresh(Math.max(0, texts.length - 1 - step.token), step.disk);
    const access = step.do === 'use' ? accesses[Math.max(0, accesses.length - 1 - step.access)] : undefined;
    for (let turn = 0; step.do === 'burst' && turn < step.times; turn += 1) await refresh(texts.length - 1, true);
    if (step.do === 'use' && access !== undefined) await use(access, step.disk);
    // Writes that no call awaits succeed, or fail, before anything else happens.
    await new Promise((resolve) => void setImmediate(resolve));
    hub.stores.failWith = undefined;
    if (step.do === 'wait') hubClock.advance(step.ms);
    if (step.do === 'restart') {
      hub = await reopenAuth(hub);
      memory = disk;
    }
  }
  return { expected, observed };
}
