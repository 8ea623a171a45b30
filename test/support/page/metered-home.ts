import { expect } from 'vitest';
import type { HubProcess, Tokens } from '#test/support/daemon/hub-process.ts';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2025, 0);

const numbers = (...words: readonly string[]) =>
  words.map((word) => ({ key: word, capability: word, kind: 'state', value_type: 'number' }));
const DEVICES: Readonly<Record<string, object>> = {
  grid: {
    name: 'Grid meter',
    type: 'electrical_sensor',
    features: numbers('energy', 'energy_returned', 'power'),
  },
  roof: { name: 'Roof inverter', type: 'electrical_sensor', features: numbers('energy', 'power') },
  boiler: { name: 'Gas meter', type: 'other', features: numbers('gas_volume') },
};

/** kWh or m³ in an hour, by the hour of UTC. At noon more comes from the roof than the home uses. */
const RATES: Readonly<Record<string, (hour: number) => number>> = {
  'grid/energy': (hour) => (hour >= 10 && hour < 14 ? 0 : 0.4),
  'grid/energy_returned': (hour) => (hour >= 10 && hour < 14 ? 0.8 : 0),
  'roof/energy': (hour) => (hour >= 8 && hour < 16 ? 1 : 0),
  'boiler/gas_volume': (hour) => (hour < 6 ? 0.1 : 0),
  'kitchen-fridge-plug/energy': () => 0.08,
};

export type MeteredHome = {
  readonly call: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: unknown }>;
  /** Where the devices are: by their names in this file. */
  readonly selectors: Readonly<Record<string, string>>;
  /** Writes what the meters read in this time into the history, a reading each quarter of an hour. */
  readonly measure: (fromMs: number, toMs: number, series?: readonly string[]) => Promise<void>;
  /** What a person would enter for this home. */
  readonly settings: Readonly<Record<string, unknown>>;
};

/** Meters that a script brings into the simulated home, in the time zone of Berlin. */
export async function createMeteredHome(hub: HubProcess, { access_token: token }: Tokens): Promise<MeteredHome> {
  const askAs = (as: string) => (method: string, path: string, body?: unknown) =>
    hub.ask(method, `/api/v1${path}`, { token: as, ...(body !== undefined && { body }) });
  const call = askAs(token);
  const wants = { name: 'meters', scopes: ['device:provide'], provider: 'meters' };
  const bring = askAs(((await call('POST', '/api_token', wants)).json as { token: string }).token);
  expect((await bring('PUT', '/provider/meters', { name: 'Meters' })).status).toBe(201);
  const selectors: Record<string, string> = { 'kitchen-fridge-plug': 'kitchen-fridge-plug' };
  for (const [id, device] of Object.entries(DEVICES)) {
    const { json } = await bring('PUT', `/provider/meters/device/${id}`, device);
    selectors[id] = (json as { selector: string }).selector;
  }
  const reports = [
    { device: 'grid', values: { energy: 900, energy_returned: 900, power: -1_234 } },
    { device: 'roof', values: { energy: 900, power: 1_900 } },
    { device: 'boiler', values: { gas_volume: 900 } },
  ];
  expect((await bring('POST', '/provider/meters/state', { reports })).status).toBeLessThan(300);
  expect((await call('PATCH', '/hub', { time_zone: 'Europe/Berlin' })).status).toBe(200);
  const shown = (series: string): string => {
    const [id = '', key = ''] = series.split('/');
    return `${selectors[id] ?? id}/${key}`;
  };
  return {
    call,
    selectors,
    measure: async (fromMs, toMs, series = Object.keys(RATES)) => {
      const lines = ['series,at,value'];
      for (const one of series) {
        // No rate is as high as this, so that the meters never count backwards between two calls.
        let value = (fromMs - FIRST_MS) / HOUR_MS;
        for (let atMs = fromMs; atMs < toMs; atMs += QUARTER_MS) {
          value += (RATES[one]?.(new Date(atMs).getUTCHours()) ?? 0) * (QUARTER_MS / HOUR_MS);
          // Just before the quarter is over: what it counted belongs to its hour.
          lines.push(`${shown(one)},${new Date(atMs + QUARTER_MS - 1_000).toISOString()},${value.toFixed(3)}`);
        }
      }
      const headers = { 'Content-Type': 'text/csv' };
      const answer = await hub.ask('POST', '/api/v1/history/import', { token, headers, raw: `${lines.join('\n')}\n` });
      expect([answer.status, answer.json]).toEqual([200, expect.anything()]);
    },
    settings: {
      grid: {
        import: [shown('grid/energy')],
        export: [shown('grid/energy_returned')],
        power: { series: shown('grid/power'), positive: 'import' },
      },
      solar: [shown('roof/energy')],
      gas: [shown('boiler/gas_volume')],
      consumers: [{ series: 'kitchen-fridge-plug/energy', name: 'Fridge' }],
      tariffs: [
        {
          id: 'power',
          for: 'import',
          currency: 'EUR',
          valid_from: '2020-01-01',
          kind: 'fixed',
          prices: [{ price: 0.3 }],
        },
        {
          id: 'feed-in',
          for: 'export',
          currency: 'EUR',
          valid_from: '2020-01-01',
          kind: 'fixed',
          prices: [{ price: 0.08 }],
        },
      ],
    },
  };
}
