import * as fc from 'fast-check';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import { decodeRun, encodeRun } from '#core/automation-run/state/run-record.ts';
import { type RunState, shiftRun } from '#core/automation-run/state/run-state.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const RUN: RunState = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  automation: '0199bbbb-0000-7000-8000-000000000001' as AutomationId,
  version: 7,
  trigger: {
    id: 'seen',
    type: 'feature',
    device: '0199cccc-0000-7000-8000-000000000001' as DeviceId,
    key: 'motion',
    from: false,
    value: true,
    quality: 'confirmed',
    action: null,
    atMs: 1_790_000_000_000,
    lateMs: 0,
    cause: null,
    body: null,
  },
  cause: {
    ...DIRECT,
    automation: '0199bbbb-0000-7000-8000-000000000001',
    run: '0199aaaa-0000-7000-8000-000000000001',
    depth: 1,
  },
  startedAtMs: 1_790_000_000_000,
  variables: {},
  isQueued: false,
  lateMs: 0,
  timedOut: {},
  threads: [
    {
      id: 0,
      parent: null,
      base: 1,
      frames: [{ body: 0, index: 1, round: 0, rounds: 0, items: null }],
      wait: { kind: 'delay', untilMs: 1_790_000_060_000, lateMaxMs: 3_600_000 },
    },
  ],
  nextThread: 1,
  nextCommand: 1,
  moved: [],
  lines: 3,
};

/** As it comes back from a disk. */
const overDisk = (run: RunState): RunState | undefined =>
  decodeRun(JSON.parse(JSON.stringify(encodeRun(run))) as JsonValue);

describe('the record of a run', () => {
  test('comes back as it was', () => {
    expect(overDisk(RUN)).toEqual(RUN);
  });

  test('takes some 300 bytes on the disk for a run that waits in a plain list of steps', () => {
    expect(deflateRawSync(JSON.stringify(encodeRun(RUN))).length).toBeLessThan(320);
  });

  test('comes back as it was, for any run', () => {
    const time = fc.integer({ min: 0, max: 2e12 });
    const value = fc.oneof(fc.boolean(), fc.integer(), fc.string({ maxLength: 5 }), fc.constant(null));
    const frame = fc.record({
      body: fc.nat(8),
      index: fc.nat(50),
      round: fc.nat(1_000),
      rounds: fc.nat(1_000),
      items: fc.option(fc.array(value, { maxLength: 3 })),
    });
    const wait = fc.oneof(
      fc.record({ kind: fc.constant('delay' as const), untilMs: time, lateMaxMs: time }),
      fc.record({ kind: fc.constant('retry' as const), untilMs: time, attempt: fc.nat(5) }),
      fc.record({ kind: fc.constant('request' as const), ref: fc.string(), trace: fc.nat(200) }),
      fc.record({
        kind: fc.constant('watch' as const),
        sinceMs: time,
        untilMs: time,
        lateMaxMs: time,
        memories: fc.array(fc.constant({})),
      }),
    );
    const thread = fc.record({
      id: fc.nat(9),
      parent: fc.option(fc.nat(9)),
      base: fc.integer({ min: 1, max: 8 }),
      frames: fc.array(frame, { minLength: 1, maxLength: 4 }),
      wait: fc.option(wait),
    });
    const run = fc.record({
      threads: fc.array(thread, { maxLength: 4 }),
      variables: fc.dictionary(fc.constantFrom('a', 'b'), value),
      timedOut: fc.dictionary(fc.constantFrom('s1', 's2'), fc.boolean()),
      isQueued: fc.boolean(),
      lateMs: time,
      nextThread: fc.nat(20),
    });
    fc.assert(
      fc.property(run, fc.boolean(), (details, isByHand) => {
        const cause = isByHand ? null : { ...DIRECT, depth: 3 };
        const whole = { ...RUN, ...details, trigger: { ...RUN.trigger, cause } };
        expect(overDisk(whole)).toEqual(whole);
      }),
      searchOf(1_000),
    );
  });

  test.each([
    ['null', null],
    ['of another form', { ...encodeRun(RUN), form: 2 }],
    ['without its automation', { ...encodeRun(RUN), automation: null }],
    ['without threads', { ...encodeRun(RUN), threads: 7 }],
    ['a list', []],
  ])('%s is none', (_name, saved) => {
    expect(decodeRun(saved as JsonValue)).toBeUndefined();
  });

  test('moves with a corrected clock', () => {
    expect(shiftRun(RUN, 500)).toMatchObject({
      startedAtMs: RUN.startedAtMs + 500,
      trigger: { atMs: RUN.trigger.atMs + 500 },
      threads: [{ wait: { untilMs: 1_790_000_060_500 } }],
    });
  });
});
