import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { readMoment } from '#core/past/archive/read-moment.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { NearMisses } from '#core/automation-run/trace/near-misses.ts';
import type { RunFilter, RunPlace, RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import { findWhy, type WhyDeps } from '#core/automation-run/why/why-finder.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { askedHistory } from '#http/history/asked-history.ts';
import { createQueryQueue } from '#http/history/query-queue.ts';
import { described, wordOf } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import { automationRunJson, automationRunSchema, automationRunsSchema } from './json.ts';
import * as notes from './notes.ts';
import { seenHomeFor, type SeenHomeDeps } from './seen-home.ts';
import { nearMissJson, nearMissSchema, whyJson, whySchema } from './why-json.ts';
import { faultWords } from '#words/faults.ts';

export type AutomationRunRoutesDeps = {
  readonly automations: Pick<AutomationRegistry, 'find' | 'findInTrash' | 'versions' | 'findVersion' | 'stateOf'>;
  readonly runHistory: { readonly runs: RunRegistry; readonly nearMisses: NearMisses };
  readonly registry: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly accounts: SeenHomeDeps['accounts'];
  readonly history: WhyDeps['history'];
  readonly replayWindow: WhyDeps['replay'];
  /** Hub time. */
  readonly nowMs: () => number;
};

const RIGHT = 'automation:read';
const USUAL_RUNS = 50;
const USUAL_WINDOW_S = 600;
const momentSchema = z.string().check(z.maxLength(40));
const pageSchema = {
  outcome: described(
    'Only these outcomes.',
    z.optional(z.array(wordOf('RunOutcome', RUN_OUTCOMES)).check(z.minLength(1), z.maxLength(RUN_OUTCOMES.length))),
  ),
  from: described('Only starts from then on: RFC 3339, or before now as `-7d`.', z.optional(momentSchema)),
  to: described('Only starts before then.', z.optional(momentSchema)),
  limit: described(
    '50 if absent. A page of large traces ends earlier.',
    z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  ),
  cursor: described('`next` of the answer before.', z.optional(z.string().check(z.maxLength(100)))),
};
const runsQuerySchema = z.strictObject(pageSchema);
const allRunsQuerySchema = z.strictObject({
  automation: described(
    'Only of this automation: its selector or id.',
    z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ),
  ...pageSchema,
});
const whyQuerySchema = z.strictObject({
  at: described(
    'The moment that is asked about: RFC 3339, or before now as `-2h`. Now if absent.',
    z.optional(momentSchema),
  ),
  window_s: described(
    'How long around that moment to look: half of it before, half of it after. 600 if absent.',
    z.optional(z.int().check(z.minimum(10), z.maximum(86_400))),
  ),
});
type RunsQuery = z.infer<typeof runsQuerySchema>;

/** Makes the calls that tell what automations did, and why not. */
export function automationRunRoutes(deps: AutomationRunRoutesDeps): readonly Route[] {
  return [...runRoutes(deps), ...whyRoutes(deps)];
}

function runRoutes(deps: AutomationRunRoutesDeps): readonly Route[] {
  const { runs } = deps.runHistory;
  return [
    defineRoute({
      id: 'listRunsOfAutomation',
      method: 'GET',
      path: '/api/v1/automation/:selector/run',
      summary: 'List the runs of an automation, the newest first',
      tag: 'Automation',
      note: notes.listRunsOfAutomation,
      access: RIGHT,
      place: 'home',
      query: runsQuerySchema,
      answers: { 200: automationRunsSchema },
      handle: (request) => answerRuns(deps, request, { automation: automationOf(deps, request).id }),
    }),
    defineRoute({
      id: 'listAutomationRuns',
      method: 'GET',
      path: '/api/v1/automation_run',
      summary: 'List the runs of all automations, the newest first',
      tag: 'Automation',
      note: notes.listAutomationRuns,
      access: RIGHT,
      place: 'home',
      query: allRunsQuerySchema,
      answers: { 200: automationRunsSchema },
      handle: (request) => {
        const { automation } = request.query;
        return answerRuns(
          deps,
          request,
          automation === undefined ? {} : { automation: findAutomation(deps, automation).id },
        );
      },
    }),
    defineRoute({
      id: 'getAutomationRun',
      method: 'GET',
      path: '/api/v1/automation_run/:id',
      summary: 'Show one run with all that it saw and did',
      tag: 'Automation',
      note: notes.getAutomationRun,
      access: RIGHT,
      place: 'home',
      answers: { 200: automationRunSchema },
      handle: (request) => {
        const run = runs.find(request.params['id'] ?? '');
        if (run === undefined) throw new HubError('NOT_FOUND', 'There is no such run, or it is not kept any more.');
        return { status: 200, json: automationRunJson(run, seenHomeFor(callerOf(request), deps)) };
      },
    }),
  ];
}

function whyRoutes(deps: AutomationRunRoutesDeps): readonly Route[] {
  const { runs, nearMisses } = deps.runHistory;
  const queue = createQueryQueue();
  return [
    defineRoute({
      id: 'listNearMisses',
      method: 'GET',
      path: '/api/v1/automation/:selector/near_miss',
      summary: 'List when an automation nearly started, the newest first',
      tag: 'Automation',
      note: notes.listNearMisses,
      access: RIGHT,
      place: 'home',
      answers: { 200: z.array(nearMissSchema) },
      handle: (request) => {
        const home = seenHomeFor(callerOf(request), deps);
        const misses = nearMisses.list(automationOf(deps, request).id);
        return { status: 200, json: misses.map((miss) => nearMissJson(miss, home)) };
      },
    }),
    defineRoute({
      id: 'getAutomationWhy',
      method: 'GET',
      path: '/api/v1/automation/:selector/why',
      summary: 'Show why an automation ran at a moment, or why not',
      tag: 'Automation',
      note: notes.getAutomationWhy,
      access: RIGHT,
      place: 'home',
      query: whyQuerySchema,
      answers: { 200: whySchema },
      handle: async (request) => {
        const record = automationOf(deps, request);
        const nowMs = deps.nowMs();
        const { at, window_s: windowS = USUAL_WINDOW_S } = request.query;
        const atMs = at === undefined ? nowMs : Math.min(nowMs, readMoment(at, 'at', nowMs));
        const window = { fromMs: atMs - windowS * 500, toMs: Math.min(nowMs, atMs + windowS * 500) };
        const { registry, automations, replayWindow: replay } = deps;
        const history = askedHistory(deps.history, request);
        const given = { runs, nearMisses, automations, history, replay, devices: registry.devices, nowMs: deps.nowMs };
        return queue(callerOf(request).user.id, async () => {
          const why = await findWhy(given, record, { atMs, window });
          const home = seenHomeFor(request.authorize(), deps);
          return { status: 200, json: whyJson(why, { selector: record.selector, atMs }, home) };
        });
      },
    }),
  ];
}

type Asking = RouteRequest<unknown, unknown>;

function automationOf(deps: AutomationRunRoutesDeps, request: Asking): AutomationRecord {
  return findAutomation(deps, request.params['selector'] ?? '');
}

/** One in the trash keeps its past until the trash is emptied. */
function findAutomation({ automations }: AutomationRunRoutesDeps, name: string): AutomationRecord {
  const found = automations.find(name) ?? automations.findInTrash(name);
  if (found === undefined) throw new HubError('NOT_FOUND', 'There is no such automation.');
  return found;
}

function answerRuns(
  deps: AutomationRunRoutesDeps,
  request: RouteRequest<RunsQuery, unknown>,
  of: Pick<RunFilter, 'automation'>,
): RouteAnswer {
  const { outcome, from, to, limit = USUAL_RUNS, cursor } = request.query;
  const nowMs = deps.nowMs();
  const filter: RunFilter = {
    ...of,
    ...(outcome === undefined ? {} : { outcomes: new Set(outcome) }),
    ...(from === undefined ? {} : { fromMs: readMoment(from, 'from', nowMs) }),
    ...(to === undefined ? {} : { toMs: readMoment(to, 'to', nowMs) }),
  };
  const after = cursor === undefined ? null : readCursor(cursor);
  const { runs, next } = deps.runHistory.runs.list(filter, { after, limit });
  const home = seenHomeFor(callerOf(request), deps);
  return {
    status: 200,
    json: { runs: runs.map((run) => automationRunJson(run, home)), next: next && `${next.atMs}-${next.id}` },
  };
}

function readCursor(text: string): RunPlace {
  const parts = /^(-?\d{1,15}(?:\.\d{1,15})?)-([\w-]{1,60})$/.exec(text);
  if (parts !== null) return { atMs: Number(parts[1]), id: parts[2] ?? '' };
  throw new HubError('INVALID_QUERY', 'This hub did not make the cursor.', {
    errors: [fieldError('?cursor', 'INVALID_VALUE', ...faultWords('unknown_cursor'))],
  });
}
