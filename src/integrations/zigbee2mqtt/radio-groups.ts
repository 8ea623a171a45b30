import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Sent } from './payload.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import { readTopicName } from './bridge-message.ts';

/** A group of the radio network: one message on the air reaches all of its members. */
export type RadioGroup = { readonly topicName: string; readonly members: ReadonlySet<string> };

/** A command, as it would go to one device. */
export type DevicePlan = {
  readonly device: KnownDevice;
  readonly payload: JsonObject;
  readonly sent: ReadonlyMap<string, Sent>;
  readonly transitionMs: number | null;
};

const MAX_GROUPS = 500;
/** A message to a group is a broadcast, and confirming it costs a question to each: less than three are not worth it. */
const LEAST_MEMBERS = 3;
/** Zigbee2MQTT sets these for a whole group. */
const OF_GROUPS = new Set(['state', 'brightness', 'color_temp', 'color']);

/** The groups in `bridge/groups`, the largest first. What cannot be read is no group. */
export function readRadioGroups(json: JsonValue): readonly RadioGroup[] {
  const entries = Array.isArray(json) ? json.slice(0, MAX_GROUPS) : [];
  const groups = entries.flatMap((entry): readonly RadioGroup[] => {
    if (!isJsonObject(entry) || !Array.isArray(entry['members'])) return [];
    const topicName = readTopicName(entry['friendly_name']);
    const addresses = entry['members'].map((member) => (isJsonObject(member) ? member['ieee_address'] : undefined));
    const members = new Set(addresses.filter((address) => typeof address === 'string'));
    // A device may be in a group with two of its parts, one of which nobody may mean.
    const isWhole = members.size === addresses.length && members.size >= LEAST_MEMBERS;
    return topicName !== null && isWhole && !/(^|\/)[gs]et(\/|$)/.test(topicName) ? [{ topicName, members }] : [];
  });
  return groups.toSorted((left, right) => right.members.size - left.members.size);
}

/** The groups to send instead of single messages: those of which each member gets the same. */
export function chooseRadioGroups(
  plans: ReadonlyMap<string, DevicePlan>,
  groups: readonly RadioGroup[],
): readonly RadioGroup[] {
  const texts = new Map(
    [...plans].flatMap(([id, plan]) => (canShare(plan) ? [[id, JSON.stringify(plan.payload)] as const] : [])),
  );
  const chosen: RadioGroup[] = [];
  for (const group of groups) {
    if (texts.size < LEAST_MEMBERS) break;
    const [first = ''] = group.members;
    const text = texts.get(first);
    if (text === undefined || [...group.members].some((id) => texts.get(id) !== text)) continue;
    chosen.push(group);
    for (const id of group.members) texts.delete(id);
  }
  return chosen;
}

/** Whether the command is for a lamp that can be asked afterwards what it has done. */
function canShare({ device, sent }: DevicePlan): boolean {
  if (device.isBatteryPowered || sent.size === 0) return false;
  return [...sent.keys()].every((property) => {
    const binding = device.byProperty.get(property);
    return OF_GROUPS.has(property) && binding?.parent === 'light' && binding.gettable;
  });
}
