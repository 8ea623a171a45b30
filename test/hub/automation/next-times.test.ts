import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { createNextFirings } from '#hub/automation/next-times.ts';

const NEXT = createNextFirings({
  hubClock: { nowMs: () => Date.parse('2026-11-20T12:00:00Z'), source: () => 'none' },
  place: { location: () => undefined, isFree: () => false },
  timeZone: () => createTimeZone('UTC'),
  variables: { findVariable: () => undefined },
});
const triggersOf = (triggers: readonly unknown[]) => ({ triggers }) as unknown as Definition;

test('only what starts by the clock waits for it while it is not set', async () => {
  const timed = triggersOf([{ id: 't1', type: 'time', at: '06:45' }]);
  expect(await NEXT(timed, true)).toEqual({ firings: [], waitsFor: 'clock' });
  const seen = triggersOf([{ id: 't1', type: 'feature', device: 'd', key: 'motion', to: true }]);
  expect(await NEXT(seen, true)).toEqual({ firings: [], waitsFor: 'none' });
});
