import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { Mode } from '#core/mode/mode.ts';
import type { ModeRegistry } from '#core/mode/mode-registry.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  revisionTag,
  showCreated,
  showResource,
  showUnlessKnown,
} from '#http/answer/resource.ts';
import { callerOf, issuerOf } from '#http/rights/access.ts';
import type { Route, RouteRequest } from '#http/routing/route.ts';
import { defineRoute, jsonBody, mergePatchBody } from '#http/routing/route.ts';
import { z } from 'zod/mini';
import { MAX_MODE_S, modeCreateSchema, modeJson, modeSchema, modeSettingSchema, modeUpdateSchema } from './json.ts';
import * as notes from './notes.ts';

type ModeRoutesDeps = {
  readonly modes: Omit<ModeRegistry, 'stop'>;
  readonly eventCursor: () => string;
  /** The time of day as the hub knows it. */
  readonly nowMs: () => number;
  /** Whether it can be trusted. */
  readonly isClockSet: () => boolean;
};

const PATH = '/api/v1/mode';
const ONE = '/api/v1/mode/:key';
const UNAUDITED = { unaudited: 'everybody at home can see the modes, and the mode says who has set it' };

/** The modes of the home: list, show, set, add, change, remove. */
export function modeRoutes(deps: ModeRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), settingRoute(deps), ...changingRoutes(deps)];
}

function readingRoutes(deps: ModeRoutesDeps): readonly Route[] {
  const { modes } = deps;
  return [
    defineRoute({
      id: 'listModes',
      method: 'GET',
      path: PATH,
      summary: 'List the modes by key',
      tag: 'Mode',
      note: notes.listModes,
      access: 'device:read',
      place: 'home',
      answers: { 200: z.array(modeSchema), 304: null },
      handle: ({ header }) => {
        const json = modes.modes().map((mode) => modeJson(mode, modes.endMs(mode)));
        return showUnlessKnown(listResource(json, cursorOf(deps)), header);
      },
    }),
    defineRoute({
      id: 'getMode',
      method: 'GET',
      path: ONE,
      summary: 'Show one mode',
      tag: 'Mode',
      note: notes.getMode,
      access: 'device:read',
      place: 'home',
      answers: { 200: modeSchema, 304: null },
      handle: (request) => showUnlessKnown(modeResource(deps, modeOf(deps, request)), request.header),
    }),
  ];
}

function settingRoute(deps: ModeRoutesDeps): Route {
  return defineRoute({
    id: 'setMode',
    method: 'PUT',
    path: ONE,
    summary: 'Set a mode',
    tag: 'Mode',
    note: notes.setMode,
    access: 'mode:set',
    place: 'home',
    body: jsonBody(modeSettingSchema),
    answers: { 200: modeSchema },
    audit: UNAUDITED,
    handle: async (request) => {
      const { body, authorize } = request;
      const { key, revision } = modeOf(deps, request);
      const ifRevision = requiredRevision(request.header('if-match'), revision);
      const wish = {
        value: body.value,
        by: issuerOf(callerOf(request)),
        forMs: lengthMs(deps, body),
        next: body.next,
      };
      return showResource(modeResource(deps, await deps.modes.setMode(key, wish, { ifRevision, authorize })));
    },
  });
}

function changingRoutes(deps: ModeRoutesDeps): readonly Route[] {
  const { modes } = deps;
  return [
    defineRoute({
      id: 'createMode',
      method: 'POST',
      path: PATH,
      summary: 'Add a mode',
      tag: 'Mode',
      note: notes.createMode,
      access: 'automation:manage',
      place: 'home',
      body: jsonBody(modeCreateSchema),
      answers: { 201: modeSchema },
      audit: UNAUDITED,
      handle: async ({ body, authorize }) => {
        const { value = body.values[0] ?? '' } = body;
        if (!body.values.includes(value)) {
          throw validationFailed([fieldError('/value', 'INVALID_VALUE', 'must be one of the values')]);
        }
        const mode = await modes.addMode({ ...body, value }, { authorize });
        return showCreated(modeResource(deps, mode), `${PATH}/${mode.key}`);
      },
    }),
    defineRoute({
      id: 'updateMode',
      method: 'PATCH',
      path: ONE,
      summary: 'Change the name or values of a mode',
      tag: 'Mode',
      note: notes.updateMode,
      access: 'automation:manage',
      place: 'home',
      body: mergePatchBody(modeUpdateSchema),
      answers: { 200: modeSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const { key, revision } = modeOf(deps, request);
        const ifRevision = requiredRevision(request.header('if-match'), revision);
        const given = { ifRevision, authorize: request.authorize };
        return showResource(modeResource(deps, await modes.changeMode(key, request.body, given)));
      },
    }),
    defineRoute({
      id: 'removeMode',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a mode',
      tag: 'Mode',
      note: notes.removeMode,
      access: 'automation:manage',
      place: 'home',
      answers: { 204: null },
      audit: UNAUDITED,
      handle: async (request) => {
        const { key, revision } = modeOf(deps, request);
        const ifRevision = requiredRevision(request.header('if-match'), revision);
        await modes.removeMode(key, { ifRevision, authorize: request.authorize });
        return { status: 204 };
      },
    }),
  ];
}

type Asking = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;

function modeOf({ modes }: ModeRoutesDeps, { params }: Asking): Mode {
  const mode = modes.findMode(params['key'] ?? '');
  if (mode === undefined) throw new HubError('NOT_FOUND', 'There is no such mode.');
  return mode;
}

/** How long a value shall hold; `null` for ever. Throws HubError VALIDATION_FAILED, CLOCK_NOT_SET. */
function lengthMs({ nowMs, isClockSet }: ModeRoutesDeps, body: z.infer<typeof modeSettingSchema>): number | null {
  const { until = null, for_s: forS = null } = body;
  const refuse = (pointer: string, message: string): HubError =>
    validationFailed([fieldError(pointer, 'INVALID_VALUE', message)]);
  if (until !== null && forS !== null) throw refuse('/for_s', 'must not stand beside until');
  if (forS !== null) return forS * 1000;
  if (until === null) {
    if (body.next === undefined) return null;
    throw refuse('/next', 'must stand beside until or for_s');
  }
  if (!isClockSet()) throw new HubError('CLOCK_NOT_SET', 'The hub does not know the time yet. Give for_s.');
  const ms = Date.parse(until) - nowMs();
  if (ms <= 0) throw refuse('/until', 'must be in the future');
  if (ms > MAX_MODE_S * 1000) throw refuse('/until', 'must be within a year');
  return ms;
}

function modeResource(deps: ModeRoutesDeps, mode: Mode): Resource {
  const json = modeJson(mode, deps.modes.endMs(mode));
  return { etag: revisionTag(mode), headers: cursorOf(deps), content: () => ({ json }) };
}
