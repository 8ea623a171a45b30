import * as fc from 'fast-check';
import type { Callers } from './callers.ts';
import { createFuzzClient, type FuzzAnswer } from './fuzz-client.ts';
import { curlLine, type FuzzRequest, requestFrom } from './fuzz-request.ts';
import type { AnswerCheck } from './answer-check.ts';
import type { Operation } from './operation.ts';
import { arbitraryPlan, type Plan } from './plan.ts';
import type { Pools } from './pools.ts';

export type Finding = { readonly curl: string; readonly problems: readonly string[]; readonly answer: string };
export type CampaignReport = {
  readonly sent: number;
  readonly seed: number;
  readonly findings: readonly Finding[];
  /** How often each call was answered how: `GET /api 200`. */
  readonly tally: ReadonlyMap<string, number>;
};
export type CampaignDeps = {
  readonly address: string;
  readonly operations: readonly Operation[];
  readonly callers: Callers;
  readonly pools: Pools;
  readonly checkAnswer: AnswerCheck;
};

/** As many at once as the hub hashes and queues passwords: it would answer 503 to more. */
const LANES = 8;

/**
 * Sends so many requests, eight at a time. Each lane looks for the smallest request that fails, and ends with it; the
 * others go on.
 */
export async function runCampaign(
  deps: CampaignDeps,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<CampaignReport> {
  const tally = new Map<string, number>();
  let sent = 0;
  const note = ({ operation, method }: Plan, answer: FuzzAnswer | undefined): void => {
    const key = `${method} ${operation.path} ${answer?.status ?? 'none'}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    sent += 1;
  };
  const plans = arbitraryPlan(
    deps.operations,
    deps.callers.all.map(({ name }) => name),
  );
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    runLane(deps, { plans, note, requests: Math.ceil(requests / LANES), seed: seed + lane, lane }),
  );
  const findings = (await Promise.all(lanes)).flat();
  return { sent, seed, findings, tally };
}

type Lane = {
  readonly plans: fc.Arbitrary<Plan>;
  readonly note: (plan: Plan, answer: FuzzAnswer | undefined) => void;
  readonly requests: number;
  readonly seed: number;
  readonly lane: number;
};

async function runLane(deps: CampaignDeps, { plans, note, requests, seed, lane }: Lane): Promise<readonly Finding[]> {
  const client = createFuzzClient(deps.address, `127.0.0.${100 + lane}`);
  let smallest: Finding | undefined;
  const property = fc.asyncProperty(plans, async (plan) => {
    const request = await requestFrom(plan, deps.callers, deps.pools);
    const answer = await client.send(request);
    note(plan, answer);
    follow(deps, { plan, request, answer });
    const problems = deps.checkAnswer(request, answer);
    if (problems.length === 0) return true;
    const told = `${answer?.status ?? 'none'} ${answer?.body.slice(0, 500) ?? ''}`;
    smallest = { curl: curlLine(deps.address, request), problems, answer: told };
    return false;
  });
  const { failed, errorInstance } = await fc.check(property, {
    numRuns: requests,
    seed,
    interruptAfterTimeLimit: 300_000,
  });
  client.close();
  // An error in the campaign itself is no finding, and must not pass for none.
  if (failed && smallest === undefined) throw new Error('a request could not be made', { cause: errorInstance });
  return smallest === undefined ? [] : [smallest];
}

/** Keeps what the next requests need: new ids, and a session in the place of one that was ended. */
function follow(
  { callers, pools }: CampaignDeps,
  { plan, request, answer }: { plan: Plan; request: FuzzRequest; answer: FuzzAnswer | undefined },
): void {
  if (answer === undefined) return;
  if (request.doomedRole !== undefined && (answer.status < 300 || answer.status === 401)) {
    callers.doomed.drop(request.doomedRole);
  }
  const made = plan.operation.path.replace(/\/device\/\{selector\}\/command$/, '/command');
  const isMade = answer.status === 201 || (made.endsWith('/command') && answer.status < 300);
  if (request.method === 'POST' && isMade) pools.note(made, JSON.parse(answer.body));
}

/** Findings as text for the person who will fix them. */
export function describeFindings({ findings, seed }: Pick<CampaignReport, 'findings' | 'seed'>): string {
  return (
    findings.map(({ curl, problems, answer }) => `${problems.join('; ')}\n  ${curl}\n  ${answer}`).join('\n') +
    `\nseed ${seed}`
  );
}
