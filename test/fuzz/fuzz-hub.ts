import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';
import { openCallers } from './callers.ts';
import type { CampaignDeps } from './campaign.ts';
import { createJudge } from './judge.ts';
import { readOperations } from './operation.ts';
import { openPools } from './pools.ts';

/** The rations of callers are by the hub's clock: at its own pace most requests would be refused for being too many. */
const FAST_CLOCK = {
  SOAK_SPEED: '100',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../soak/support/fast-time.mjs')}`,
};

export type FuzzHub = { readonly folder: HubFolder; readonly hub: HubProcess; readonly deps: CampaignDeps };

/** The shipped hub with the simulated home, everybody who may call it, and some of everything to be called for. */
export async function openFuzzHub(): Promise<FuzzHub> {
  const folder = createHubFolder();
  const hub = await folder.serve({ HEARTHD_LOG: 'info', ...FAST_CLOCK });
  const callers = await openCallers(hub);
  const operations = readOperations((await openHubApp()).routes);
  const pools = await openPools(hub, callers.byName.get('owner')?.token ?? '');
  return { folder, hub, deps: { address: hub.address, operations, callers, pools, judge: createJudge(operations) } };
}

/** What CI can pay, a tenth of it elsewhere; more by the environment variable. */
export function fuzzRequests(): number {
  return Number(process.env['HEARTHD_TEST_FUZZ_REQUESTS'] ?? (process.env['CI'] === 'true' ? 20_000 : 2_000));
}

/** A new seed each time, so that each run looks elsewhere; `HEARTHD_TEST_FUZZ_SEED` repeats one. */
export function drawFuzzSeed(): number {
  const asked = process.env['HEARTHD_TEST_FUZZ_SEED'];
  return asked === undefined ? randomInt(2 ** 30) : Number(asked);
}
