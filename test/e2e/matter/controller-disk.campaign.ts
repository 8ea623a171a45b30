import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { fillDisk } from '#test/support/machine/small-disk.ts';
import { SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

const canRun = needs('root') && needs('ip');
const stateDir = join(mkdtempSync(join(tmpdir(), 'hearthd-full-')), 'state');
/** All that the program must remember, on a disk of its own. */
const disk = join(stateDir, 'matter');
let world: DeviceWorld;
let lamp: Controller;
let code: string;

type Shown = { readonly status: string; readonly error: { readonly code: string } | null };

const shown = async (): Promise<Shown> => (await world.ask('GET', '/integration/matter')).json as Shown;
const stepNow = async (): Promise<string | undefined> => {
  const { json } = await world.ask('GET', '/integration/matter/pairing');
  const { progress } = json as { readonly progress: readonly { readonly detail: { readonly step?: string } | null }[] };
  return progress.at(-1)?.detail?.step;
};
/** What is on the disk is whole: throws where it is half written. */
const checkKept = (): void => {
  const { sha256, node } = JSON.parse(readFileSync(join(disk, 'home.json'), 'utf8')) as Record<string, string>;
  expect(
    createHash('sha256')
      .update(node ?? '')
      .digest('hex'),
  ).toBe(sha256);
};
const states = async (): Promise<readonly string[]> => (await world.devices()).map((one) => one.availability.state);
const programPid = (): number | undefined =>
  world
    .hub()
    .children()
    .find((one) => one.command.includes('matter-process'))?.pid;

describe.skipIf(!canRun)('the keys of Matter devices and a full disk', () => {
  beforeAll(async () => {
    mkdirSync(disk, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'none', disk]);
    world = await openDeviceWorld({ stateDir });
    lamp = await world.startDevice('lamp', { only: ['onoff'] });
    ({ manualPairingCode: code } = (await lamp.call('codes')) as { readonly manualPairingCode: string });
  });
  afterAll(async () => {
    execFileSync('umount', ['--lazy', disk]);
    await world.close();
  });

  test('no device joins, and the hub says why', async () => {
    await world.ask('POST', '/integration', { kind: 'matter' });
    await expect.poll(shown, SOON).toMatchObject({ status: 'connected', error: null });
    const free = fillDisk(disk);
    expect(await world.pair(code)).toMatchObject({ fault: { code: 'no_disk' } });
    expect(await shown()).toMatchObject({ status: 'connected', error: { code: 'MATTER_NOT_KEPT' } });
    expect(await lamp.call('fabrics')).toEqual([]);
    checkKept();
    free();
  });

  test.each(['attesting', 'joining'])(
    'a device that is at %s when the disk fills is let go, and joins later',
    async (step) => {
      const { status } = await world.ask('POST', '/integration/matter/pairing', { code });
      expect(status).toBe(200);
      await expect.poll(stepNow, { ...SOON, interval: 5 }).toBe(step);
      const free = fillDisk(disk);
      const end = async (): Promise<unknown> => {
        const { json } = await world.ask('GET', '/integration/matter/pairing');
        return (json as { progress: unknown[] }).progress.at(-1);
      };
      await expect.poll(end, SOON).toMatchObject({ step: 'interview_failed', detail: { code: 'no_disk' } });
      await expect.poll(() => lamp.call('fabrics'), SOON).toEqual([]);
      expect(await world.devices()).toEqual([]);
      checkKept();
      free();
      expect(await world.pair(code)).toMatchObject({ fault: null });
      await expect.poll(states, SOON).toEqual(['online']);
      expect(await shown()).toMatchObject({ error: null });
      expect(await world.ask('DELETE', `/device/${(await world.devices())[0]?.id}`)).toMatchObject({ status: 204 });
    },
  );

  test('a hub that starts with a full disk has its devices', async () => {
    expect(await world.pair(code)).toMatchObject({ fault: null });
    const free = fillDisk(disk);
    for (const enabled of [false, true]) await world.ask('PATCH', '/integration/matter', { enabled });
    await expect.poll(states, SOON).toEqual(['online']);
    expect(await shown()).toMatchObject({ status: 'connected', error: { code: 'MATTER_NOT_KEPT' } });
    checkKept();
    free();
    await expect.poll(shown, SOON).toMatchObject({ status: 'connected', error: null });
  });

  test('a device is not removed while the disk is full, and is then', async () => {
    const [device] = await world.devices();
    const free = fillDisk(disk);
    expect(await world.ask('DELETE', `/device/${device?.id}`)).toMatchObject({
      status: 502,
      json: { code: 'COMMAND_FAILED', detail: expect.stringContaining('disk') },
    });
    expect(await states()).toEqual(['online']);
    expect(await lamp.call('fabrics')).toHaveLength(1);
    free();
  });

  test('with a full disk it ends without the bridge, which has the same program', async () => {
    await world.ask('POST', '/integration', { kind: 'matter_bridge' });
    const bridge = async (): Promise<unknown> => (await world.ask('GET', '/integration/matter_bridge')).json;
    await expect.poll(bridge, SOON).toMatchObject({ status: 'connected' });
    const pid = programPid();
    const [device] = await world.devices();
    const free = fillDisk(disk);
    // What it says has to be written at the end.
    await world.ask('POST', `/device/${device?.id}/command`, { action: 'toggle' });
    for (const enabled of [false, true]) await world.ask('PATCH', '/integration/matter', { enabled });
    await expect.poll(states, SOON).toEqual(['online']);
    // A part that fails to end has the whole program killed after 20 s.
    expect(world.hub().log()).not.toContain('the end of controller');
    expect(programPid()).toBe(pid);
    free();
  });

  test('a device is removed by force while the disk is full', async () => {
    const [device] = await world.devices();
    const free = fillDisk(disk);
    expect(await world.ask('DELETE', `/device/${device?.id}?force=true`)).toMatchObject({ status: 204 });
    await expect.poll(() => lamp.call('fabrics').catch(String), SOON).toEqual([]);
    free();
  });
});
