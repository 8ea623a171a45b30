import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakedMachine, type FakedMachine } from '#test/support/machine/faked-machine.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  logIn,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const MONTH_S = 30 * DAY_S;
/** The hub looks at the machine every 10 s. */
const LOOKED = { interval: 250 };
/** Time that the test itself takes. */
const SLACK_S = 120;

describe.skipIf(!needs('root') || !needs('faketime'))('C2: on a machine without a clock chip', () => {
  let hubs: HubFolder;
  let machine: FakedMachine;
  let hub: HubProcess;
  let early: Tokens;
  let later: Tokens;
  let renewed: string;

  const boot = async (): Promise<void> => {
    hub = await hubs.serve({ ...machine.env, HEARTHD_SIMULATE: '0' }, machine.through);
  };
  const to1970S = (): number => -Math.floor(Date.now() / 1000);
  const clock = async (token: string): Promise<{ synced: boolean; hub_time: string; now: string }> => {
    const { json } = await hub.ask('GET', '/api/v1/health', { token });
    return (json as { clock: { synced: boolean; hub_time: string; now: string } }).clock;
  };
  const statusOf = async (token: string): Promise<number> =>
    (await hub.ask('GET', '/api/v1/session', { token })).status;
  const refresh = async ({ refresh_token }: Tokens) => {
    const { status, json } = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token } });
    return { status, ...(json as { access_token: string; refresh_expires_in: number; expires_in: number }) };
  };
  /** How much of the 30 days was measured as gone. */
  const goneS = async (tokens: Tokens): Promise<number> => MONTH_S - (await refresh(tokens)).refresh_expires_in;
  const expectAbout = (seenS: number, wantedS: number): void => {
    expect(seenS).toBeGreaterThanOrEqual(wantedS);
    expect(seenS).toBeLessThan(wantedS + SLACK_S);
  };

  beforeAll(() => {
    hubs = createHubFolder();
    machine = createFakedMachine(join(hubs.folder, 'machine'));
  });
  afterAll(() => hubs.close());

  test('a login before the clock is synchronised keeps its life when the clock jumps by six months', async () => {
    machine.setUptime(1, 20);
    machine.setWall(-182 * DAY_S);
    await boot();
    early = await claimHub(hub);
    expect((await clock(early.access_token)).synced).toBe(false);
    machine.setWall(0);
    machine.setSynced(true);
    await expect.poll(async () => (await clock(early.access_token)).synced, LOOKED).toBe(true);
    const { hub_time, now } = await clock(early.access_token);
    expect(Math.abs(Date.parse(hub_time) - Date.now())).toBeLessThan(5_000);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(5_000);
    expect(await statusOf(early.access_token)).toBe(200);
    expectAbout(await goneS(early), 0);
  });

  test('an access token ends after 24 hours of the machine being on, asleep or not', async () => {
    machine.setUptime(1, 20 + 23 * HOUR_S);
    await expect.poll(() => goneS(early), LOOKED).toBeGreaterThan(22 * HOUR_S);
    expect(await statusOf(early.access_token)).toBe(200);
    machine.setUptime(1, 20 + 24 * HOUR_S);
    machine.setWall(DAY_S);
    await expect.poll(() => statusOf(early.access_token), LOOKED).toBe(401);
    renewed = (await refresh(early)).access_token;
    expect(await statusOf(renewed)).toBe(200);
  });

  test('after a power cut and a start in 1970 nothing has revived, and what was good is', async () => {
    await hub.end('SIGKILL');
    machine.setUptime(2, 5);
    machine.setWall(to1970S());
    machine.setSynced(false);
    await boot();
    expect(await statusOf(early.access_token)).toBe(401);
    expect(await statusOf(renewed)).toBe(200);
    const { synced, now, hub_time } = await clock(renewed);
    expect([synced, now.slice(0, 4)]).toEqual([false, '1970']);
    expect(Date.parse(hub_time)).toBeGreaterThan(Date.now());
    expectAbout(await goneS(early), DAY_S);
    later = await logIn(hub);
  });

  test('once it is synchronised ten days later, they count only for sessions from before', async () => {
    machine.setWall(11 * DAY_S);
    machine.setSynced(true);
    await expect.poll(() => goneS(early), LOOKED).toBeGreaterThan(2 * DAY_S);
    expectAbout(await goneS(early), 11 * DAY_S);
    expect(await statusOf(renewed)).toBe(401);
    expect(await statusOf(later.access_token)).toBe(200);
    expectAbout(await goneS(later), 0);
  });

  test('a refresh token ends after 30 days, those included in which the machine was off', async () => {
    await hub.end('SIGTERM');
    machine.setUptime(3, 5);
    machine.setWall(30 * DAY_S + 1);
    await boot();
    expect((await refresh(early)).status).toBe(401);
    expect(await statusOf(later.access_token)).toBe(401);
    expectAbout(await goneS(later), 19 * DAY_S);
    expect(hub.stderr()).not.toContain('error');
  });
});
