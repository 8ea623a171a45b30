import { canCaller } from '#auth/caller.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { fieldError, requireThing, validationFailed } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { User, UserId } from '#core/person/user.ts';
import { anyoneHome, type Presence, type PresenceSource } from '#core/presence/presence.ts';
import type { PresenceRegistry } from '#core/presence/presence-registry.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import { cursorOf, type Resource, revisionTag, showResource, showIfChanged } from '#http/answer/resource.ts';
import { callerOf, issuerOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
import type * as z from 'zod/mini';
import {
  personPresenceJson,
  personPresenceSchema,
  presenceSchema,
  presenceTellSchema,
  presenceUpdateSchema,
} from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

type PresenceRoutesDeps = {
  readonly presence: Pick<PresenceRegistry, 'presenceOf' | 'tell' | 'change'>;
  readonly accounts: { readonly users: () => readonly User[]; readonly findUser: (id: UserId) => User | undefined };
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  readonly eventCursor: () => string;
};

const PATH = '/api/v1/presence';
const SOURCE_CAPABILITIES: ReadonlySet<string> = new Set(['presence', 'motion']);

/** Who is at home: show all and one, tell of oneself, choose the devices that tell of a person. */
export function presenceRoutes(deps: PresenceRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps)];
}

function readingRoutes(deps: PresenceRoutesDeps): readonly Route[] {
  const { presence, accounts } = deps;
  return [
    defineRoute({
      id: 'getPresence',
      method: 'GET',
      path: PATH,
      summary: 'Show who is at home',
      tag: 'Presence',
      note: notes.getPresence,
      access: 'device:read',
      place: 'home',
      answers: { 200: presenceSchema, 304: null },
      handle: (request) => {
        const people = accounts.users().map((user) => personPresenceJson(user, presence.presenceOf(user.id)));
        const anyone = anyoneHome(people.map(({ state }) => state));
        const seesPeople = canCaller(callerOf(request), 'automation:read', 'home');
        const json = { anyone, ...(seesPeople ? { people } : {}) };
        const resource = { etag: contentTag(JSON.stringify(json)), headers: cursorOf(deps), content: () => ({ json }) };
        return showIfChanged(resource, request.header);
      },
    }),
    defineRoute({
      id: 'getPersonPresence',
      method: 'GET',
      path: `${PATH}/:id`,
      summary: 'Show whether a person is at home',
      tag: 'Presence',
      note: notes.getPersonPresence,
      access: 'automation:read',
      place: 'home',
      answers: { 200: personPresenceSchema, 304: null },
      handle: ({ params, header }) => {
        const user = requireUser(params['id'] ?? '', accounts);
        return showIfChanged(personResource(deps, user, presence.presenceOf(user.id)), header);
      },
    }),
  ];
}

function changingRoutes(deps: PresenceRoutesDeps): readonly Route[] {
  const { presence, accounts } = deps;
  return [
    defineRoute({
      id: 'reportPresence',
      method: 'POST',
      path: `${PATH}/me`,
      summary: 'Say that you are at home, or away',
      tag: 'Presence',
      note: notes.reportPresence,
      access: 'presence:tell',
      body: jsonBody(presenceTellSchema),
      answers: { 200: personPresenceSchema },
      audit: { unaudited: 'a person speaks only of themselves, and everyone who lives here sees the answer' },
      handle: async (request) => {
        const { user } = callerOf(request);
        const given = { authorize: request.authorize, by: issuerOf(callerOf(request)) };
        const told = await presence.tell(user.id, request.body.state, given);
        // A person who is limited to rooms may speak of themselves, but need not learn what is in others.
        const seesSource = ({ deviceId }: PresenceSource): boolean => {
          const caller = request.authorize();
          if (canCaller(caller, 'presence:tell', 'home')) return true;
          const device = deps.registry.findDevice(deviceId);
          return device !== undefined && canCaller(caller, 'presence:tell', { device });
        };
        return { status: 200, json: personPresenceJson(user, { ...told, sources: told.sources.filter(seesSource) }) };
      },
    }),
    defineRoute({
      id: 'updatePresence',
      method: 'PATCH',
      path: `${PATH}/:id`,
      summary: 'Choose what tells of a person',
      tag: 'Presence',
      note: notes.updatePresence,
      access: 'user:manage',
      sessionOnly: true,
      body: mergePatchBody(presenceUpdateSchema),
      answers: { 200: personPresenceSchema },
      audit: (request) => ({ type: 'user.changed', userId: request.params['id'] as UserId, detail: 'presence' }),
      handle: async (request) => {
        const user = requireUser(request.params['id'] ?? '', accounts);
        const old = presence.presenceOf(user.id);
        const ifRevision = requiredRevision(request.header('if-match'), old.revision);
        const { away_after_s: awayAfterS, sources } = request.body;
        const find = findDeviceIn(visibilityFor(callerOf(request), 'device:read'), deps.registry.findDevice);
        const change = {
          ...(awayAfterS !== undefined && { awayAfterS }),
          ...(sources !== undefined && { sources: readSources(sources, find) }),
        };
        const changed = await presence.change(user.id, change, { ifRevision, authorize: request.authorize });
        return showResource(personResource(deps, user, changed));
      },
    }),
  ];
}

function requireUser(id: string, accounts: Pick<PresenceRoutesDeps['accounts'], 'findUser'>): User {
  return requireThing(accounts.findUser(id as UserId), 'person');
}

type AskedSources = NonNullable<z.infer<typeof presenceUpdateSchema>['sources']>;

/** Throws HubError VALIDATION_FAILED with a pointer to each source that cannot be one. */
function readSources(asked: AskedSources, find: (name: string) => Device | undefined): readonly PresenceSource[] {
  const read = asked.map(({ device: name, key }, at) => {
    const device = find(name);
    const feature = device?.features.find((one) => one.key === key);
    if (device === undefined) return fieldError(`/sources/${at}/device`, 'INVALID_VALUE', ...faultWords('no_device'));
    if (feature === undefined || !SOURCE_CAPABILITIES.has(feature.capability)) {
      return fieldError(`/sources/${at}/key`, 'INVALID_VALUE', ...faultWords('presence_feature'));
    }
    return { deviceId: device.id, key };
  });
  const errors = read.filter((one) => 'pointer' in one);
  if (errors.length > 0) throw validationFailed(errors);
  return read.filter((one) => 'deviceId' in one);
}

function personResource(deps: PresenceRoutesDeps, user: User, presence: Presence): Resource {
  const json = personPresenceJson(user, presence);
  return { etag: revisionTag(presence), headers: cursorOf(deps), content: () => ({ json }) };
}
