import { join } from 'node:path';
import { createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { runs } from '#test/support/machine/runs.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';
import { openCallers } from './callers.ts';
import type { CampaignDeps } from './campaign.ts';
import { createAnswerCheck } from './answer-check.ts';
import { ANSWER_WITHIN_MS } from './fuzz-client.ts';
import { readOperations } from './operation.ts';
import { openPools } from './pools.ts';

/** The hub's clock runs fast, so that the rations of callers do not refuse most requests. */
const FAST_CLOCK = {
  SOAK_SPEED: '100',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../soak/support/fast-time.mjs')}`,
};

export type FuzzHub = { readonly folder: HubFolder; readonly hub: HubProcess; readonly deps: CampaignDeps };

/** The shipped hub with the simulated home, callers of each kind, and a few of each thing that calls are about. */
export async function openFuzzHub(): Promise<FuzzHub> {
  const folder = createHubFolder();
  const hub = await folder.serve({ HEARTHD_LOG: 'info', ...FAST_CLOCK });
  const callers = await openCallers(hub);
  const operations = readOperations((await openHubApp()).routes);
  const pools = await openPools(hub, callers.byName.get('owner')?.token ?? '');
  return {
    folder,
    hub,
    deps: {
      address: hub.address,
      answerWithinMs: ANSWER_WITHIN_MS,
      operations,
      callers,
      pools,
      checkAnswer: createAnswerCheck(operations),
    },
  };
}

/** How many requests a campaign sends. */
export function fuzzRequests(): number {
  return runs(30_000, 5_000);
}
