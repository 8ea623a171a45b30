import type { Audit } from '#auth/audit/audit.ts';
import type * as z from 'zod/mini';
import { HubError, fieldError, requireThing, validationFailed } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Setup, SetupAnswer } from '#core/integration/setup-step.ts';
import { callerOf, ownsHub } from '#http/rights/access.ts';
import { auditedCaller } from '#http/routing/audited-routes.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { integrationSetupJson, integrationSetupSchema, setupAnswerSchema, setupCreateSchema } from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

type SetupDesk = {
  readonly start: (wanted: SetupSubject, person: Person) => Promise<KnownSetup>;
  readonly findSetup: (id: string) => KnownSetup | undefined;
  readonly answer: (id: string, answer: SetupAnswer) => Promise<KnownSetup>;
  readonly end: (id: string) => Promise<void>;
};
type SetupSubject = { readonly kind: string } | { readonly thing: string };
type Person = ReturnType<typeof personOf>;
type KnownSetup = { readonly setup: Setup; readonly userId: string };

type SetupRoutesDeps = {
  readonly integrationSetups: SetupDesk;
  readonly audit: Pick<Audit, 'record'>;
  readonly wallMs: () => number;
};

const PATH = '/api/v1/integration_setup';
const ONE = '/api/v1/integration_setup/:id';

/** Conversations that lead to an integration. They belong to the person who began, and end with the hub. */
export function integrationSetupRoutes(deps: SetupRoutesDeps): readonly Route[] {
  return [startRoute(deps), ...runningRoutes(deps)];
}

function startRoute(deps: SetupRoutesDeps): Route {
  return defineRoute({
    id: 'createIntegrationSetup',
    method: 'POST',
    path: PATH,
    summary: 'Begin to set up an integration',
    tag: 'Integration',
    note: notes.createIntegrationSetup,
    access: 'hub:manage',
    // A set-up goes on by itself, and its step may show a code.
    once: 'place',
    body: jsonBody(setupCreateSchema),
    answers: { 201: integrationSetupSchema },
    audit: { unaudited: 'nothing has changed before its end, which is in the log as a new or changed integration' },
    handle: async (request) => {
      const known = await deps.integrationSetups.start(subjectFrom(request.body), personOf(deps, request));
      return { ...shown(deps, known, request), status: 201, headers: { Location: `${PATH}/${known.setup.id}` } };
    },
  });
}

function runningRoutes(deps: SetupRoutesDeps): readonly Route[] {
  const { integrationSetups: desk } = deps;
  return [
    defineRoute({
      id: 'getIntegrationSetup',
      method: 'GET',
      path: ONE,
      summary: 'Show a set-up with its present step',
      tag: 'Integration',
      note: notes.getIntegrationSetup,
      access: 'hub:manage',
      answers: { 200: integrationSetupSchema },
      handle: (request) => shown(deps, findOrRefuse(desk, request), request),
    }),
    defineRoute({
      id: 'answerIntegrationSetup',
      method: 'POST',
      path: ONE,
      summary: 'Answer the present step of a set-up',
      tag: 'Integration',
      note: notes.answerIntegrationSetup,
      access: 'hub:manage',
      body: jsonBody(setupAnswerSchema),
      answers: { 200: integrationSetupSchema },
      audit: { unaudited: 'nothing has changed before its end, which is in the log as a new or changed integration' },
      handle: async (request) => {
        const { setup } = findOwn(desk, request);
        return shown(deps, await desk.answer(setup.id, request.body.answer as JsonObject), request);
      },
    }),
    defineRoute({
      id: 'endIntegrationSetup',
      method: 'DELETE',
      path: ONE,
      summary: 'End a set-up and undo what it did',
      tag: 'Integration',
      note: notes.endIntegrationSetup,
      access: 'hub:manage',
      answers: { 204: null },
      audit: { unaudited: 'it leaves everything as it was' },
      handle: async (request) => {
        const { setup } = findOwn(desk, request);
        await desk.end(setup.id);
        return { status: 204 };
      },
    }),
  ];
}

function subjectFrom({ kind, found }: z.infer<typeof setupCreateSchema>): SetupSubject {
  if (kind !== undefined && found === undefined) return { kind };
  if (found !== undefined && kind === undefined) return { thing: found };
  throw validationFailed([fieldError('/kind', 'INVALID_VALUE', ...faultWords('kind_or_found'))]);
}

type Request = RouteRequest<unknown, unknown>;

function shown({ wallMs }: SetupRoutesDeps, { setup }: KnownSetup, request: Request): RouteAnswer {
  return { status: 200, json: integrationSetupJson(setup, { wallMs, isOwner: ownsHub(callerOf(request)) }) };
}

function findOrRefuse(desk: SetupDesk, { params }: Request): KnownSetup {
  return requireThing(desk.findSetup(params['id'] ?? ''), 'set-up');
}

/** Others see it, but what it may reach follows from the rights of the person who began. */
function findOwn(desk: SetupDesk, request: Request): KnownSetup {
  const known = findOrRefuse(desk, request);
  if (known.userId !== callerOf(request).user.id) {
    throw new HubError('FORBIDDEN', 'Somebody else began this set-up: only that person can go on with it.');
  }
  return known;
}

/** The set-up outlives the request, so each of its steps asks anew what the person may do. */
function personOf({ audit }: SetupRoutesDeps, request: Request) {
  const caller = callerOf(request);
  const { peer, authorize } = request;
  const record = (type: Parameters<typeof audit.record>[0]['type'], detail: string): Promise<void> =>
    audit.record({ type, detail, peer, userId: caller.user.id, ...auditedCaller(caller) });
  return {
    userId: caller.user.id,
    authorize: (): void => void authorize(),
    mayReachHub: (): boolean => ownsHub(authorize()),
    onKept: ({ instance, isRenewal }: { readonly instance: string; readonly isRenewal: boolean }): Promise<void> =>
      record(isRenewal ? 'integration.changed' : 'integration.added', instance),
    onTakenBack: (instance: string): Promise<void> => record('integration.removed', `${instance} remove`),
  };
}
