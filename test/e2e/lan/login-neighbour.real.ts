import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HUB_PORT, type NamespaceHub, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { connectNamespaces, createNamespaces, type Namespaces } from '#test/support/machine/namespaces.ts';
import { needs } from '#test/support/machine/requires.ts';

/*
 * Three hosts on one link, in one /64, as every home is: the hub, somebody who tries passwords, and a new phone.
 */
type Place = 'hub' | 'attacker' | 'phone' | 'switch';
const SUPPORT = join(import.meta.dirname, '../../support');
const NEIGHBOUR = join(SUPPORT, 'attack/neighbour.mjs');
/** The hub's clock runs this much faster than ours: 400 s of siege are 20. */
const SPEED = 20;
const OWNER = { email: 'ada@example.org', password: 'correct horse battery' };
const canRun = needs('root') && needs('ip') && needs('curl');

let home: Namespaces<Place>;
let hub: NamespaceHub;

beforeAll(async () => {
  if (!canRun) return;
  home = createNamespaces<Place>('hub', 'attacker', 'phone', 'switch');
  home.switch.ip('link add br0 type bridge', 'link set br0 up');
  for (const [index, place] of (['hub', 'attacker', 'phone'] as const).entries()) {
    connectNamespaces([home[place], 'lan0'], [home.switch, `port${index}`]);
    home.switch.ip(`link set port${index} master br0`, `link set port${index} up`);
    home[place].ip('link set lan0 addrgenmode none', 'link set lan0 up', `addr add fd77::${index + 1}/64 dev lan0`);
    home[place].ip(`addr add fe80::${index + 1}/64 dev lan0`);
  }
  const env = { SOAK_SPEED: String(SPEED), NODE_OPTIONS: `--import=${join(SUPPORT, '../soak/support/fast-time.mjs')}` };
  hub = await startNamespaceHub(home.hub, { HEARTHD_INTERFACES: 'lan0', ...env });
  const setUp = JSON.stringify({ claim_code: hub.claimCode, ...OWNER });
  const json = ['-H', 'Content-Type: application/json', '-d', setUp];
  home.hub.run('curl', ['-sf', ...json, `http://127.0.0.1:${HUB_PORT}/api/v1/setup`]);
});
afterAll(async () => {
  if (!canRun) return;
  await hub.stop();
  home.remove();
});

type Answers = [second: number, status: number, retryAfterS: number][];

describe.skipIf(!canRun)('A9: an attacker at the next address of the same /64', () => {
  test('keeps no new phone out, however well each try is timed', async () => {
    const client = [`http://[fd77::1]:${HUB_PORT}`, String(SPEED), OWNER.email, OWNER.password];
    const attack = home.attacker.start(process.execPath, [NEIGHBOUR, 'attack', ...client], {});
    const ended = new Promise((resolve) => void attack.once('exit', resolve));
    let printed = '';
    // From here on the account has one try in 30 s, and each pause of the attacker is a minute.
    await new Promise<void>((resolve) => {
      attack.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (/slow\n[^]*wait (?:[6-9]\d|\d{3})\n/.test(printed)) resolve();
      });
    });
    const answers = JSON.parse(home.phone.run(process.execPath, [NEIGHBOUR, 'log-in', ...client])) as Answers;
    attack.kill('SIGKILL');
    await ended;
    process.stdout.write(`new phone: [second, status, Retry-After] ${JSON.stringify(answers)}\n`);
    const [inAfterS, status] = answers.at(-1) ?? [];
    expect(status).toBe(200);
    expectBelow('a new phone is in, s of the hub', inAfterS ?? Number.NaN, 301);
  });
});
