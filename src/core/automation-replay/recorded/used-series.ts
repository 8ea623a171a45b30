import type { HistoryQuestion } from '#core/automation/document/condition.ts';
import { fittingDevices } from '#core/automation/check/directory.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Selection, Trigger } from '#core/automation/document/trigger.ts';
import { createTriggerIndex } from '#core/automation/trigger/trigger-index.ts';
import { moverOf } from '#core/automation/condition/sight.ts';
import type { Device } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import { AVAILABILITY } from '#core/past/history/recorder.ts';
import { RUN_SERIES, HOME_TIMELINE, timelineOf } from '#core/past/history/sample.ts';
import { type HouseNoun, houseSeriesOf } from '#core/past/history/house-series.ts';
import type { Scene, SceneId } from '#core/scene/scene.ts';
import { spanOf } from './past-value.ts';

/** A definition reads these parts of the past. */
export type UsedSeries = {
  /** Its own, by their names: features, modes, variables and people. `isTrigger`: it can start a run. */
  readonly own: ReadonlyMap<string, { readonly isTrigger: boolean }>;
  /** Series without which the others cannot be understood: availability, causes, the runs of the hub. */
  readonly beside: readonly string[];
  /** The devices of all of them, those that commands may reach included. */
  readonly devices: readonly Device[];
  readonly scenes: readonly Scene[];
  /** How far back a `history` operand looks. */
  readonly overMs: number;
  /** What is kept nowhere: `hook/t1`, `automation/<id>`, `hub/update`. */
  readonly unkept: readonly string[];
};

type UsedFrom = {
  readonly devices: readonly Device[];
  readonly findScene: (id: SceneId) => Scene | undefined;
  /** Ids of the people who live here. */
  readonly people: readonly string[];
  /** Keys of what the home has, beside the names that a document gives by itself. */
  readonly modes: readonly string[];
  readonly variables: readonly string[];
};

type Finding = {
  readonly from: UsedFrom;
  readonly byId: ReadonlyMap<string, Device>;
  readonly own: Map<string, { isTrigger: boolean }>;
  readonly devices: Set<Device>;
  readonly scenes: Set<Scene>;
  readonly unkept: Set<string>;
  readonly watched: Trigger[];
  /** The features that commands move on the device that starts a run. */
  readonly keysOfTrigger: Set<string>;
  overMs: number;
  hasIntegrations: boolean;
};

export function usedSeries(definitions: readonly Definition[], from: UsedFrom): UsedSeries {
  const byId = new Map<string, Device>(from.devices.map((device) => [device.id, device]));
  const finding: Finding = {
    from,
    byId,
    own: new Map(),
    devices: new Set(),
    scenes: new Set(),
    unkept: new Set(),
    watched: [],
    keysOfTrigger: new Set(),
    overMs: 0,
    hasIntegrations: false,
  };
  for (const definition of definitions) {
    for (const trigger of definition.triggers) noteTrigger(finding, trigger, true);
    visit(finding, [definition.variables, definition.triggers, definition.conditions, definition.steps]);
  }
  noteMembers(finding);
  const devices = [...finding.devices];
  const beside = [
    RUN_SERIES,
    ...devices.map(({ id }) => `${id}/${AVAILABILITY}`),
    ...devices.filter((device) => canBeMoved(finding.own, device)).map(({ id }) => timelineOf(id)),
    ...(finding.hasIntegrations ? [HOME_TIMELINE] : []),
  ];
  const { own, scenes, overMs, unkept } = finding;
  return { own, beside, devices, scenes: [...scenes], overMs, unkept: [...unkept] };
}

/** Only of what people and commands move is it worth knowing who did. */
function canBeMoved(own: UsedSeries['own'], { id, features }: Device): boolean {
  return features.some(({ key }) => own.has(`${id}/${key}`) && moverOf(key, null) === 'hand');
}

type Named = { readonly device: string; readonly key: string; readonly isTrigger?: boolean };

function noteFeature({ own, byId, devices }: Finding, { device: id, key, isTrigger = false }: Named): void {
  const device = byId.get(id);
  if (device === undefined) return;
  devices.add(device);
  if (!device.features.some((feature) => feature.key === key)) return;
  const known = own.get(`${id}/${key}`);
  own.set(`${id}/${key}`, { isTrigger: isTrigger || known?.isTrigger === true });
}

type NamedInHouse = { readonly noun: HouseNoun; readonly key: string; readonly isTrigger?: boolean };

function noteHouse({ own, from }: Finding, { noun, key, isTrigger = false }: NamedInHouse): void {
  const keys = { mode: from.modes, variable: from.variables, presence: from.people }[noun];
  if (!keys.includes(key)) return;
  const name = houseSeriesOf(noun, key);
  own.set(name, { isTrigger: isTrigger || own.get(name)?.isTrigger === true });
}

function notePerson(finding: Finding, person: string, isTrigger = false): void {
  const { people } = finding.from;
  const isGroupOfAll = person === 'anyone' || person === 'everyone';
  for (const one of isGroupOfAll ? people : people.filter((id) => id === person)) {
    noteHouse(finding, { noun: 'presence', key: one, isTrigger });
  }
}

/** `isStart`: it starts the automation; else a run waits for it. */
function noteTrigger(finding: Finding, trigger: Trigger, isStart: boolean): void {
  switch (trigger.type) {
    case 'mode':
      return noteHouse(finding, { noun: 'mode', key: trigger.mode, isTrigger: isStart });
    case 'variable':
      return noteHouse(finding, { noun: 'variable', key: trigger.variable, isTrigger: isStart });
    case 'presence':
      return notePerson(finding, trigger.person, isStart);
    case 'hook':
      return void finding.unkept.add(`hook/${trigger.id}`);
    case 'automation':
      return void finding.unkept.add(`automation/${trigger.automation}`);
    case 'hub':
      if (trigger.on === 'integration_up') finding.hasIntegrations = true;
      else if (trigger.on !== 'started') finding.unkept.add(`hub/${trigger.on}`);
      return undefined;
    case 'time':
    case 'sun':
      return undefined;
    default:
      if ('integration' in trigger) finding.hasIntegrations = true;
      return void finding.watched.push(trigger);
  }
}

/** The devices that triggers watch now, found as the reducer finds them. */
function noteMembers(finding: Finding): void {
  const index = createTriggerIndex<string>();
  index.put('', finding.watched);
  for (const device of finding.from.devices) index.noteDevice(device.id, device);
  for (const trigger of finding.watched) {
    for (const { device, key } of index.members(trigger)) {
      noteFeature(finding, { device, key, isTrigger: true });
      for (const moved of finding.keysOfTrigger) noteFeature(finding, { device, key: moved });
    }
  }
}

/**
 * All that conditions, operands and steps name. They are data without types here: a word that is also the name of a
 * member elsewhere only leads to a series too many.
 */
function visit(finding: Finding, node: unknown): void {
  if (Array.isArray(node)) for (const one of node) visit(finding, one);
  if (!isPlain(node)) return;
  if (typeof node['device'] === 'string' && typeof node['key'] === 'string') {
    noteFeature(finding, { device: node['device'], key: node['key'] });
    if (typeof node['over_s'] === 'number') {
      finding.overMs = Math.max(finding.overMs, spanOf(node as unknown as HistoryQuestion));
    }
  } else if (typeof node['device'] === 'string') noteFeature(finding, { device: node['device'], key: '' });
  for (const [word, body] of Object.entries(node)) {
    visitWord(finding, word, body);
    visit(finding, body);
  }
}

function isPlain(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function visitWord(finding: Finding, word: string, body: unknown): void {
  if (word === 'variable' && typeof body === 'string') noteHouse(finding, { noun: 'variable', key: body });
  if (!isPlain(body)) return;
  switch (word) {
    case 'mode':
      // A step names the mode, and the value to which it sets it.
      if (typeof body['mode'] === 'string') return noteHouse(finding, { noun: 'mode', key: body['mode'] });
      for (const key of Object.keys(body)) noteHouse(finding, { noun: 'mode', key });
      return undefined;
    case 'presence':
      return typeof body['person'] === 'string' ? notePerson(finding, body['person']) : undefined;
    case 'run':
      return void (typeof body['automation'] === 'string' && finding.unkept.add(`automation/${body['automation']}`));
    case 'scene':
      return typeof body['scene'] === 'string' ? noteScene(finding, body['scene']) : undefined;
    case 'command':
      return noteCommand(finding, body);
    case 'wait_for':
      for (const trigger of Array.isArray(body['triggers']) ? (body['triggers'] as readonly Trigger[]) : []) {
        noteTrigger(finding, trigger, false);
      }
      return undefined;
    default:
      return undefined;
  }
}

function noteScene(finding: Finding, id: string): void {
  const scene = finding.from.findScene(id as SceneId);
  if (scene === undefined) return;
  finding.scenes.add(scene);
  for (const { deviceId, set } of scene.targets) {
    for (const key of Object.keys(set)) noteFeature(finding, { device: deviceId, key });
  }
}

function noteCommand(finding: Finding, command: Readonly<Record<string, unknown>>): void {
  const { targets, set, do: action } = command;
  if (!isPlain(targets)) return;
  const keys = isPlain(set) ? Object.keys(set) : [];
  if (typeof action === 'string') keys.push(action.replace(/toggle$/, 'on'));
  if (targets['trigger'] === 'device') for (const key of keys) finding.keysOfTrigger.add(key);
  for (const id of devicesOf(finding, targets)) {
    for (const key of keys) noteFeature(finding, { device: id, key });
  }
}

function devicesOf({ from, byId }: Finding, targets: Readonly<Record<string, unknown>>): readonly string[] {
  const { devices, group, room, any_of: anyOf } = targets;
  const named = Array.isArray(devices) ? devices.filter((id) => typeof id === 'string') : [];
  const members = typeof group === 'string' ? (byId.get(group)?.members ?? []).map(({ id }) => id) : [];
  const directory = { devices: () => from.devices };
  return [
    ...named,
    ...(typeof group === 'string' ? [group, ...members] : []),
    ...from.devices.filter((one) => one.roomId !== null && one.roomId === room && !isGroup(one)).map(({ id }) => id),
    // The document was read before, so that it has the form of a selection.
    ...(isPlain(anyOf) ? [...fittingDevices(directory, anyOf as Selection)].map(({ id }) => id) : []),
  ];
}
