import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { requireThing } from '#base/hub-error.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import { revisedResource, showCreated, showIfChanged, showResource } from '#http/answer/resource.ts';
import { callerOf, insufficientScope, ownsHub } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteRequest } from './route.ts';

type Asking = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;
type Audited = 'webhook' | 'exporter' | 'notification_channel';

/** A noun whose records are known by an id: each is a receiver at home to which the hub sends something. */
type ReceiverNoun<Item> = Pick<Route, 'tag' | 'access'> & {
  /** As messages name it: `webhook`. */
  readonly noun: string;
  readonly audit: Audited;
  /** The path of all: `/api/v1/webhook`. */
  readonly path: string;
  /** What changes it, and what it is tried with, need beside the right. */
  readonly changes?: Pick<Route, 'sessionOnly'>;
  readonly schema: z.ZodMiniType;
  readonly find: (id: string) => Item | undefined;
  readonly idOf: (item: Item) => string;
  readonly json: (item: Item, caller: Caller) => { readonly revision: number };
  /** For the audit log: a host or a name, because the rest of a URL can be a secret. */
  readonly placeOf: (item: Item) => string;
};

/** A call says this of itself; the rest follows from the noun. */
type Call = Pick<Route, 'id' | 'summary' | 'note'>;
type CallWithBody<Body> = Call & Pick<Route<unknown, Body>, 'body'>;
type Terms = Pick<AuthorizedTerms, 'authorize'>;

/** A new receiver, before it is added. */
type Fresh<Item> = {
  /** Its URL may lead to this machine itself. */
  readonly mayReachHub: boolean;
  readonly add: (terms: Terms) => Promise<Item>;
};

type ReceiverRoutes<Item> = {
  /** The record in the path. Throws HubError NOT_FOUND. */
  readonly itemOf: (request: Asking) => Item;
  readonly list: (call: Call, items: (caller: Caller) => readonly unknown[]) => Route;
  readonly show: (call: Call) => Route;
  /** `secrets`: what only this answer shows. */
  readonly create: <Body>(
    call: CallWithBody<Body> & { readonly schema?: z.ZodMiniType },
    read: (body: Body, caller: Caller) => Fresh<Item>,
    secrets?: (item: Item) => object,
  ) => Route;
  /** `authorize` gives the caller as of now, by whose rights the body is read. */
  readonly update: <Body>(
    call: CallWithBody<Body>,
    change: (item: Item, body: Body, authorize: () => Caller) => Promise<Item>,
  ) => Route;
  readonly remove: (call: Call, remove: (item: Item, terms: Terms) => Promise<void>) => Route;
  /** Sends something now, to see whether it arrives. */
  readonly test: (
    call: Call & { readonly schema: z.ZodMiniType },
    test: (item: Item, request: RouteRequest<unknown, unknown>) => Promise<unknown>,
  ) => Route;
};

/** Makes the routes of a noun of receivers. Only an owner adds one that may reach this machine itself. */
export function receiverRoutes<Item>(noun: ReceiverNoun<Item>): ReceiverRoutes<Item> {
  const itemOf = ({ params }: Asking): Item => {
    return requireThing(noun.find(params['id'] ?? ''), noun.noun);
  };
  return { itemOf, ...readingRoutes(noun, itemOf), ...addingRoute(noun), ...changingRoutes(noun, itemOf) };
}

type ItemOf<Item> = ReceiverRoutes<Item>['itemOf'];

function readingRoutes<Item>(
  { tag, access, path, schema, json }: ReceiverNoun<Item>,
  itemOf: ItemOf<Item>,
): Pick<ReceiverRoutes<Item>, 'list' | 'show'> {
  const shared = { tag, access, method: 'GET' } as const;
  return {
    list: (call, items) =>
      defineRoute({
        ...shared,
        ...call,
        path,
        answers: { 200: z.array(schema) },
        handle: (request) => ({ status: 200, json: items(callerOf(request)) }),
      }),
    show: (call) =>
      defineRoute({
        ...shared,
        ...call,
        path: `${path}/:id`,
        answers: { 200: schema, 304: null },
        handle: (request) => showIfChanged(revisedResource(json(itemOf(request), callerOf(request))), request.header),
      }),
  };
}

function addingRoute<Item>({
  tag,
  access,
  path,
  schema: usual,
  json,
  changes,
  ...noun
}: ReceiverNoun<Item>): Pick<ReceiverRoutes<Item>, 'create'> {
  return {
    create: ({ schema = usual, ...call }, read, secrets) =>
      defineRoute({
        tag,
        access,
        ...changes,
        ...call,
        method: 'POST',
        path,
        ...(secrets && ({ once: 'place' } as const)),
        answers: { 201: schema },
        audit: `${noun.audit}.added` as const,
        handle: async (request): Promise<RouteAnswer> => {
          const caller = callerOf(request);
          const { mayReachHub, add } = read(request.body, caller);
          const authorize = (): void => {
            const now = request.authorize();
            if (mayReachHub && !ownsHub(now)) throw insufficientScope('system:manage');
          };
          const item = await add({ authorize });
          const shown = json(item, caller);
          const answer = showCreated(revisedResource(shown), `${path}/${noun.idOf(item)}`);
          return { ...answer, json: { ...shown, ...secrets?.(item) }, auditDetail: noun.placeOf(item) };
        },
      }),
  };
}

function changingRoutes<Item>(
  { tag, access, path, schema, json, changes, ...noun }: ReceiverNoun<Item>,
  itemOf: ItemOf<Item>,
): Pick<ReceiverRoutes<Item>, 'update' | 'remove' | 'test'> {
  const shared = { tag, access, path: `${path}/:id`, ...changes };
  /** Asked right before the change. */
  const authorize = (request: RouteRequest<unknown, unknown>): Caller => {
    const caller = request.authorize();
    requiredRevision(request.header('if-match'), json(itemOf(request), caller).revision);
    return caller;
  };
  return {
    update: (call, change) =>
      defineRoute({
        ...shared,
        ...call,
        method: 'PATCH',
        answers: { 200: schema },
        audit: `${noun.audit}.changed` as const,
        handle: async (request): Promise<RouteAnswer> => {
          const item = await change(itemOf(request), request.body, () => authorize(request));
          return { ...showResource(revisedResource(json(item, callerOf(request)))), auditDetail: noun.placeOf(item) };
        },
      }),
    remove: (call, remove) =>
      defineRoute({
        ...shared,
        ...call,
        method: 'DELETE',
        answers: { 204: null },
        audit: `${noun.audit}.removed` as const,
        handle: async (request): Promise<RouteAnswer> => {
          const item = itemOf(request);
          await remove(item, { authorize: () => void authorize(request) });
          return { status: 204, auditDetail: noun.placeOf(item) };
        },
      }),
    test: ({ schema: outcome, ...call }, test) =>
      defineRoute({
        ...shared,
        ...call,
        method: 'POST',
        path: `${shared.path}/test`,
        answers: { 200: outcome },
        audit: { unaudited: 'it sends a test to a receiver whose address is in the log since it was set' },
        handle: async (request) => ({ status: 200, json: await test(itemOf(request), request) }),
      }),
  };
}
