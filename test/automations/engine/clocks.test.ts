import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLiveHome } from '#test/support/automation/live-home.ts';
import { automation, START_MS } from '#test/support/automation/virtual-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { outcomeLine } from '#test/support/automation/outcome-line.ts';

const DEVICES = { motion: { values: { motion: false } }, lamp: { values: { on: false, brightness: 0 } } } as const;
const lamp = (id: string, brightness: number) => ({
  id,
  command: { targets: { devices: ['lamp'] }, set: { brightness }, skip_if_same: false },
});
/** Waits for 60 s, and starts each day at noon and one minute. */
const AUTOMATIONS = [
  automation('waits', {
    mode: { kind: 'parallel', max: 10 },
    triggers: [{ id: 't1', type: 'feature', device: 'motion', key: 'motion' }],
    steps: [lamp('s1', 1), { id: 's2', delay: { s: 60 } }, lamp('s3', 2)],
  } as never),
  automation('daily', {
    triggers: [{ id: 't1', type: 'time', at: '12:01' }],
    steps: [lamp('s1', 3)],
  } as never),
];

type Step = { readonly afterMs: number; readonly what: 'motion' | 'sync' | 'step' | 'restart'; readonly byMs: number };
const MONTH_MS = 30 * 86_400_000;
const script = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 1_000, max: 40_000 }),
    what: fc.constantFrom<Step['what']>('motion', 'sync', 'step', 'restart'),
    byMs: fc.oneof(
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
      fc.integer({ min: -6 * MONTH_MS, max: 6 * MONTH_MS }),
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('the clock of the machine', () => {
  test('is corrected by what it was wrong: what is due next is due that much sooner or later', async () => {
    const time = createManualTime(START_MS);
    let shiftMs = -13_000;
    const clock = { wallMs: () => time.clock.wallMs() + shiftMs, isSynced: () => true };
    const home = await createLiveHome({ devices: DEVICES, automations: AUTOMATIONS, time, clock });
    shiftMs = 0;
    await time.advance(90_000);
    home.hub().end();
    expect(home.given()).toMatchObject([{ text: 'lamp {"brightness":3}', atMs: START_MS + 60_000 }]);
  });

  test('may be in 1970, be set, and jump in either direction: waits take their time, and no day starts twice', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.boolean(), async (steps, isSetAtFirst) => {
        const time = createManualTime(START_MS);
        let shiftMs = isSetAtFirst ? 0 : -START_MS;
        let isSynced = isSetAtFirst;
        const clock = { wallMs: () => time.clock.wallMs() + shiftMs, isSynced: () => isSynced };
        const home = await createLiveHome({ devices: DEVICES, automations: AUTOMATIONS, time, clock });
        let moved = false;
        for (const { afterMs, what, byMs } of steps) {
          await time.advance(afterMs);
          if (what === 'motion') {
            moved = !moved;
            home.report('motion', { motion: moved });
          } else if (what === 'restart') await home.restart();
          else {
            if (what === 'sync') isSynced = true;
            shiftMs = what === 'sync' ? 0 : shiftMs + byMs;
          }
          await time.advance(0);
        }
        await time.advance(90_000);
        home.hub().end();
        const faults: string[] = [];
        for (const { run, text, atMs } of home.given()) {
          if (text !== 'lamp {"brightness":2}') continue;
          const first = home.given().find((one) => one.run === run && one.text === 'lamp {"brightness":1}');
          const tookMs = atMs - (first?.atMs ?? -Infinity);
          if (Math.abs(tookMs - 60_000) > 1_000) faults.push(`a wait of 60 s took ${tookMs} ms`);
        }
        const waited = home.traces().filter(({ automation: id }) => id === 'waits');
        for (const trace of waited) if (trace.outcome !== 'finished') faults.push(outcomeLine(trace));
        const days = home.traces().flatMap(({ automation: id, id: run }) => (id === 'daily' ? [dayOf(run)] : []));
        for (const [at, day] of days.entries()) if (days.indexOf(day) !== at) faults.push(`${day} started twice`);
        expect(faults).toEqual([]);
      }),
      searchOf(1_000),
    );
  });
});

/** The day that the hub thought it was when the run started. A corrected clock moves the times of its trace, not its id. */
function dayOf(run: string): string {
  return new Date(Number.parseInt(run.replace('-', '').slice(0, 12), 16)).toISOString().slice(0, 10);
}
