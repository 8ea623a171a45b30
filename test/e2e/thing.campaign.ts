import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INVENTORY } from '#integrations/simulated-home/inventory.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
} from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

const CONSUMER = join(import.meta.dirname, '../support/wot/consume.mjs');
const runFile = promisify(execFile);

type Outcome = {
  read: Record<string, Record<string, unknown>>;
  written: unknown;
  seen: unknown[];
  output: { status: string };
};

describe.skipIf(!needs('node-wot'))('the Thing Descriptions, in a consumer of the Web of Things', () => {
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  let outcome: Outcome;
  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    token = (await claimHub(hub)).access_token;
    await listDevices(hub, token, INVENTORY.length);
    const args = [CONSUMER, hub.address, token, 'kitchen-ceiling', 'living-room-remote'];
    outcome = JSON.parse((await runFile(process.execPath, args, { timeout: 30_000 })).stdout) as Outcome;
  });
  afterAll(() => hubs.close());

  test('let it read every value of every device', async () => {
    const states = (await listDevices(hub, token, INVENTORY.length)).map(({ selector, features }) => {
      const all = features as readonly { readonly key: string; readonly kind?: string }[];
      return [selector, all.flatMap(({ key, kind }) => (kind === 'state' ? [key] : [])).toSorted()];
    });
    const read = Object.entries(outcome.read).map(([selector, values]) => [selector, Object.keys(values).toSorted()]);
    expect(read).toEqual(states);
    expect(outcome.read['kitchen-ceiling']).toMatchObject({ on: expect.any(Boolean), brightness: expect.any(Number) });
  });

  test('let it write a value, observe what becomes of it, and see what its actions answer', () => {
    expect(outcome.written).toBe(17);
    expect(outcome.seen).toContain(17);
    expect(outcome.seen.at(-1)).toBe(71);
    expect(outcome.output.status).toBe('confirmed');
  });
});
