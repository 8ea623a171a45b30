import type { FieldError, FieldErrorCode } from '#base/hub-error.ts';
import type { AutomationId, Condition, Operand } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { DeviceSource, Selection } from '#core/automation/document/trigger.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { FeatureKind } from '#core/feature/value-type.ts';
import { isVocabularyWord } from '#core/feature/vocabulary.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import type { Mode } from '#core/mode/mode.ts';
import type { SceneId } from '#core/scene/scene.ts';
import type { VariableShape } from '#core/variable/variable.ts';
import type { Wording } from '#words/texts.ts';
import { faultWords } from '#words/faults.ts';

/** The home against which a definition is checked. Its references are ids that were found before. */
export type Directory = {
  readonly device: (id: DeviceId) => Device | undefined;
  readonly devices: () => Iterable<Device>;
  readonly mode: (key: string) => Pick<Mode, 'values'> | undefined;
  readonly variable: (key: string) => VariableShape | undefined;
  /** The devices that a scene sets. */
  readonly sceneDevices: (id: SceneId) => readonly DeviceId[];
  /** Whether an automation may move sensitive devices, itself or by others that its steps run or enable. */
  readonly opens: (id: AutomationId) => boolean;
  /** Whether samples of a feature are kept, so that its past can be asked for. */
  readonly isRecorded: (device: DeviceId, key: string) => boolean;
  /** What is wrong with a pattern of five fields; `undefined`: nothing. */
  readonly faultOfCron: (pattern: string) => CronFault | undefined;
  /** The automation that is checked; `undefined` for a new one. */
  readonly self: AutomationId | undefined;
};

/** `message`: without its subject. `isNever`: it is a pattern, and there is no such day. */
export type CronFault = { readonly message: string; readonly isNever: boolean };

export const WARNING_CODES = ['POSSIBLE_LOOP', 'NEVER_TRUE', 'NO_OFF', 'SLEEPY_DEVICE', 'UNRECORDED'] as const;
/** Something that is saved all the same. */
export type Warning = {
  readonly pointer: string;
  readonly code: (typeof WARNING_CODES)[number];
  readonly message: string;
  readonly reason: Wording;
};

type Words = readonly [message: string, reason?: Wording];

/** One check of one definition. */
export type Checking = {
  readonly directory: Directory;
  readonly definition: Definition;
  readonly refuse: (pointer: string, code: FieldErrorCode, ...words: Words) => void;
  readonly refuseAll: (errors: readonly FieldError[]) => void;
  readonly warn: (pointer: string, code: Warning['code'], ...words: Words) => void;
  /** Conditions stand in operands, and operands in conditions. */
  readonly checkCondition: (condition: Condition, pointer: string) => void;
  /** The devices that a command chooses, by what it says: many commands say the same, and a home may be large. */
  readonly chosen: Map<string, readonly Device[]>;
  /** Names that operands may use beside the variables of the home. */
  readonly names: ReadonlyMap<string, Operand | null>;
};

/** The devices that fit now. */
export function* fittingDevices(directory: Pick<Directory, 'devices'>, selection: Selection): Generator<Device> {
  for (const device of directory.devices()) if (isFitting(device, selection)) yield device;
}

/** A group shows again what its members show, so none fits. */
export function isFitting(device: Device, { room, type, capability, except }: Selection): boolean {
  return (
    device.integration !== 'group' &&
    (room === undefined || device.roomId === room) &&
    (type === undefined || device.type === type) &&
    except?.includes(device.id) !== true &&
    (capability === undefined || device.features.some((one) => one.capability === capability))
  );
}

/** A feature of a device; says what is wrong with the key. */
export function findFeature(
  { directory, refuse }: Checking,
  { device: id, key, kind }: { readonly device: DeviceId; readonly key: string; readonly kind: FeatureKind },
  pointer: string,
): Feature | undefined {
  const device = directory.device(id);
  if (device === undefined) return undefined;
  const feature = device.features.find((one) => one.key === key);
  if (feature === undefined) refuse(pointer, 'INVALID_VALUE', ...faultWords('unknown_feature'));
  else if (feature.kind !== kind)
    refuse(pointer, 'INVALID_VALUE', ...faultWords(kind === 'event' ? 'no_event' : 'nothing_to_watch'));
  else return feature;
  return undefined;
}

/** A feature like those that a trigger watches; `undefined` where nothing is known of them. */
export function watchedFeature(
  checking: Checking,
  source: DeviceSource & { readonly key?: string },
  { pointer, kind }: { readonly pointer: string; readonly kind: FeatureKind },
): Feature | undefined {
  if (!('any_of' in source)) {
    const device = 'device' in source ? source.device : source.group;
    if (source.key !== undefined) return findFeature(checking, { device, key: source.key, kind }, `${pointer}/key`);
    checking.refuse(`${pointer}/key`, 'REQUIRED', ...faultWords('required'));
    return undefined;
  }
  const { capability } = source.any_of;
  if (capability === undefined && source.key === undefined) {
    checking.refuse(`${pointer}/any_of/capability`, 'REQUIRED', ...faultWords('needed_without_key'));
    return undefined;
  }
  for (const { features } of fittingDevices(checking.directory, source.any_of)) {
    const found = features.find(
      (one) =>
        one.kind === kind && (source.key ?? one.key) === one.key && (capability ?? one.capability) === one.capability,
    );
    if (found !== undefined) return found;
  }
  checking.warn(`${pointer}/any_of`, 'NEVER_TRUE', ...faultWords('fits_no_device'));
  if (capability === undefined || !isVocabularyWord(capability)) return undefined;
  const usual = wordFeature(capability, 'main');
  if (usual.kind === kind) return usual;
  checking.refuse(
    `${pointer}/any_of/capability`,
    'INVALID_VALUE',
    ...faultWords(kind === 'event' ? 'no_event' : 'nothing_to_watch'),
  );
  return undefined;
}
