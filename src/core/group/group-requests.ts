import { fieldError, type HubError, validationFailed } from '#base/hub-error.ts';
import { faultWords } from '#words/faults.ts';
import type { JsonObject } from '#base/json.ts';
import { type CommandRequest, readRequest } from '#core/command/command-request.ts';
import type { Device } from '#core/device/device.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import { UNREPORTED } from '#core/feature/feature.ts';
import { type FindDevice, isGroup, membersOf } from '#core/device/group.ts';
import { groupFeatures } from './group-features.ts';
import { groupValue } from './group-values.ts';

/** Splits a value for a group: each member gets the part that it can be set to. */
export function memberSets(
  group: Device,
  set: JsonObject,
  findDevice: FindDevice,
): readonly (readonly [member: Device, set: JsonObject])[] {
  const typeOf = ({ features }: Device, key: string): string | undefined => {
    const feature = features.find((one) => one.key === key);
    return feature !== undefined && isSettable(feature) ? feature.valueType : undefined;
  };
  return membersOf(group, findDevice).flatMap((member) => {
    const own = Object.entries(set).filter(([key]) => {
      const type = typeOf(member, key);
      return type !== undefined && type === typeOf(group, key) && canTake(member, key, set);
    });
    return own.length === 0 ? [] : [[member, Object.fromEntries(own)] as const];
  });
}

/** Members that have nothing in common with the first one are in its group all the same. */
function canTake(member: Device, key: string, set: JsonObject): boolean {
  const value = set[key];
  return value !== undefined && 'request' in readRequest(member, { set: { [key]: value } });
}

type Part = readonly [Device, CommandRequest];

/**
 * The requests with the members of each group in its place. A device that is named by itself keeps its own values; of two
 * groups, the later one has its way. A group that cannot do what is asked stays, so that its
 * fault is in the answer with all others.
 */
export function spreadRequests(
  requests: ReadonlyMap<Device, CommandRequest>,
  findDevice: FindDevice,
  /** The members of the group to which the request may go. */
  allowed: (group: Device, members: readonly Part[]) => readonly Part[],
): ReadonlyMap<Device, CommandRequest> {
  if (![...requests.keys()].some(isGroup)) return requests;
  const spread = new Map<Device, CommandRequest>();
  const put = (device: Device, request: CommandRequest): void => {
    const before = spread.get(device);
    spread.set(device, before === undefined ? request : bothRequests(before, request));
  };
  const own = [...requests].filter(([device]) => !isGroup(device));
  for (const [group, request] of requests) {
    if (!isGroup(group)) continue;
    const reading = readRequest(request.do === undefined ? group : upToDate(group, findDevice), request);
    if ('errors' in reading) {
      spread.set(group, request);
      continue;
    }
    const sets = memberSets(group, Object.fromEntries(reading.request.set), findDevice);
    const parts = sets.map(([member, set]) => [member, { ...request, do: undefined, set }] as const);
    for (const [member, part] of allowed(group, parts)) put(member, part);
  }
  for (const [device, request] of own) put(device, request);
  return inOrder(requests, spread, findDevice);
}

/**
 * Computes the present values from the members: the group itself is shown at most a few times a second, and two toggles
 * may be between.
 */
function upToDate(group: Device, findDevice: FindDevice): Pick<Device, 'features' | 'states'> {
  const present = membersOf(group, findDevice);
  const now = groupFeatures(present).flatMap((wanted) => {
    const shown = groupValue(wanted, present);
    return shown === null ? [] : [[wanted.feature.key, { ...UNREPORTED, ...shown }] as const];
  });
  return { features: group.features, states: new Map([...group.states, ...now]) };
}

/** The later one, with what it does not name of the earlier one. */
function bothRequests(earlier: CommandRequest, later: CommandRequest): CommandRequest {
  if (earlier.set === undefined || later.set === undefined) return later;
  return { ...later, set: { ...earlier.set, ...later.set } };
}

/** A member goes out where the first of those stands that name it. */
function inOrder(
  requests: ReadonlyMap<Device, CommandRequest>,
  spread: ReadonlyMap<Device, CommandRequest>,
  findDevice: FindDevice,
): ReadonlyMap<Device, CommandRequest> {
  const sorted = new Map<Device, CommandRequest>();
  for (const named of requests.keys()) {
    for (const device of [named, ...membersOf(named, findDevice)]) {
      const request = spread.get(device);
      if (request !== undefined) sorted.set(device, request);
    }
  }
  return sorted;
}

/** The refusal of a command to a group of which no member can do it. */
export function noMemberCan({ selector }: Pick<Device, 'selector'>): HubError {
  return validationFailed([fieldError('', 'INVALID_VALUE', ...faultWords('no_member_can', { group: selector }))]);
}
