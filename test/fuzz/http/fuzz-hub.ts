import { join } from 'node:path';
import { createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { runs } from '#test/support/machine/runs.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';
import { openCallers } from './callers.ts';
import type { CampaignDeps } from './campaign.ts';
import { createAnswerCheck } from './answer-check.ts';
import { readOperations } from './operation.ts';
import { openPools } from './pools.ts';

/** The rations of callers are by the hub's clock: at its own pace most requests would be refused for being too many. */
const FAST_CLOCK = {
  SOAK_SPEED: '100',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../soak/support/fast-time.mjs')}`,
};

export type FuzzHub = { readonly folder: HubFolder; readonly hub: HubProcess; readonly deps: CampaignDeps };

/** The shipped hub with the simulated home, everybody who may call it, and some of everything to be called for. */
export async function openFuzzHub(): Promise<FuzzHub> {
  const folder = createHubFolder();
  const hub = await folder.serve({ HEARTHD_LOG: 'info', ...FAST_CLOCK });
  const callers = await openCallers(hub);
  const operations = readOperations((await openHubApp()).routes);
  const pools = await openPools(hub, callers.byName.get('owner')?.token ?? '');
  return {
    folder,
    hub,
    deps: { address: hub.address, operations, callers, pools, checkAnswer: createAnswerCheck(operations) },
  };
}

/** How many requests a campaign sends. */
export function fuzzRequests(): number {
  return runs(20_000, 2_000);
}
