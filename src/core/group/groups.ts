import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { CauseCaller } from '#core/cause/cause.ts';
import type { Device, DeviceDescription, DeviceRecord, GroupMember } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isSensitive } from '#core/device/sensitive.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { RoomId } from '#core/room/room.ts';
import { GROUP, groupType, isGroup, MAX_GROUPS, membersOf, requireRoomOfAll } from '#core/device/group.ts';
import { groupFeatures } from './group-features.ts';
import { createGroupKeeper } from './group-keeper.ts';

/** The groups of the home. Each is a device, whose values the hub makes of those of its members. */
export type Groups = ReturnType<typeof openGroups>;
type MembersChange = {
  readonly group: Device;
  readonly members: readonly GroupMember[];
  readonly terms: ChangeTerms<Device>;
};

type NewGroup = {
  readonly name: string;
  readonly roomId: RoomId | null;
  /** At least one, and no group. */
  readonly members: readonly GroupMember[];
};
type GroupUpdate = {
  readonly ownName?: string;
  readonly roomId?: RoomId | null;
  readonly members?: readonly GroupMember[];
  /** Who changes it, of those whom a cause names: other members may have other values. */
  readonly callers?: readonly CauseCaller[] | undefined;
};

type GroupsDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly devices: Pick<
    DeviceRegistry,
    | 'devices'
    | 'findDevice'
    | 'devicesOf'
    | 'describeOwn'
    | 'describeTogether'
    | 'reportsOf'
    | 'reportDerived'
    | 'updateDevice'
  >;
  readonly subscribe: (listener: (event: HomeEvent) => void) => () => void;
  readonly newId: () => string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** Makes the values of the groups from now on. */
export function openGroups(deps: GroupsDeps) {
  const { devices } = deps;
  const describe = (group: Pick<Device, 'externalId' | 'name'>, members: readonly GroupMember[]): DeviceDescription =>
    descriptionOf(group, members, membersOf({ members }, devices.findDevice));
  const { lead, stop } = createGroupKeeper({ ...deps, describe });

  return {
    /** By name. */
    groups: (): readonly Device[] => devices.devices().filter(isGroup),
    /**
     * Throws HubError LIMIT_REACHED, ROOM_NOT_FOUND, VALIDATION_FAILED if the room is not that of every member, and, as
     * every change here, what `authorize` throws.
     */
    addGroup: async (
      { name, roomId, members }: NewGroup,
      { authorize }: Pick<ChangeTerms<undefined>, 'authorize'> = {},
    ): Promise<Device> => {
      const externalId = deps.newId();
      const group = await devices.describeOwn(GROUP, externalId, () => {
        authorize?.(undefined);
        if (devices.devicesOf(GROUP).length >= MAX_GROUPS) {
          throw new HubError('LIMIT_REACHED', `There can be ${MAX_GROUPS} groups.`);
        }
        requireRoomOfAll(members, roomId, devices.findDevice);
        return { description: describe({ externalId, name }, members), change: { roomId } };
      });
      return group ?? noGroup();
    },
    /** Throws HubError NOT_FOUND, PRECONDITION_FAILED, ROOM_NOT_FOUND, VALIDATION_FAILED. */
    updateGroup: async (
      { id, externalId }: Device,
      { members, callers = [], ...change }: GroupUpdate,
      terms: ChangeTerms<Device> = {},
    ): Promise<Device> => {
      if (members === undefined) return devices.updateDevice(id, change, terms);
      const group = await devices.describeOwn(GROUP, externalId, (present) => {
        if (present === undefined) return noGroup();
        requireTerms(present, terms);
        const { roomId = present.roomId } = change;
        requireRoomOfAll(members, roomId, devices.findDevice);
        return { description: describe(present, members), change };
      });
      lead(id, callers);
      return group ?? noGroup();
    },
    /** The members of several at once: `write` puts all of them on disk in one transaction. Throws as `updateGroup`. */
    updateTogether: (
      changes: readonly MembersChange[],
      write: (records: readonly DeviceRecord[]) => Promise<void>,
    ): Promise<void> =>
      devices.describeTogether(
        GROUP,
        () =>
          changes.map(({ group, members, terms }) => {
            const present = devices.findDevice(group.id) ?? noGroup();
            requireTerms(present, terms);
            requireRoomOfAll(members, present.roomId, devices.findDevice);
            return describe(present, members);
          }),
        write,
      ),
    stop,
  };
}

function requireTerms(group: Device, { authorize, ifRevision }: ChangeTerms<Device>): void {
  authorize?.(group);
  if (ifRevision === undefined || ifRevision === group.revision) return;
  throw new HubError('PRECONDITION_FAILED', `The group is at revision ${group.revision}.`);
}

function noGroup(): never {
  throw new HubError('NOT_FOUND', 'There is no such group.');
}

function descriptionOf(
  { externalId, name }: Pick<Device, 'externalId' | 'name'>,
  named: readonly GroupMember[],
  members: readonly Device[],
): DeviceDescription {
  return {
    externalId,
    name,
    type: groupType(members),
    manufacturer: null,
    model: null,
    firmware: null,
    features: groupFeatures(members).map(({ feature }) => feature),
    staleAfterMs: null,
    members: named,
    holdsSensitive: members.some(isSensitive),
  };
}
