import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askUntilSuccess,
  type CampaignReport,
  describeFindings,
  nameOf,
  runCampaign,
  silentIn,
} from '#test/fuzz/http/campaign.ts';
import type { Operation } from '#test/fuzz/http/operation.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { drawSeed } from '#test/support/machine/runs.ts';
import { type FuzzHub, fuzzRequests, openFuzzHub } from '#test/fuzz/http/fuzz-hub.ts';
import { makes } from '#test/fuzz/http/pools.ts';
import { runRawCampaign } from './raw-campaign.ts';
import { MAX_ANSWER_MS, type Stall, startStallProbe } from './stall-probe.ts';

const LOGGED_BYTES_PER_REQUEST = 16;
/** Lines that the hub logs in any case, and warnings that come once in a while. */
const LOGGED_BYTES = 16_000;
/** These never succeed here: the hub is claimed, guesses are wrong, a made-up file is no backup and no archive, settings are fixed. */
const WITHOUT_SUCCESS = new Set([
  'POST /api/v1/setup',
  'POST /api/v1/login',
  'POST /api/v1/access_token',
  'POST /api/v1/me/password',
  'POST /api/v1/backup/restore',
  'POST /api/v1/backup/{id}/restore',
  'POST /api/v1/history/import',
  'POST /api/v1/integration/{id}/pairing',
  'DELETE /api/v1/integration/{id}/pairing',
  // No bridge runs here.
  'DELETE /api/v1/integration/{id}/fabric/{fabric}',
  // Nothing here carries out commands for a provider.
  'POST /api/v1/provider/{name}/command/{id}',
  // Its success is a WebSocket, which the raw bytes ask for.
  'GET /api/v1/shelly/socket',
  // No digits come by chance, and only the screen has the secret.
  'GET /api/v1/wall_request',
  'GET /api/v1/wall_request/{id}',
  'POST /api/v1/wall_request/{digits}/allow',
  'POST /api/v1/wall_request/{digits}/refuse',
  // Only the user who logged in learns its ids.
  'DELETE /api/v1/session/{id}',
  'PATCH /api/v1/integration/{id}',
  // No tariff takes prices here, and no two times that come by chance are within 62 days.
  'POST /api/v1/energy/price',
  'POST /api/v1/energy/recalculate',
  // No kind has a name that comes by chance, nothing is found here, and another user began the set-up.
  'POST /api/v1/integration',
  'POST /api/v1/integration_setup',
  'POST /api/v1/integration_setup/{id}',
  'DELETE /api/v1/integration_setup/{id}',
  'POST /api/v1/integration_found/{id}/ignore',
  'POST /api/v1/integration_found/{id}/restore',
]);

/** The calls that make what this call is about: what there was may be removed by now. */
function makersFor(operation: Operation, all: readonly Operation[]): readonly Operation[] {
  // A presence is that of a user.
  const asked = operation.path.replace('/presence/', '/user/');
  return all.filter(
    ({ method, path }) =>
      (method === 'POST' && makes(path, asked)) ||
      (method === 'PUT' && operation.method !== 'PUT' && path === operation.path) ||
      (method === 'DELETE' && `${path}/restore` === operation.path),
  );
}

const possible = (operations: readonly Operation[]) => operations.filter((one) => !WITHOUT_SUCCESS.has(nameOf(one)));

/** Of the requests with this seed one in at most twelve succeeds, so none of the calls needs luck. */
const FAIR_SEED = 20_261_129;

/** A hub of its own, so that what a random campaign did to its hub, or found, decides nothing here. */
test('every call succeeds at least once, so the valid requests are valid', async () => {
  const { folder, deps } = await openFuzzHub();
  const fair: CampaignReport[] = [];
  try {
    for (const operation of possible(deps.operations)) {
      const makers = makersFor(operation, deps.operations);
      fair.push(await askUntilSuccess(deps, { operation, makers, seed: FAIR_SEED }));
    }
  } finally {
    await folder.close();
  }
  expect(possible(silentIn(deps.operations, fair)).map(nameOf)).toEqual([]);
  expect(fair.map(describeFindings)).toEqual(fair.map(() => `\nseed ${FAIR_SEED}`));
}, 600_000);

const requests = fuzzRequests();
const seed = drawSeed();

describe(`A1, H1, H3, X: ${requests} requests, HEARTHD_TEST_SEED=${seed}`, () => {
  let open: FuzzHub;
  let report: CampaignReport;
  let raw: Awaited<ReturnType<typeof runRawCampaign>>;
  let stall: Stall;
  let loggedBytes: number;
  let tookMs: number;

  beforeAll(async () => {
    open = await openFuzzHub();
    const { hub, deps } = open;
    const logged = (): number => hub.stdout().length + hub.stderr().length;
    const loggedBefore = logged();
    const startMs = performance.now();
    const probe = startStallProbe(hub.address, hub.pid);
    try {
      raw = await runRawCampaign(hub.address, { requests: Math.ceil(requests / 10), seed });
      report = await runCampaign(deps, { requests: requests - raw.sent, seed });
      stall = await probe.end();
    } catch (cause) {
      throw new Error(`the campaign ended early; the hub's log: ${hub.stderr().slice(-2_000)}`, { cause });
    }
    tookMs = performance.now() - startMs;
    loggedBytes = logged() - loggedBefore;
    const figures = {
      byDocument: report.sent,
      byBytes: raw.sent,
      seed,
      tookMs,
      stall,
      loggedBytes,
      cpuMs: hub.cpuMs(),
    };
    process.stdout.write(`fuzz: ${JSON.stringify(figures)}\n`);
  }, 900_000);
  afterAll(() => open.folder.close());

  test('requests made from the document get no 5xx, no success without the right and no answer that the document lacks', () => {
    expect(describeFindings(report)).toBe(`\nseed ${seed}`);
    expect(report.sent + raw.sent).toBeGreaterThanOrEqual(requests);
  });

  test('raw bytes get an answer or an end, and never a success', () => {
    expect(describeFindings(raw)).toBe(`\nseed ${seed}`);
  });

  test('the event loop never stands still for longer than 50 ms', () => {
    expect(stall.samples).toBeGreaterThan(requests / 1_000);
    expectBelow(
      'the longest standstill of the event loop under requests of all kinds, ms',
      stall.longestMs,
      MAX_ANSWER_MS,
    );
  });

  test('the log stays short and has no error', () => {
    expect(loggedBytes).toBeLessThan(LOGGED_BYTES + requests * LOGGED_BYTES_PER_REQUEST);
    const { hub } = open;
    expect(`${hub.stdout()}${hub.stderr()}`.match(/^.* error .*$/gm) ?? []).toEqual([]);
  });
});
