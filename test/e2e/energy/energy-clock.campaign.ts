import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, logIn } from '#test/support/daemon/hub-process.ts';
import { createFakedMachine, type FakedMachine } from '#test/support/machine/faked-machine.ts';
import { needs } from '#test/support/machine/requires.ts';

const HOUR_S = 3_600;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The hub looks at the machine every 10 s. */
const LOOKED = { timeout: 30_000, interval: 250 };
const PRICE = 0.3;
const TO_1970_S = -Math.floor(Date.now() / 1_000);
/** For how long the machine has been on when the test begins. */
const FIRST_S = 60;

const SETTINGS = {
  grid: { import: ['grid/energy'] },
  tariffs: [
    {
      id: 'power',
      for: 'import',
      currency: 'EUR',
      valid_from: '2020-01-01',
      kind: 'fixed',
      prices: [{ price: PRICE }],
    },
  ],
};

type EnergyJson = {
  readonly settled_until: string | null;
  readonly buckets: readonly { readonly at: string; readonly import: { readonly amount: number | null } | null }[];
  readonly cost: unknown;
};

describe.skipIf(!needs('root') || !needs('faketime'))(
  'energy of a machine that starts in 1970, hours before anybody tells it the time',
  { timeout: 120_000 },
  () => {
    let hubs: HubFolder;
    let machine: FakedMachine;
    let hub: HubProcess;
    let owner: string;
    let meter: string;
    const ask = async (line: string, body?: unknown, token = owner): Promise<unknown> => {
      const [method = '', path = ''] = line.split(' ');
      const answer = await hub.ask(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
      expect(answer.status, `${line}: ${JSON.stringify(answer.json)}`).toBeLessThan(300);
      return answer.json;
    };
    const hubMs = async (): Promise<number> => {
      const { clock } = (await ask('GET /health')) as { clock: { hub_time: string } };
      return Date.parse(clock.hub_time);
    };
    const count = (energy: number): Promise<unknown> =>
      ask('POST /provider/meters/state', { reports: [{ device: 'grid', values: { energy } }] }, meter);
    /** Lets the machine be on for so long. */
    const beOn = async (uptimeS: number, startMs: number): Promise<void> => {
      machine.setUptime(1, uptimeS);
      machine.setWall(TO_1970_S + uptimeS - FIRST_S);
      await expect
        .poll(async () => (await hubMs()) - startMs, LOOKED)
        .toBeGreaterThanOrEqual((uptimeS - FIRST_S) * 1_000);
    };
    /** The hours of these days that have an amount, with what each day says of its settlement. */
    const energyOf = async (days: readonly number[]) => {
      const answers: EnergyJson[] = [];
      for (const ms of days) {
        const date = new Date(ms).toISOString().slice(0, 10);
        answers.push((await ask(`GET /energy?period=day&date=${date}`)) as EnergyJson);
      }
      const used = answers.flatMap(({ buckets }) =>
        buckets.flatMap(({ at, import: flow }) => ((flow?.amount ?? 0) > 0 ? [[Date.parse(at), flow?.amount]] : [])),
      );
      return { used, settledUntil: answers[0]?.settled_until ?? null };
    };

    beforeEach(async () => {
      hubs = createHubFolder();
      machine = createFakedMachine(join(hubs.folder, 'machine'));
      machine.setUptime(1, FIRST_S);
      machine.setWall(TO_1970_S);
      hub = await hubs.serve({ ...machine.env, HEARTHD_SIMULATE: '0' }, machine.through);
      owner = (await claimHub(hub)).access_token;
      const wanted = { name: 'meters', scopes: ['device:provide'], provider: 'meters' };
      meter = ((await ask('POST /api_token', wanted)) as { token: string }).token;
      await ask('PUT /provider/meters', { name: 'Meters' }, meter);
      const energy = { key: 'energy', capability: 'energy', kind: 'state', value_type: 'number' };
      const device = { name: 'Grid', type: 'electrical_sensor', features: [energy] };
      await ask('PUT /provider/meters/device/grid', device, meter);
      await ask('PATCH /hub', { time_zone: 'UTC' });
    });
    afterEach(() => hubs.close());

    test('counts each kilowatt-hour once, in the hour in which it was used, and settles nothing before the clock is set', async () => {
      await ask('PUT /energy/settings', SETTINGS);
      const startMs = await hubMs();
      expect(new Date(startMs).getUTCFullYear()).toBe(1970);
      await count(100);
      await beOn(FIRST_S + 2 * HOUR_S, startMs);
      await count(101);
      await beOn(FIRST_S + 4 * HOUR_S, startMs);
      await count(103);
      expect((await energyOf([startMs])).settledUntil).toBeNull();

      machine.setWall(0);
      machine.setSynced(true);
      await expect.poll(async () => Math.abs((await hubMs()) - Date.now()), LOOKED).toBeLessThan(60_000);
      const nowMs = Date.now();
      const days = [...new Set([nowMs - 5 * HOUR_MS, nowMs].map((ms) => Math.floor(ms / DAY_MS) * DAY_MS))];
      const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;
      /** A report of the last minutes may lie beyond the edge of its hour by the time that this test took. */
      const isAbout = (atMs: number, ms: number): boolean => [ms, ms - 120_000].some((one) => hourOf(one) === atMs);
      await expect.poll(async () => (await energyOf(days)).used.map(([, amount]) => amount), LOOKED).toEqual([1, 2]);
      const { used } = await energyOf(days);
      expect(isAbout(Number(used[0]?.[0]), nowMs - 2 * HOUR_MS)).toBe(true);
      expect(isAbout(Number(used[1]?.[0]), nowMs)).toBe(true);
      expect((await energyOf([startMs])).used).toEqual([]);

      // Hours that are over are settled with the next hour, and with each change of the settings.
      await ask('PUT /energy/settings', SETTINGS);
      const settledMs = async (): Promise<number> => Date.parse((await energyOf(days)).settledUntil ?? '1970');
      await expect.poll(settledMs, LOOKED).toBeGreaterThan(nowMs - 3 * HOUR_MS);
      expect(await settledMs()).toBeLessThanOrEqual(Date.now());
      expect((await energyOf(days)).used.map(([, amount]) => amount)).toEqual([1, 2]);
      expect(hub.stderr()).not.toContain('error');
    });

    test('settles by the clock that a person set, a day later, and once more by the true time', async () => {
      await ask('PUT /energy/settings', SETTINGS);
      // It is hours ahead of what the machine learns in the end.
      await ask('POST /hub/clock', { now: new Date(Date.now() + 2 * HOUR_MS).toISOString() });
      const toldMs = await hubMs();
      await count(100);
      for (const [hours, energy] of [
        [2, 101],
        [4, 103],
        [14, 103],
        [24, 103],
        [30, 103],
      ] as const) {
        await beOn(FIRST_S + hours * HOUR_S, toldMs);
        await count(energy);
        // Before the login is too old.
        owner = (await logIn(hub)).access_token;
      }
      const daysOf = (...times: readonly number[]): readonly number[] => [
        ...new Set(times.map((ms) => Math.floor(ms / DAY_MS) * DAY_MS)),
      ];
      const toldDays = daysOf(toldMs, toldMs + 4 * HOUR_MS);
      await ask('PUT /energy/settings', SETTINGS);
      const settledMs = async (days: readonly number[]): Promise<number> =>
        Date.parse((await energyOf(days)).settledUntil ?? '1970');
      await expect.poll(() => settledMs(toldDays), LOOKED).toBeGreaterThan(toldMs + 4 * HOUR_MS);
      expect(await settledMs(toldDays)).toBeLessThanOrEqual(toldMs + 6 * HOUR_MS);
      expect((await energyOf(toldDays)).used.map(([, amount]) => amount)).toEqual([1, 2]);

      machine.setWall(0);
      machine.setSynced(true);
      await expect.poll(async () => Math.abs((await hubMs()) - Date.now()), LOOKED).toBeLessThan(60_000);
      const nowMs = Date.now();
      // By the true time the last of the told days may not have begun.
      const days = daysOf(nowMs - 29 * HOUR_MS, nowMs - 25 * HOUR_MS, Math.min(nowMs, toldMs + 4 * HOUR_MS), nowMs);
      await ask('PUT /energy/settings', SETTINGS);
      await expect.poll(() => settledMs(days), LOOKED).toBeLessThanOrEqual(nowMs);
      await expect.poll(() => settledMs(days), LOOKED).toBeGreaterThan(nowMs - 3 * HOUR_MS);
      const { used } = await energyOf(days);
      expect(used.map(([, amount]) => amount)).toEqual([1, 2]);
      expect(Math.abs(Number(used[0]?.[0]) - (nowMs - 28 * HOUR_MS))).toBeLessThan(1.1 * HOUR_MS);
      expect(Math.abs(Number(used[1]?.[0]) - (nowMs - 26 * HOUR_MS))).toBeLessThan(1.1 * HOUR_MS);
      expect(hub.stderr()).not.toContain('error');
    });
  },
);
