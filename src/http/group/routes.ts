import { z } from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { findDeviceIn, findRoomIn, visibilityFor } from '#auth/visibility.ts';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { Device, GroupMember } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isGroup } from '#core/device/group.ts';
import type { Groups } from '#core/group/groups.ts';
import type { Room } from '#core/room/room.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  showCreated,
  showResource,
  showUnlessKnown,
} from '#http/answer/resource.ts';
import type { DeviceRemoval } from '#http/device/routes.ts';
import { asOfNow, callerOf, homeNeeded } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { groupCreateSchema, groupJson, groupSchema, groupUpdateSchema } from './json.ts';
import * as notes from './notes.ts';

type GroupRoutesDeps = {
  readonly groups: Omit<Groups, 'stop'>;
  readonly registry: Pick<DeviceRegistry, 'findDevice' | 'requireRevision'>;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly removeDevice: (device: Device, removal: DeviceRemoval) => Promise<void>;
  readonly eventCursor: () => string;
};

const PATH = '/api/v1/group';
const ONE = '/api/v1/group/:selector';
const UNAUDITED = { unaudited: 'everybody at home can see the groups; a removal is noted as that of the device' };

/** The groups: list, show, add, change, remove. */
export function groupRoutes(deps: GroupRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps)];
}

function readingRoutes(deps: GroupRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listGroups',
      method: 'GET',
      path: PATH,
      summary: 'List the groups by name',
      tag: 'Group',
      note: notes.listGroups,
      access: 'device:read',
      answers: { 200: z.array(groupSchema), 304: null },
      handle: (request) => {
        const { seesDevice } = visibilityFor(callerOf(request), 'device:read');
        const json = deps.groups
          .groups()
          .filter(seesDevice)
          .map((group) => jsonOf(deps, request, group));
        return showUnlessKnown(listResource(json, cursorOf(deps)), request.header);
      },
    }),
    defineRoute({
      id: 'getGroup',
      method: 'GET',
      path: ONE,
      summary: 'Show one group and its members',
      tag: 'Group',
      note: notes.getGroup,
      access: 'device:read',
      answers: { 200: groupSchema, 304: null },
      handle: (request) => {
        return showUnlessKnown(resource(deps, request, groupOf(deps, request, 'device:read')), request.header);
      },
    }),
  ];
}

function changingRoutes(deps: GroupRoutesDeps): readonly Route[] {
  const { groups } = deps;
  return [
    defineRoute({
      id: 'createGroup',
      method: 'POST',
      path: PATH,
      summary: 'Add a group',
      tag: 'Group',
      note: notes.createGroup,
      access: 'device:manage',
      body: jsonBody(groupCreateSchema),
      answers: { 201: groupSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const group = newGroupFrom(deps, request);
        const authorize = (): void => void newGroupFrom(deps, asOfNow(request));
        const added = await groups.addGroup(group, { authorize });
        return showCreated(resource(deps, request, added), `${PATH}/${added.selector}`);
      },
    }),
    defineRoute({
      id: 'updateGroup',
      method: 'PATCH',
      path: ONE,
      summary: 'Change the name, the members or the room of a group',
      tag: 'Group',
      note: notes.updateGroup,
      access: 'device:manage',
      body: mergePatchBody(groupUpdateSchema),
      answers: { 200: groupSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const group = groupOf(deps, request, 'device:manage');
        const ifRevision = requiredRevision(request.header('if-match'), group.revision);
        const change = changeFrom(deps, request, group);
        const authorize = (): void => {
          const now = asOfNow(request);
          changeFrom(deps, now, groupOf(deps, now, 'device:manage'));
        };
        return showResource(
          resource(deps, request, await groups.updateGroup(group, change, { ifRevision, authorize })),
        );
      },
    }),
    defineRoute({
      id: 'removeGroup',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a group; its members stay',
      tag: 'Group',
      note: notes.removeGroup,
      access: 'device:manage',
      answers: { 204: null },
      audit: 'device.removed',
      handle: async (request) => {
        const group = groupOf(deps, request, 'device:manage');
        const revision = requiredRevision(request.header('if-match'), group.revision);
        if (revision !== undefined) await deps.registry.requireRevision(group.id, revision);
        const authorize = (): void => void groupOf(deps, asOfNow(request), 'device:manage');
        await deps.removeDevice(group, { force: false, authorize });
        return { status: 204, auditDetail: group.selector };
      },
    }),
  ];
}

type Asking = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;

function groupOf({ registry }: GroupRoutesDeps, request: Asking, right: Scope): Device {
  const find = findDeviceIn(visibilityFor(callerOf(request), right), registry.findDevice);
  const group = find(request.params['selector'] ?? '');
  if (group === undefined || !isGroup(group)) throw new HubError('NOT_FOUND', 'There is no such group.');
  return group;
}

type Creating = Asking & { readonly body: z.infer<typeof groupCreateSchema> };
type Changing = Asking & { readonly body: z.infer<typeof groupUpdateSchema> };

function newGroupFrom(deps: GroupRoutesDeps, request: Creating): Parameters<Groups['addGroup']>[0] {
  const caller = callerOf(request);
  const roomId = roomFrom(deps, caller, request.body.room ?? null);
  // Without a room, it is outside of all limits.
  const isWithin = roomId === null ? canCaller(caller, 'device:manage', 'home') : true;
  if (!isWithin) throw homeNeeded();
  return { name: request.body.name, roomId, members: membersFrom(deps, caller, { names: request.body.members }) };
}

function changeFrom(deps: GroupRoutesDeps, request: Changing, group: Device): Parameters<Groups['updateGroup']>[1] {
  const { name, members, room } = request.body;
  const caller = callerOf(request);
  const roomId = room === undefined ? undefined : roomFrom(deps, caller, room);
  if (roomId !== undefined && !canCaller(caller, 'device:manage', { device: { id: group.id, roomId } })) {
    throw homeNeeded();
  }
  const old = group.members ?? [];
  const { isWhole, seesDevice } = visibilityFor(caller, 'device:manage');
  const isAnyUnseen = old.some(({ id }) => {
    const member = deps.registry.findDevice(id);
    return member === undefined ? !isWhole : !seesDevice(member);
  });
  if (members !== undefined && isAnyUnseen) throw homeNeeded();
  return {
    ...(name === undefined ? {} : { ownName: name }),
    ...(roomId === undefined ? {} : { roomId }),
    ...(members === undefined ? {} : { members: membersFrom(deps, caller, { names: members, old }) }),
  };
}

function roomFrom(deps: GroupRoutesDeps, caller: Caller, name: string | null): Room['id'] | null {
  if (name === null) return null;
  const room = findRoomIn(visibilityFor(caller, 'device:manage'), deps.findRoom)(name);
  if (room !== undefined) return room.id;
  throw new HubError('ROOM_NOT_FOUND', 'There is no such room.', {
    errors: [fieldError('/room', 'INVALID_VALUE', 'is not the id or selector of a room')],
  });
}

/** The named devices, each once. A member that was removed may stay. Throws HubError VALIDATION_FAILED with every fault. */
function membersFrom(
  { registry }: GroupRoutesDeps,
  caller: Caller,
  { names, old = [] }: { readonly names: readonly string[]; readonly old?: readonly GroupMember[] },
): readonly GroupMember[] {
  const find = findDeviceIn(visibilityFor(caller, 'device:manage'), registry.findDevice);
  const errors: FieldError[] = [];
  const members = new Map<string, GroupMember>();
  for (const [index, name] of names.entries()) {
    const pointer = `/members/${index}`;
    const device = find(name);
    const absent = old.find(({ id, selector }) => name === id || name === selector);
    const isAbsent = absent !== undefined && registry.findDevice(absent.id) === undefined;
    if (device !== undefined && isGroup(device)) {
      errors.push(fieldError(pointer, 'INVALID_VALUE', 'is a group: a group is in no group'));
    } else if (device !== undefined) members.set(device.id, { id: device.id, selector: device.selector });
    else if (isAbsent) members.set(absent.id, absent);
    else errors.push(fieldError(pointer, 'INVALID_VALUE', 'is not the id or selector of a device'));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return [...members.values()];
}

function jsonOf(deps: GroupRoutesDeps, request: Asking, group: Device): z.infer<typeof groupSchema> {
  const { isWhole, seesDevice } = visibilityFor(callerOf(request), 'device:read');
  const seesMember = (member: Device | undefined): boolean => (member === undefined ? isWhole : seesDevice(member));
  return groupJson(group, { ...deps, findDevice: deps.registry.findDevice, seesMember });
}

/** Its tag changes with what is shown of its members, and begins with its revision. */
function resource(deps: GroupRoutesDeps, request: Asking, group: Device): Resource {
  const json = jsonOf(deps, request, group);
  const hash = contentTag(JSON.stringify(json)).slice(1, -1);
  return { etag: `"${group.revision}-${hash}"`, headers: cursorOf(deps), content: () => ({ json }) };
}
