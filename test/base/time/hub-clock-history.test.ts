import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClockWorld, createClockWorld, TRUE_START_MS } from '#test/support/machine/clock-world.ts';
import { runs, searchOf } from '#test/support/machine/runs.ts';

const HISTORIES = runs(10_000);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The lives of an access token, a refresh token and something short. */
const LIVES_MS = [10 * MINUTE_MS, DAY_MS, 30 * DAY_MS];

type Step =
  | { readonly kind: 'run' | 'sleep'; readonly ms: number }
  | { readonly kind: 'issue'; readonly lifeMs: number }
  | { readonly kind: 'sync' | 'use' | 'write' | 'stop' | 'kill' | 'start' | 'restore' }
  | { readonly kind: 'set' | 'tell'; readonly wallMs: number }
  | {
      readonly kind: 'reboot';
      readonly offMs: number;
      readonly clock: '1970' | 'saved' | 'ahead';
      readonly kill: boolean;
    };

const duration = fc.oneof(
  fc.integer({ min: 1, max: 2 * MINUTE_MS }),
  fc.integer({ min: 1, max: 3 * HOUR_MS }),
  fc.integer({ min: 1, max: 40 * DAY_MS }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('run' as const, 'sleep' as const), ms: duration }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('issue' as const), lifeMs: fc.constantFrom(...LIVES_MS) }) },
  { weight: 5, arbitrary: fc.constant({ kind: 'use' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'sync' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('set' as const, 'tell' as const),
      wallMs: fc.integer({ min: 0, max: TRUE_START_MS * 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reboot' as const),
      offMs: duration,
      clock: fc.constantFrom('1970' as const, 'saved' as const, 'ahead' as const),
      kill: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...(['write', 'stop', 'kill', 'start', 'restore'] as const)).map((kind) => ({ kind })),
  },
);

/**
 * One lifetime as seen by an onlooker who knows the true time. The clock may never say that it is over before
 * `issuedMs + lifeMs` of true time. It must say so once `certainMs` have passed, which is the time that the hub can
 * know: time with the machine on, less what was not on disk when the power went, and true time between two
 * synchronisations.
 */
type Token = {
  readonly epoch: string;
  readonly expiresMs: number;
  readonly issuedMs: number;
  readonly lifeMs: number;
  certainMs: number;
  /** Of it, what is on disk. */
  keptMs: number;
  /** True time and `certainMs` at the first synchronisation of its life; from there on truth can be measured. */
  anchor: { readonly trueMs: number; readonly certainMs: number } | undefined;
  isOver: boolean;
};

/** The onlooker: learns only what happens in the world, and asks the hub nothing. */
function createOnlooker(world: ClockWorld) {
  const tokens: Token[] = [];
  let isTold = false;
  /** The hub, in this boot: what was before it cannot know. */
  let hasStarted = false;
  return {
    tokens,
    started: () => void (hasStarted = true),
    passed: (ms: number) => {
      if (hasStarted) tokens.forEach((token) => (token.certainMs += ms));
    },
    saved: () => {
      const sinceMs = world.trueMs() - world.writtenMs();
      for (const token of tokens) token.keptMs = Math.max(token.keptMs, token.certainMs - sinceMs);
    },
    switchedOff: () => {
      isTold = hasStarted = false;
      tokens.forEach((token) => (token.certainMs = token.keptMs));
    },
    synchronised: () => {
      if (isTold) return;
      isTold = true;
      const trueMs = world.trueMs();
      for (const token of tokens) {
        if (token.anchor === undefined) token.anchor = { trueMs, certainMs: token.certainMs };
        else token.certainMs = Math.max(token.certainMs, token.anchor.certainMs + trueMs - token.anchor.trueMs);
      }
    },
    add: (token: Pick<Token, 'epoch' | 'expiresMs' | 'lifeMs'>) => {
      const anchor = isTold ? { trueMs: world.trueMs(), certainMs: 0 } : undefined;
      const issuedMs = world.trueMs();
      // A power cut now takes the hub back to before it was issued.
      tokens.push({ ...token, issuedMs, certainMs: 0, keptMs: world.writtenMs() - issuedMs, anchor, isOver: false });
    },
  };
}

/** As the hub does it: what is expired is refused once that is on disk. */
async function useAll(world: ClockWorld, tokens: readonly Token[]): Promise<void> {
  const clock = world.clock();
  for (const token of tokens) {
    const nowMs = clock.nowInEpochMs(token.epoch) ?? Number.NaN;
    const isOver = nowMs >= token.expiresMs;
    if (isOver) await clock.confirmPast(token.epoch, token.expiresMs);
    if (Number.isNaN(nowMs)) throw new Error('the epoch of a token is unknown');
    if (token.isOver && !isOver) throw new Error('an expired token has revived');
    const livedMs = world.trueMs() - token.issuedMs;
    if (isOver && livedMs < token.lifeMs) throw new Error(`it expired after ${livedMs} of ${token.lifeMs} ms`);
    if (!isOver && token.certainMs >= token.lifeMs) throw new Error(`it lives for ${token.certainMs} ms already`);
    token.isOver = isOver;
  }
}

async function play(steps: readonly Step[]): Promise<void> {
  const world = createClockWorld();
  const onlooker = createOnlooker(world);
  const { tokens } = onlooker;
  let isSynced = false;
  let writes = 0;
  const start = async (): Promise<void> => {
    if (!world.isUp()) await world.start();
    onlooker.started();
    if (isSynced) onlooker.synchronised();
  };
  const take = async (next: Step): Promise<void> => {
    switch (next.kind) {
      case 'run':
        await world.run(next.ms, 3);
        return onlooker.passed(next.ms);
      case 'sleep':
        await world.sleep(next.ms);
        return onlooker.passed(next.ms);
      case 'issue': {
        await start();
        const epoch = world.clock().epoch();
        const expiresMs = (world.clock().nowInEpochMs(epoch) ?? 0) + next.lifeMs;
        return onlooker.add({ epoch, expiresMs, lifeMs: next.lifeMs });
      }
      case 'use':
        await start();
        return useAll(world, tokens);
      case 'sync':
        await world.sync();
        isSynced = true;
        return world.isUp() ? onlooker.synchronised() : undefined;
      case 'set':
        await world.setWall(next.wallMs);
        isSynced &&= world.isUp();
        return undefined;
      case 'tell':
        if (world.isUp()) await world.clock().tell(next.wallMs);
        return undefined;
      case 'write':
        return world.writeOther();
      case 'start':
        return start();
      case 'kill':
        return world.kill();
      case 'stop':
        return world.stop();
      case 'restore':
        // A backup brings back tokens and not the clock: all that ever were are here anyway.
        await world.stop();
        return start();
      case 'reboot': {
        if (!next.kill && world.isUp()) {
          await world.stop();
          onlooker.saved();
          writes = world.writes();
        }
        const saved = { '1970': 0, saved: world.trueMs() - HOUR_MS, ahead: world.trueMs() + 400 * DAY_MS };
        world.reboot(next.offMs, saved[next.clock]);
        isSynced = false;
        return onlooker.switchedOff();
      }
    }
  };
  for (const next of [...steps, { kind: 'use' } as const]) {
    await take(next);
    // What rides with other writes is not counted on.
    if (world.writes() > writes) onlooker.saved();
    writes = world.writes();
  }
}

test(`C2: in ${HISTORIES} random histories nothing expires early and nothing expired revives`, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), play);
  const details = await fc.check(property, { ...searchOf(10_000), endOnFailure: false });
  expect(details.failed, `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}`).toBe(false);
});
