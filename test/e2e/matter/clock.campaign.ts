import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { needs } from '#test/support/machine/requires.ts';
import { type BridgeWorld, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';

const LAMP = 'Kitchen ceiling';
const SELECTOR = 'kitchen-ceiling';
const canRun = needs('root') && needs('ip') && needs('chip-sdk');
const folder = mkdtempSync(join(tmpdir(), 'hearthd-clock-'));
const aheadFile = join(folder, 'ahead-ms');
let world: BridgeWorld;
let chip: Controller;
let number: number;

/** Sets the clock of the program to this day. Its environment is empty, so nothing else reaches it there. */
const setClock = (day: string): void => writeFileSync(aheadFile, String(Date.parse(day) - Date.now()));
const CLOCK = `
import { readFileSync as readAhead } from 'node:fs';
const SystemDate = Date;
const nowMs = () => SystemDate.now() + Number(readAhead(${JSON.stringify(aheadFile)}, 'utf8'));
globalThis.Date = class Date extends SystemDate {
  constructor(...given) { super(...(given.length === 0 ? [nowMs()] : given)); }
  static now() { return nowMs(); }
};
`;

async function switchLamp(isOn: boolean): Promise<void> {
  const place = { number, cluster: 'OnOff' };
  await chip.call('command', { ...place, command: isOn ? 'On' : 'Off' });
  await chip.call('await_value', { ...place, attribute: 'OnOff', value: isOn });
}

describe.skipIf(!canRun)('the Matter bridge on a machine with a wrong clock', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    const bundle = join(folder, 'dist');
    cpSync(dirname(BUNDLE), bundle, { recursive: true });
    const program = join(bundle, 'matter-process.mjs');
    setClock('1970-01-02');
    writeFileSync(program, CLOCK + readFileSync(program, 'utf8'));
    world = await openBridgeWorld({ bundle: join(bundle, 'hearthd.mjs') });
    chip = await world.startChip('chip');
    const { json: lamp } = await world.ask('GET', `/device/${SELECTOR}`);
    // One device: reading all of a home again and again would leave no time for what is asked here.
    await world.offer([(lamp as { readonly id: string }).id], []);
    await world.untilUp();
  }, 300_000);
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  test('a home takes it in while the clock is at its beginning', async () => {
    await chip.call('pair', { code: await world.openBridge() });
    const all = (await chip.call('endpoints')) as readonly { name: string; number: number }[];
    number = all.find(({ name }) => name === LAMP)?.number ?? 0;
    expect(number).toBeGreaterThan(1);
    await switchLamp(true);
  });

  test.each(['2026-11-23', '2019-06-01', '2106-02-06', '2026-11-23'])(
    'the home goes on when the clock jumps to %s',
    async (day) => {
      const program = world.program();
      setClock(day);
      for (const isOn of [false, true, false]) await switchLamp(isOn);
      expect(world.program()).toBe(program);
    },
  );

  test('the home finds it again after a new start at the right time', async () => {
    process.kill(world.program(), 'SIGKILL');
    await expect.poll(async () => (await world.bridge()).error?.code, SOON).toBe('NODE_DOWN');
    await world.untilUp();
    await expect.poll(() => switchLamp(true).then(() => 'done', String), SOON).toBe('done');
  });

  test('another home joins after the clock was set', async () => {
    const other = await world.startController('first');
    await other.call('pair', { code: await world.openBridge() });
    await expect.poll(async () => (await world.bridge()).fabrics?.length, SOON).toBe(2);
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: null });
  });
});
