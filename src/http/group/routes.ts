import type * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { findDeviceIn, findRoomIn, visibilityFor } from '#auth/visibility.ts';
import { type FieldError, HubError, fieldError, requireThing, validationFailed } from '#base/hub-error.ts';
import { changeCause } from '#core/cause/cause.ts';
import type { Device, GroupMember } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isGroup } from '#core/device/group.ts';
import type { Groups } from '#core/group/groups.ts';
import type { Room } from '#core/room/room.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { cursorOf, type Resource } from '#http/answer/resource.ts';
import type { DeviceRemoval } from '#http/device/routes.ts';
import { asOfNow, callerOf, homeNeeded, issuerOf } from '#http/rights/access.ts';
import { recordRoutes } from '#http/routing/record-routes.ts';
import { jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { groupCreateSchema, groupJson, groupSchema, groupUpdateSchema } from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

type GroupRoutesDeps = {
  readonly groups: Omit<Groups, 'stop'>;
  readonly registry: Pick<DeviceRegistry, 'findDevice' | 'requireRevision'>;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly removeDevice: (device: Device, removal: DeviceRemoval) => Promise<void>;
  readonly eventCursor: () => string;
};

const read = { access: 'device:read' } as const;
const manage = { access: 'device:manage' } as const;

/** The groups: list, show, add, change, remove. */
export function groupRoutes(deps: GroupRoutesDeps): readonly Route[] {
  const { groups, eventCursor } = deps;
  const group = recordRoutes<Device, 'device:read' | 'device:manage'>({
    noun: 'group',
    tag: { name: 'Group', description: 'Several devices as one.', after: 'Command' },
    path: '/api/v1/group/:selector',
    schema: groupSchema,
    audit: { unaudited: 'everybody at home can see the groups; a removal is noted as that of the device' },
    find: (name, request, right) => findGroup(deps, request, { name, right }),
    resource: (one, request) => resource(deps, request, one),
    eventCursor,
  });
  return [
    group.list({ id: 'listGroups', summary: 'List the groups by name', note: notes.listGroups, ...read }, (request) => {
      const { seesDevice } = visibilityFor(callerOf(request), 'device:read');
      return groups
        .groups()
        .filter(seesDevice)
        .map((one) => jsonOf(deps, request, one));
    }),
    group.show({ id: 'getGroup', summary: 'Show one group and its members', note: notes.getGroup, ...read }),
    group.create(
      {
        id: 'createGroup',
        summary: 'Add a group',
        note: notes.createGroup,
        ...manage,
        body: jsonBody(groupCreateSchema),
      },
      async (request) => {
        const authorize = (): void => void newGroupFrom(deps, asOfNow(request));
        const added = await groups.addGroup(newGroupFrom(deps, request), { authorize });
        return [added, added.selector];
      },
    ),
    group.change(
      {
        id: 'updateGroup',
        method: 'PATCH',
        summary: 'Change the name, the members or the room of a group',
        note: notes.updateGroup,
        ...manage,
        body: mergePatchBody(groupUpdateSchema),
      },
      (one, request, { ifRevision }) => {
        const authorize = (): void => {
          const now = asOfNow(request);
          changeFrom(deps, now, groupNow(deps, now));
        };
        return groups.updateGroup(one, changeFrom(deps, request, one), { ifRevision, authorize });
      },
    ),
    group.remove(
      {
        id: 'removeGroup',
        summary: 'Remove a group; its members stay',
        note: notes.removeGroup,
        ...manage,
        audit: 'device.removed',
      },
      async (one, request, { ifRevision }) => {
        if (ifRevision !== undefined) await deps.registry.requireRevision(one.id, ifRevision);
        const authorize = (): void => void groupNow(deps, asOfNow(request));
        await deps.removeDevice(one, { force: false, authorize });
        return { auditDetail: one.selector };
      },
    ),
  ];
}

type Asking = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;

type Named = { readonly name: string; readonly right: Scope };

function findGroup({ registry }: GroupRoutesDeps, request: Asking, { name, right }: Named): Device | undefined {
  const group = findDeviceIn(visibilityFor(callerOf(request), right), registry.findDevice)(name);
  return group !== undefined && isGroup(group) ? group : undefined;
}

/** The group of a change, if its caller may still change it. */
function groupNow(deps: GroupRoutesDeps, request: Asking): Device {
  return requireThing(
    findGroup(deps, request, { name: request.params['selector'] ?? '', right: 'device:manage' }),
    'group',
  );
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
    callers: changeCause(issuerOf(caller), null)?.callers,
  };
}

function roomFrom(deps: GroupRoutesDeps, caller: Caller, name: string | null): Room['id'] | null {
  if (name === null) return null;
  const room = findRoomIn(visibilityFor(caller, 'device:manage'), deps.findRoom)(name);
  if (room !== undefined) return room.id;
  throw new HubError('ROOM_NOT_FOUND', 'There is no such room.', {
    errors: [fieldError('/room', 'INVALID_VALUE', ...faultWords('unknown_room'))],
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
      errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords('is_group')));
    } else if (device !== undefined) members.set(device.id, { id: device.id, selector: device.selector });
    else if (isAbsent) members.set(absent.id, absent);
    else errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords('unknown_device')));
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
