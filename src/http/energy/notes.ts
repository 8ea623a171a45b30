import type { Note } from '#http/note/note.ts';

const amountExample = (amount: number) => ({ amount, in_gap: 0, known: 1, estimated: false });

const balanceExample = () => ({
  import: amountExample(0.412),
  export: amountExample(0),
  solar: amountExample(0.2),
  charge: null,
  discharge: null,
  gas: null,
  water: null,
  home: 0.612,
  untracked: 0.512,
  mismatch: 0,
  self_use: 1,
  autarky: 0.326797,
  consumers: [amountExample(0.1)],
  cost: [{ currency: 'EUR', import: 0.12, export: 0, gas: 0, water: 0, total: 0.12, in_gap: 0 }],
  known: 1,
});

export const getEnergy: Note = () => ({
  description: [
    'What was measured, in parts, and for the whole time. What is unknown is `null`, never 0. A part of a day is an hour of local time: a day has 23, 24 or 25 of them.',
    'Five minutes after its end an hour is settled: its amounts and costs then stay as they are. Costs of later hours are those of the tariffs of now.',
    'A clock that only a person has set settles hours that are a day old, once nobody has corrected it for a day. They are settled again, each amount in its true hour, when a time server is reached.',
    'Before the settings were made nothing was settled but the 31 days before; of an earlier day the hub shows what its history has.',
  ].join('\n\n'),
  problems: ['HISTORY_RANGE', 'OVERLOADED'],
  answerExample: {
    period: 'day',
    date: '2026-11-22',
    from: '2026-11-21T23:00:00.000Z',
    to: '2026-11-22T23:00:00.000Z',
    time_zone: 'Europe/Berlin',
    resolution: '1h',
    settled_until: '2026-11-22T00:00:00.000Z',
    flows: ['import', 'export', 'solar'],
    consumers: [{ series: 'fridge-plug/energy', name: 'Fridge', within: null }],
    buckets: [{ at: '2026-11-21T23:00:00.000Z', to: '2026-11-22T00:00:00.000Z', ...balanceExample() }],
    total: balanceExample(),
  },
});

export const getEnergySettings: Note = () => ({
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
});

export const setEnergySettings: Note = () => ({
  requestHeaders: ['If-Match'],
  answerHeaders: { 200: ['ETag'] },
  description: [
    'Replaces all settings. Amounts are counters in kWh or m³; where there is none, the hub adds up a power in W, which it marks as `estimated`. A side of the grid or of a battery without a counter is taken from the sign of its `power`. Series keep their place when a device gets another name.',
    'Settled hours stay as they are: `POST /api/v1/energy/recalculate` settles them once more. When the settings are made for the first time, the hub settles the 31 days before.',
    'The device `energy` shows the powers of now that these settings make possible: `grid_power` from `grid.power`, `solar_power` from the powers of `solar` or those beside its counters, `battery_power` from `power` of each battery, and `home_power` where all that there is of these is known.',
  ].join('\n\n'),
  bodyExample: {
    grid: {
      import: ['meter/energy'],
      export: ['meter/energy_returned'],
      power: { series: 'meter/power', positive: 'import' },
    },
    solar: ['inverter/energy'],
    consumers: [{ series: 'fridge-plug/energy', name: 'Fridge' }],
    tariffs: [
      {
        id: 'day-and-night',
        for: 'import',
        currency: 'EUR',
        valid_from: '2026-01-01',
        kind: 'times',
        prices: [{ from: '22:00', to: '06:00', price: 0.24 }, { price: 0.31 }],
      },
    ],
  },
  problems: ['LIMIT_REACHED'],
});

export const reportEnergyPrices: Note = () => ({
  description:
    'At most 1,000 slots in a call, of at most 31 days each and at most 62 days from now. They replace earlier prices of the same times; the same call again changes nothing. An hour that was settled before its price came gets its cost now; a cost that was settled stays.',
  bodyExample: {
    tariff: 'spot',
    slots: [{ from: '2026-11-22T10:00:00Z', to: '2026-11-22T11:00:00Z', price: 0.27 }],
  },
});

export const recalculateEnergy: Note = () => ({
  isInternal: true,
  description:
    'At most 62 days in a call. The answer has the number of hours. What the history no longer knows stays as it was settled.',
  problems: ['HISTORY_RANGE'],
  bodyExample: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
  answerExample: { hours: 504 },
});

export const removeEnergy: Note = () => ({
  isInternal: true,
  description:
    'Only for an owner who is logged in. Settled hours outlive the history that they were made of; this deletes their amounts and costs, or only those of some consumers, from the hour in which `from` lies up to the last that begins before `to`. They stay deleted when hours are recalculated. What is not settled yet is read from the history: `DELETE /api/v1/history` deletes that. A removal of a device with its history deletes what it used as a consumer too. Earlier backups keep what they have.',
  problems: ['HISTORY_RANGE', 'NOT_FOUND'],
  answerExample: { hours: 168, from: '2026-11-15T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z', dry_run: false },
});
