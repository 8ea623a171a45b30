import { describe, expect, test } from 'vitest';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { createNearMissRing, type NearMiss, NEAR_MISSES_KEPT } from '#core/automation-run/trace/near-miss-ring.ts';

const automation = 'a1' as AutomationId;
describe('the near misses of an automation', () => {
  const miss = (atMs: number, details: Partial<NearMiss> = {}): NearMiss & { epoch: string } => ({
    epoch: 'e',
    automation,
    trigger: 't1',
    device: null,
    key: null,
    reason: { why: 'not_crossed', value: 25.8, limit: 26 },
    atMs,
    ...details,
  });

  test('the same within a minute of the last time is counted, with its newest value', () => {
    const ring = createNearMissRing();
    ring.put(miss(0));
    ring.put(miss(59_000, { reason: { why: 'not_crossed', value: 25.9, limit: 26 } }));
    ring.put(miss(118_000));
    expect(ring.list()).toEqual([expect.objectContaining({ count: 3, atMs: 0, lastAtMs: 118_000 })]);
  });

  test.each([
    ['a minute later', miss(60_000)],
    ['of another trigger', miss(1, { trigger: 't2' })],
    ['for another reason', miss(1, { reason: { why: 'disabled' } })],
    ['before, because the clock went back', miss(-1)],
  ])('one %s is one more', (_name, other) => {
    const ring = createNearMissRing();
    ring.put(miss(0));
    ring.put(other);
    expect(ring.list()).toHaveLength(2);
  });

  test('64 are kept, and the last 16 of them survive a restart', () => {
    const ring = createNearMissRing();
    for (let at = 0; at < 100; at += 1) ring.put(miss(at * 60_000));
    expect(ring.list()).toHaveLength(NEAR_MISSES_KEPT);
    expect(
      createNearMissRing(ring.saved())
        .list()
        .map(({ atMs }) => atMs / 60_000),
    ).toEqual(Array.from({ length: 16 }, (_, at) => 99 - at));
  });

  test.each([
    ['a text of 60 kB', 'x'.repeat(60_000)],
    ['a list of 10,000', Array.from({ length: 10_000 }, () => 'x')],
  ])('the value is kept in short where it is %s, also where it is counted', (_name, value) => {
    const ring = createNearMissRing();
    const long = { reason: { why: 'value_is', value } } as const;
    for (let at = 0; at < 100; at += 1) ring.put(miss(at * 60_000, long));
    ring.put(miss(99 * 60_000 + 1, long));
    expect(ring.list()[0]?.count).toBe(2);
    expect(JSON.stringify(ring.list()).length).toBeLessThan(NEAR_MISSES_KEPT * 1_024);
  });
});
