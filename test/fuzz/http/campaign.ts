import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Callers } from './callers.ts';
import { createFuzzClient, type FuzzAnswer, type FuzzClient } from './fuzz-client.ts';
import { curlLine, type FuzzRequest, requestFrom } from './fuzz-request.ts';
import type { AnswerCheck } from './answer-check.ts';
import type { Operation } from './operation.ts';
import { arbitraryPlan, fairPlan, type Plan } from './plan.ts';
import { madeBy, NEWEST, type Pools } from './pools.ts';

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
  readonly answerWithinMs: number;
  readonly operations: readonly Operation[];
  readonly callers: Callers;
  readonly pools: Pools;
  readonly checkAnswer: AnswerCheck;
};

/** As many at once as the hub hashes and queues passwords: it would answer 503 to more. */
const LANES = 8;

export type CampaignSize = { readonly requests: number; readonly seed: number };

/** Even a call of which one valid request in fifty succeeds stays silent once in 24,000 times. */
const MOST_TRIES = 500;
/** The hub's clock runs a hundred times as fast. */
const HUB_SECOND_MS = 10;
/** What a call is about may be gone, so it is made again before each of so many tries. */
const TRIES_A_MAKER = 4;

/**
 * Sends so many requests, eight at a time. Each lane looks for the smallest request that fails, and ends with it; the
 * others go on.
 */
export async function runCampaign(deps: CampaignDeps, { requests, seed }: CampaignSize): Promise<CampaignReport> {
  const { note, tally } = createTally();
  const callers = deps.callers.all.map(({ name }) => name);
  const plans = arbitraryPlan(deps.operations, callers);
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    runLane(deps, { plans, note, requests: Math.ceil(requests / LANES), seed: seed + lane, lane }),
  );
  const findings = (await Promise.all(lanes)).flat();
  return { sent: [...tally.values()].reduce((sum, count) => sum + count, 0), seed, findings, tally };
}

/** Sends the owner's valid requests of one call, and of those that make what it is about, until it succeeds. */
export async function askUntilSuccess(
  deps: CampaignDeps,
  { operation, makers, seed }: { operation: Operation; makers: readonly Operation[]; seed: number },
): Promise<CampaignReport> {
  const { note, tally } = createTally();
  const client = createFuzzClient(deps, `127.0.0.${100 + LANES}`);
  const findings: Finding[] = [];
  const plansOf = (one: Operation, count: number): Plan[] => fc.sample(fairPlan([one]), { seed, numRuns: count });
  const making = makers.map((maker) => plansOf(maker, Math.ceil(MOST_TRIES / TRIES_A_MAKER)));
  for (const [index, plan] of plansOf(operation, MOST_TRIES).entries()) {
    const made = index % TRIES_A_MAKER === 0 ? making.flatMap((plans) => plans[index / TRIES_A_MAKER] ?? []) : [];
    let isSuccess = false;
    for (const one of [...made, made.length === 0 ? plan : aboutNewest(plan)]) {
      const { answer, finding } = await ask(deps, { client, plan: one });
      note(one, answer);
      if (finding !== undefined) findings.push(finding);
      // The hub tells when the ration of the caller is full again.
      if (answer?.status === 429) await delay(Number(answer.headers.get('retry-after')) * HUB_SECOND_MS);
      isSuccess = answer !== undefined && answer.status < 400;
    }
    if (isSuccess) break;
  }
  client.close();
  return { sent: [...tally.values()].reduce((sum, count) => sum + count, 0), seed, findings, tally };
}

/** The plan about what was made just before it. */
function aboutNewest(plan: Plan): Plan {
  return { ...plan, parts: Object.fromEntries(Object.keys(plan.parts).map((name) => [name, { index: NEWEST }])) };
}

type Note = (plan: Plan, answer: FuzzAnswer | undefined) => void;

function createTally(): { readonly tally: ReadonlyMap<string, number>; readonly note: Note } {
  const tally = new Map<string, number>();
  return {
    tally,
    note: ({ operation, method }, answer) => {
      const key = `${method} ${operation.path} ${answer?.status ?? 'none'}`;
      tally.set(key, (tally.get(key) ?? 0) + 1);
    },
  };
}

/** Sends one request, and keeps what the next ones need of its answer. */
async function ask(
  deps: CampaignDeps,
  { client, plan }: { client: FuzzClient; plan: Plan },
): Promise<{ readonly answer: FuzzAnswer | undefined; readonly finding: Finding | undefined }> {
  const request = await requestFrom(plan, deps.callers, deps.pools);
  const answer = await client.send(request);
  follow(deps, { plan, request, answer });
  const problems = deps.checkAnswer(request, answer);
  if (problems.length === 0) return { answer, finding: undefined };
  const told = `${answer?.status ?? 'none'} ${answer?.body.slice(0, 500) ?? ''}`;
  return { answer, finding: { curl: curlLine(deps.address, request), problems, answer: told } };
}

type Lane = {
  readonly plans: fc.Arbitrary<Plan>;
  readonly note: Note;
  readonly requests: number;
  readonly seed: number;
  readonly lane: number;
};

async function runLane(deps: CampaignDeps, { plans, note, requests, seed, lane }: Lane): Promise<readonly Finding[]> {
  const client = createFuzzClient(deps, `127.0.0.${100 + lane}`);
  let smallest: Finding | undefined;
  const property = fc.asyncProperty(plans, async (plan) => {
    const { answer, finding } = await ask(deps, { client, plan });
    note(plan, answer);
    smallest = finding ?? smallest;
    return finding === undefined;
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
  const { path } = plan.operation;
  const isMade = answer.status === 201 || (madeBy(path) !== undefined && answer.status < 300);
  if (request.method === 'POST' && isMade) pools.note(path, JSON.parse(answer.body));
}

/** The operations that no request of these campaigns was answered by with a success. */
export function silentIn(operations: readonly Operation[], reports: readonly CampaignReport[]): readonly Operation[] {
  const succeeded = new Set(
    reports.flatMap(({ tally }) => [...tally.keys()].flatMap((key) => /^(\S+ \S+) [23]/.exec(key)?.[1] ?? [])),
  );
  return operations.filter((operation) => !succeeded.has(nameOf(operation)));
}

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Findings as text for the person who will fix them. */
export function describeFindings({ findings, seed }: Pick<CampaignReport, 'findings' | 'seed'>): string {
  return (
    findings.map(({ curl, problems, answer }) => `${problems.join('; ')}\n  ${curl}\n  ${answer}`).join('\n') +
    `\nseed ${seed}`
  );
}
