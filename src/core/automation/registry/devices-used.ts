import { isJsonObject, type JsonValue } from '#base/json.ts';
import { type Directory, fittingDevices } from '#core/automation/check/directory.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { referencesIn } from '#core/automation/document/read-definition.ts';
import type { Selection } from '#core/automation/document/trigger.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { SceneId } from '#core/scene/scene.ts';

/** The devices that an automation watches or moves now, by selector: named, chosen by a place, or in its scenes. */
export function devicesUsed(definition: Definition, directory: Directory): readonly Device[] {
  const found = new Map<DeviceId, Device>();
  const add = (device: Device | undefined): void => void (device && found.set(device.id, device));
  for (const [kind, id] of referencesIn(definition).references) {
    if (kind === 'device' || kind === 'group') add(directory.device(id as DeviceId));
    if (kind === 'scene') for (const one of directory.sceneDevices(id as SceneId)) add(directory.device(one));
  }
  const chosen = new Set<string>();
  visit(definition, (selection) => {
    const name = JSON.stringify(selection);
    if (chosen.has(name)) return;
    chosen.add(name);
    for (const device of fittingDevices(directory, selection)) add(device);
  });
  return [...found.values()].toSorted((left, right) => (left.selector < right.selector ? -1 : 1));
}

/** Selections, and rooms as targets; a room in a selection is a part of it. */
function visit(node: JsonValue, see: (selection: Selection) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one as JsonValue, see);
    return;
  }
  if (!isJsonObject(node)) return;
  const { any_of: anyOf, targets, ...rest } = node;
  if (isJsonObject(anyOf)) see(anyOf);
  if (isJsonObject(targets)) {
    if (typeof targets['room'] === 'string') see({ room: targets['room'] as RoomId });
    visit(targets, see);
  }
  for (const member of Object.values(rest)) visit(member, see);
}
