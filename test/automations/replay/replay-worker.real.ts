import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startSystemTimer } from '#base/time/timer.ts';
import { simulateWith } from '#automations/replay/replay-worker.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { usedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createHistory, createNoHours } from '#test/core/past/history/sampled-history.ts';
import { deviceOf } from '#test/support/automation/virtual-device.ts';
import { automation } from '#test/support/automation/virtual-home.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

const START_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const simulate = simulateWith(new URL('replay-thread.mjs', pathToFileURL(BUNDLE)));

const PART = {
  triggers: [{ id: 'seen', type: 'feature', device: 'motion', key: 'motion', to: true }],
  steps: [{ id: 's1', command: { targets: { devices: ['motion'] }, set: { motion: false } } }],
} as unknown as Partial<Definition>;
const DEVICES = [deviceOf('motion', { values: { motion: false } }, 0)];
const SOURCES = { devices: DEVICES, findScene: () => undefined, people: [], modes: [], variables: [] };

function ask(samples: readonly Sample[], signal = new AbortController().signal) {
  const { id, version, definition } = automation('hall', PART);
  const used = usedSeries([definition], SOURCES);
  const window = { fromMs: START_MS, toMs: START_MS + 2 * DAY_MS };
  // The hub ran all the time.
  const history = createHistory([{ atMs: START_MS - DAY_MS, value: true }], 3);
  const own = createHistory(samples, 3);
  const of = (series: string) => (series === 'motion/motion' ? own : history);
  return simulate(
    {
      history: {
        findBefore: (series, atMs) => of(series).findBefore(series, atMs),
        readSlice: (range, afterMs) => of(range.series).readSlice(range, afterMs),
      },
      hours: createNoHours(),
      isRecorded: () => true,
      startTimer: startSystemTimer,
    },
    {
      used,
      window,
      signal,
      job: {
        automation: { id, version, definition },
        compareTo: null,
        reality: null,
        window,
        world: 'recorded',
        inputs: new Map(),
        home: { devices: used.devices, scenes: used.scenes, people: [] },
        triggers: new Set(used.own.keys()),
        timeZone: 'Europe/Berlin',
        location: undefined,
        freeDates: new Set(),
      },
    },
  );
}

test('the thread replays what it is given in parts', async () => {
  const samples = Array.from({ length: 40 }, (_, at) => ({ atMs: START_MS + at * 3_600_000, value: at % 2 === 1 }));
  const simulation = await ask(samples);
  expect(simulation.counts).toEqual({ finished: 20 });
  // Midnight in Berlin is an hour before that of UTC.
  expect(simulation.perDay.map(({ date, new: fired }) => [date, fired.length])).toEqual([
    ['2026-11-01', 11],
    ['2026-11-02', 9],
    ['2026-11-03', 0],
  ]);
});

test('a cancelled one ends at once', async () => {
  const end = new AbortController();
  const asked = ask([{ atMs: START_MS, value: false }], end.signal);
  end.abort(new Error('no more'));
  await expect(asked).rejects.toThrow('no more');
});
