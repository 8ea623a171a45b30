import * as fc from 'fast-check';

/** What runs that a restart interrupts see and move. */
export const DEVICES = {
  motion: { values: { motion: false } },
  door: { values: { open: false } },
  meter: { values: { power: 0 } },
  lamp: { values: { on: false, brightness: 1 } },
  fan: { values: { on: false } },
  valve: { isSensitive: true, values: { valve_open: true } },
} as const;

const lamp = (id: string, brightness: unknown, more: object = {}) => ({
  id,
  command: { targets: { devices: ['lamp'] }, set: { brightness }, skip_if_same: false, ...more },
});
const fan = (id: string, on: boolean) => ({
  id,
  command: { targets: { devices: ['fan'] }, set: { on }, skip_if_same: false },
});
const moves = { id: 't1', type: 'feature', device: 'motion', key: 'motion', to: true };

/** Each waits in another way, and each command tells by its value where it came from. */
export const DOCUMENTS: Readonly<Record<string, object>> = {
  delays: {
    triggers: [moves],
    steps: [
      lamp('s1', 1),
      { id: 's2', delay: { s: 40 } },
      lamp('s3', 2),
      { id: 's4', delay: { s: 20 } },
      lamp('s5', 3),
    ],
  },
  durable: {
    durable: 'always',
    triggers: [moves],
    steps: [lamp('s1', 10, { wait: 'finished' }), { id: 's2', delay: { s: 3 } }, lamp('s3', 11)],
  },
  held: {
    triggers: [{ id: 't1', type: 'feature', device: 'door', key: 'open', to: true, for_s: 25 }],
    steps: [lamp('s1', 20)],
  },
  threshold: {
    triggers: [{ id: 't1', type: 'threshold', device: 'meter', key: 'power', above: 50, hysteresis: 5, for_s: 12 }],
    steps: [lamp('s1', 30)],
  },
  waits: {
    mode: { kind: 'restart', max: 1 },
    triggers: [moves],
    steps: [
      {
        id: 's1',
        wait_for: {
          triggers: [{ id: 'w1', type: 'feature', device: 'door', key: 'open', to: true, for_s: 15 }],
          timeout_s: 60,
        },
      },
      lamp('s2', { if: [{ step: { id: 's1', timed_out: true } }, 40, 41] }),
    ],
  },
  queue: {
    mode: { kind: 'queued', max: 5 },
    triggers: [{ id: 't1', type: 'feature', device: 'door', key: 'open' }],
    variables: { was: { trigger: 'value' } },
    steps: [
      { id: 's1', delay: { s: 30 } },
      lamp('s2', { if: [{ compare: { left: { variable: 'was' }, op: 'eq', right: true } }, 50, 51] }),
    ],
  },
  branches: {
    mode: { kind: 'parallel', max: 3 },
    triggers: [moves],
    steps: [
      {
        id: 's1',
        parallel: {
          branches: [
            [{ id: 's2', delay: { s: 22 } }, lamp('s3', 60)],
            [{ id: 's4', repeat: { times: 3, max: 3, steps: [fan('s5', true), { id: 's6', delay: { s: 11 } }] } }],
          ],
        },
      },
      lamp('s7', 61),
    ],
  },
  daily: {
    triggers: [{ id: 't1', type: 'time', at: ['12:01', '12:02', '12:03'] }],
    steps: [lamp('s1', 70), { id: 's2', delay: { until: '12:04' } }, lamp('s3', 71)],
  },
  sensitive: {
    allow_sensitive: ['valve'],
    durable: 'always',
    triggers: [moves],
    steps: [
      { id: 's1', delay: { s: 12 } },
      { id: 's2', command: { targets: { devices: ['valve'] }, set: { valve_open: false }, skip_if_same: false } },
    ],
  },
};
export const NAMES = Object.keys(DOCUMENTS);

/** What happens, and how long after the one before. */
export type Act = {
  readonly afterMs: number;
  readonly what: 'motion' | 'still' | 'open' | 'shut' | 'more' | 'less' | 'away' | 'back';
};
export const acts = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 1, max: 35_000 }),
    what: fc.constantFrom('motion', 'still', 'open', 'shut', 'more', 'less', 'away', 'back'),
  }),
  { minLength: 1, maxLength: 14 },
) as fc.Arbitrary<Act[]>;
