import * as z from 'zod/mini';
import { requireThing } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  showCreated,
  showResource,
  showIfChanged,
} from '#http/answer/resource.ts';
import { defineRoute, type Route, type RouteAudit, type RouteRequest } from './route.ts';
import { requireSame } from './shown-too.ts';

type Asking = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;
type Revised = { readonly revision: number };

/** A noun whose records have a revision: what its calls have in common. */
type RecordNoun<Item extends Revised, Access extends Route['access']> = Pick<Route, 'tag'> & {
  /** As messages name it: `mode`. */
  readonly noun: string;
  /** The path of one record, as `/api/v1/mode/:key`; the list has the same without its last part. */
  readonly path: string;
  readonly schema: z.ZodMiniType;
  /** The record that the caller sees by this name with the right of the call; `undefined` is answered with 404. */
  readonly find: (name: string, request: Asking, access: Access) => Item | undefined;
  readonly resource: (item: Item, request: Asking) => Resource;
  readonly audit: RouteAudit;
  readonly eventCursor: () => string;
};

/** A call says this of itself; the rest follows from the noun. */
type Call<Access> = Pick<Route, 'id' | 'summary' | 'note' | 'place'> & { readonly access: Access };
type CallWithBody<Access, Body> = Call<Access> & Pick<Route<unknown, Body>, 'body'>;
/** The record and what must hold for its change: the caller as of then, and the revision of `If-Match`. */
type Change<Item, Body> = (item: Item, request: RouteRequest<unknown, Body>, terms: AuthorizedTerms) => Promise<Item>;

type RecordRoutes<Item, Access> = {
  /** `items`: JSON of those that the caller sees, in their order. */
  readonly list: (call: Call<Access>, items: (request: Asking) => readonly unknown[]) => Route;
  readonly show: (call: Call<Access>) => Route;
  /** `add` resolves with the record and its name in the path. */
  readonly create: <Body>(
    call: CallWithBody<Access, Body>,
    add: (request: RouteRequest<unknown, Body>) => Promise<readonly [item: Item, name: string]>,
  ) => Route;
  readonly change: <Body>(
    call: CallWithBody<Access, Body> & { readonly method: 'PUT' | 'PATCH' },
    change: Change<Item, Body>,
  ) => Route;
  readonly remove: (
    call: Call<Access> & Pick<Route, 'audit'>,
    remove: (
      item: Item,
      request: RouteRequest<unknown, unknown>,
      terms: AuthorizedTerms,
    ) => Promise<void | { readonly auditDetail: string }>,
  ) => Route;
};

/** Makes the routes of a noun: 304 for what the client has, `If-Match` before a change, the new revision in the answer. */
export function recordRoutes<Item extends Revised, Access extends Route['access'] = Route['access']>(
  noun: RecordNoun<Item, Access>,
): RecordRoutes<Item, Access> {
  const { tag, path: one, schema, audit, resource } = noun;
  const [, path = '', parameter = ''] = /^(.*)\/:(\w+)$/.exec(one) ?? [];
  const itemOf = (request: Asking, access: Access): Item => {
    return requireThing(noun.find(request.params[parameter] ?? '', request, access), noun.noun);
  };
  const jsonOf = (item: Item, request: Asking) => resource(item, request).content().json as JsonObject;
  const termsOf = (request: RouteRequest<unknown, unknown>, { revision }: Item): AuthorizedTerms => ({
    ifRevision: requiredRevision(request.header('if-match'), revision),
    authorize: (): void => void request.authorize(),
  });
  return {
    list: (call, items) =>
      defineRoute({
        ...call,
        tag,
        method: 'GET',
        path,
        answers: { 200: z.array(schema), 304: null },
        handle: (request) => showIfChanged(listResource(items(request), cursorOf(noun)), request.header),
      }),
    show: (call) =>
      defineRoute({
        ...call,
        tag,
        method: 'GET',
        path: one,
        answers: { 200: schema, 304: null },
        handle: (request) => showIfChanged(resource(itemOf(request, call.access), request), request.header),
      }),
    create: (call, add) =>
      defineRoute({
        ...call,
        tag,
        method: 'POST',
        path,
        answers: { 201: schema },
        audit,
        handle: async (request): Promise<RouteAnswer> => {
          const [item, name] = await add(request);
          return showCreated(resource(item, request), `${path}/${name}`);
        },
      }),
    change: (call, change) =>
      defineRoute({
        ...call,
        tag,
        path: one,
        answers: { 200: schema },
        audit,
        handle: async (request): Promise<RouteAnswer> => {
          const item = itemOf(request, call.access);
          // First the revision: a client that sends back an old one must learn that it is old.
          const terms = termsOf(request, item);
          if (call.body !== undefined) requireSame(call.body.schema, request.body, jsonOf(item, request));
          return showResource(resource(await change(item, request, terms), request));
        },
      }),
    remove: (call, remove) =>
      defineRoute({
        audit,
        ...call,
        tag,
        method: 'DELETE',
        path: one,
        answers: { 204: null },
        handle: async (request): Promise<RouteAnswer> => {
          const item = itemOf(request, call.access);
          return { status: 204, ...(await remove(item, request, termsOf(request, item))) };
        },
      }),
  };
}
