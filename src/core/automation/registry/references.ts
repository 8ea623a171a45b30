import { faultWords } from '#words/faults.ts';
import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { Directory } from '#core/automation/check/directory.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readStored, referencesIn } from '#core/automation/document/read-definition.ts';
import type { Find } from '#core/automation/document/read-shape.ts';
import type { ReferenceKind } from '#core/automation/document/shape.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { isGroup } from '#core/device/group.ts';
import type { Mode } from '#core/mode/mode.ts';
import type { UserId } from '#core/person/user.ts';
import type { Room } from '#core/room/room.ts';
import type { Scene } from '#core/scene/scene.ts';
import { spreadTargets } from '#core/scene/scene-groups.ts';
import type { VariableShape } from '#core/variable/variable.ts';
import type { AutomationRecord, Person, ReferenceName, ReferenceNames } from './automation-record.ts';
import { isJsonObject } from '#base/json.ts';

/** Automations can name these parts of the home. Each is found by its id or selector, or by its key. */
export type AutomationHome = {
  readonly devices: () => readonly Device[];
  readonly findDevice: (idOrSelector: string) => Device | undefined;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly findScene: (idOrSelector: string) => Scene | undefined;
  readonly findMode: (key: string) => Mode | undefined;
  readonly findVariable: (key: string) => (VariableShape & { readonly key: string; readonly name: string }) | undefined;
  readonly findPerson: (id: string) => Person | undefined;
  readonly isOwner: (id: UserId) => boolean;
  readonly findIntegration: (id: string) => { readonly id: string; readonly name: string } | undefined;
  /** Whether somebody said where the home is: without that nobody knows when the sun sets. */
  readonly hasLocation: () => boolean;
  /** Whether samples of a feature are kept. */
  readonly isRecorded: (device: Device, key: string) => boolean;
  readonly faultOfCron: Directory['faultOfCron'];
};

type FindAutomation = (idOrSelector: string) => Pick<AutomationRecord, 'id' | 'selector' | 'name'> | undefined;

/** A reference leads to an id, and to what is shown for it. `selector` is the key of what has no other. */
export type Target = { readonly id: string } & ReferenceName;

export type FindTarget = (kind: ReferenceKind, reference: string) => Target | undefined;

export function createFindTarget(home: AutomationHome, findAutomation: FindAutomation): FindTarget {
  const plain = (found: Pick<Room, 'selector' | 'name'> & { readonly id: string }): Target => ({
    id: found.id,
    selector: found.selector,
    name: found.name,
  });
  const device = (found: Device): Target => ({
    ...plain({ ...found, name: deviceName(found) }),
    origin: { integration: found.integration, external_id: found.externalId },
  });
  const keyed = ({ key, name }: { readonly key: string; readonly name: string }): Target => ({
    id: key,
    selector: key,
    name,
  });
  const named = ({ id, name }: { readonly id: string; readonly name: string }): Target => ({ id, selector: id, name });
  const ways: { readonly [Kind in ReferenceKind]: (reference: string) => Target | undefined } = {
    device: (name) => mapFound(home.findDevice(name), device),
    group: (name) => {
      const found = home.findDevice(name);
      return found !== undefined && isGroup(found) ? device(found) : undefined;
    },
    room: (name) => mapFound(home.findRoom(name), plain),
    scene: (name) => mapFound(home.findScene(name), plain),
    automation: (name) => mapFound(findAutomation(name), plain),
    person: (name) => mapFound(home.findPerson(name), named),
    mode: (name) => mapFound(home.findMode(name), keyed),
    variable: (name) => mapFound(home.findVariable(name), keyed),
    integration: (name) => mapFound(home.findIntegration(name), named),
  };
  return (kind, reference) => ways[kind](reference);
}

function mapFound<From, To>(found: From | undefined, map: (from: From) => To): To | undefined {
  return found === undefined ? undefined : map(found);
}

/** For reading documents: the id of what a reference leads to. */
export function findIdWith(findTarget: FindTarget): Find {
  return (kind, reference) => findTarget(kind, reference)?.id;
}

/** The home against which definitions are checked. */
export function directoryOf(home: AutomationHome, { self, opens }: Pick<Directory, 'self' | 'opens'>): Directory {
  return {
    device: home.findDevice,
    devices: home.devices,
    mode: home.findMode,
    variable: home.findVariable,
    sceneDevices: (id) => {
      const scene = home.findScene(id);
      return scene === undefined ? [] : spreadTargets(scene.targets, home.findDevice).map(({ deviceId }) => deviceId);
    },
    opens,
    isRecorded: (id, key) => {
      const device = home.findDevice(id);
      return device !== undefined && home.isRecorded(device, key);
    },
    faultOfCron: home.faultOfCron,
    self,
  };
}

export type ReferenceLook = {
  /** All references, as `kind/id`. */
  readonly keys: ReadonlySet<string>;
  /** The references that lead nowhere, with pointers. */
  readonly faults: readonly FieldError[];
  /** What is a fault while the home has no location. */
  readonly faultsOfSun: readonly FieldError[];
  readonly names: ReferenceNames;
};

/** Follows all references of a definition. `known`: what those that lead nowhere now were called. */
export function lookAtReferences(
  definition: Definition,
  findTarget: FindTarget,
  oldNames: ReferenceNames = {},
): ReferenceLook {
  const keys = new Set<string>();
  const names: Record<string, ReferenceName> = {};
  const follow = (kind: ReferenceKind, id: string): string | undefined => {
    const key = `${kind}/${id}`;
    keys.add(key);
    const { id: found, ...name } = findTarget(kind, id) ?? {};
    const shown = found === undefined ? oldNames[key] : (name as ReferenceName);
    if (shown !== undefined) names[key] = shown;
    return found;
  };
  const { references, errors: others } = referencesIn(definition);
  const isWhole = references.map(([kind, id]) => follow(kind, id)).every((found) => found !== undefined);
  // Only a second look at the whole document says where in it what is gone stands.
  const errors = isWhole ? others : readStored(definition, follow).errors;
  const { variables, sun } = operandNeeds(definition);
  const told = new Set(errors.map(({ pointer }) => pointer));
  const gone = variables.filter(({ pointer, key }) => follow('variable', key) === undefined && !told.has(pointer));
  return {
    keys,
    faults: [
      ...errors,
      ...gone.map(({ pointer }) => fieldError(pointer, 'INVALID_VALUE', ...faultWords('unknown_variable'))),
    ],
    faultsOfSun: sun.map((pointer) => fieldError(pointer, 'INVALID_VALUE', ...faultWords('no_location'))),
    names,
  };
}

/** Lists what an event brings or takes away that automations may refer to, as `kind/id`. */
export function changedReference(event: HomeEvent): readonly string[] | undefined {
  switch (event.type) {
    case 'device.added':
    case 'device.removed':
      return [`device/${event.device.id}`, ...(isGroup(event.device) ? [`group/${event.device.id}`] : [])];
    case 'room.added':
    case 'room.removed':
      return [`room/${event.room.id}`];
    case 'scene.added':
    case 'scene.removed':
      return [`scene/${event.scene.id}`];
    case 'mode.changed':
      return [`mode/${event.mode.key}`];
    case 'variable.changed':
      return [`variable/${event.variable.key}`];
    case 'integration.added':
    case 'integration.removed':
      return [`integration/${event.integration}`];
    default:
      return undefined;
  }
}

/** Conditions, operands and triggers of the sun need these parts of the home, with pointers to where they say so. */
type OperandNeeds = {
  /** Variables of the home: not the document's own ones, nor those of a round of `for_each`. */
  readonly variables: readonly { readonly pointer: string; readonly key: string }[];
  /** What is unknown without the location of the home, and does not say what holds then. */
  readonly sun: readonly string[];
};

/**
 * The document was read before, so that all in it has its form. An operand differs from a plain value as it does for
 * the compiler. A name that any `for_each` gives counts as one of the document.
 */
function operandNeeds(definition: Definition): OperandNeeds {
  const own = new Set(Object.keys(definition.variables));
  const variables: { pointer: string; key: string }[] = [];
  const sun: string[] = [];
  const visit = (node: unknown, pointer: string, isSunNeeded: boolean): void => {
    if (Array.isArray(node)) {
      for (const [index, one] of node.entries()) visit(one, `${pointer}/${index}`, isSunNeeded);
    }
    if (!isJsonObject(node)) return;
    const members = Object.entries(node);
    const { variable, sun: ofSun, if_unknown: ifUnknown, for_each: each } = node;
    if (members.length === 1 && 'value' in node) return;
    if (typeof variable === 'string' && members.length === 1)
      variables.push({ pointer: `${pointer}/variable`, key: variable });
    if (isJsonObject(variable) && typeof variable['variable'] === 'string') {
      variables.push({ pointer: `${pointer}/variable/variable`, key: variable['variable'] });
    }
    if (isJsonObject(each) && typeof each['variable'] === 'string') own.add(each['variable']);
    const needsSun = isSunNeeded && ifUnknown === undefined;
    if (needsSun && (isJsonObject(ofSun) || ofSun === 'elevation')) sun.push(`${pointer}/sun`);
    if (node['type'] === 'sun') sun.push(pointer);
    for (const [name, member] of members) {
      visit(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, needsSun && name !== 'coalesce');
    }
  };
  const { variables: ofDocument, triggers, conditions, steps } = definition;
  for (const [name, part] of Object.entries({ variables: ofDocument, triggers, conditions, steps })) {
    visit(part, `/${name}`, true);
  }
  return { variables: variables.filter(({ key }) => !own.has(key)), sun };
}
