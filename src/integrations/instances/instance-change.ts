import { type FieldError, fieldError, HubError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject } from '#base/json.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import type { InstanceChange, InstanceRecord, NewInstance, ShownInstance } from '#core/integration/instance.ts';
import { checkFields, missingFields, type SettingsRules } from '#core/integration/settings-check.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import { isVisibleName } from '#core/person/user.ts';
import { type InstanceView, isPlace, type KnownInstance, readStored, valuesOf } from './instance-view.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import { faultWords } from '#words/faults.ts';

export type ReadChange = {
  /** Without the names of new secrets. */
  readonly record: InstanceRecord;
  /** The secrets to set, or with `null` to take away. */
  readonly secrets: Readonly<Record<string, string | null>>;
  readonly isChange: boolean;
  /** Whether the instance must start anew: all changes but that of the name. */
  readonly needsRestart: boolean;
  readonly errors: readonly FieldError[];
};

const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;

/** `isWhole`: every required field must have a value afterwards. Throws HubError SETTING_FIXED and NOT_SUPPORTED. */
export function readInstanceChange(
  instance: KnownInstance & { readonly view: InstanceView },
  change: InstanceChange,
  { rules, isWhole }: { readonly rules: SettingsRules; readonly isWhole: boolean },
): ReadChange {
  const { record, kind, fixed, view } = instance;
  const { shown } = view;
  const shape = kind?.settings ?? {};
  if (kind === undefined && change.settings !== undefined) {
    throw new HubError('NOT_SUPPORTED', 'This version of the hub does not know the settings of this integration.');
  }
  const asked = settingsAsked(withWholePlaces(change.settings ?? {}, shape, shown), shown);
  refuseFixed(shown, change, asked);
  const stored = readStored(record, kind);
  const { values, secrets, errors: wrong } = checkFields(shape, asked, { rules });
  const errors: FieldError[] = [...wrong];
  if (change.name !== undefined && !isInstanceName(change.name)) {
    errors.push(fieldError('/name', 'INVALID_FORMAT', ...faultWords('instance_name_form')));
  }
  const settings = withoutNulls({ ...stored.values, ...values });
  const next = valuesOf(shape, settings, fixed);
  const before = valuesOf(shape, stored.values, fixed);
  const isMoved = (key: string): boolean => !isSameJson(next[key] ?? null, before[key] ?? null);
  const isSet = (key: string): boolean => {
    const setting = shown.settings[key];
    return setting?.type === 'secret' && setting.isSet;
  };
  for (const [key, field] of Object.entries(shape)) {
    // A caller who may not read the secret must not be able to have it sent to a place of their choice.
    if (field.type !== 'secret' || !isSet(key) || key in secrets || !isMoved(field.boundTo)) continue;
    const what = shape[field.boundTo]?.label ?? field.boundTo;
    errors.push(fieldError(`/settings${pointerStep(key)}`, 'REQUIRED', ...faultWords('needed_again', { other: what })));
  }
  if (isWhole) {
    const hasSecret = (key: string): boolean => (key in secrets ? secrets[key] !== null : isSet(key));
    const named = new Set(errors.map(({ pointer }) => pointer));
    errors.push(...missingFields(shape, next, { hasSecret }).filter(({ pointer }) => !named.has(pointer)));
  }
  const isPlaceMoved = Object.keys(shape).some((key) => isPlace(shape[key]) && isMoved(key));
  const hasSettings = change.settings !== undefined && (Object.keys(asked).length > 0 || stored.problem !== null);
  const changed = {
    ...record,
    name: change.name ?? record.name,
    enabled: change.enabled ?? record.enabled,
    // Settings that cannot be understood stay as they are until somebody gives new ones.
    ...(hasSettings ? { settings, settingsVersion: kind?.settingsVersion ?? record.settingsVersion } : {}),
    mayReachHub: isPlaceMoved ? rules.mayReachHub : record.mayReachHub,
  };
  const needsRestart = changed.enabled !== record.enabled || hasSettings;
  const isChange = needsRestart || changed.name !== record.name;
  return { record: changed, secrets, isChange, needsRestart, errors };
}

/** Rooms or devices that a change of places does not name stay (RFC 7396). */
function withWholePlaces(given: JsonObject, shape: SettingsShape, { settings }: ShownInstance): JsonObject {
  const entries = Object.entries(given).map(([key, value]) => {
    const present = shape[key]?.type === 'places' ? settings[key] : undefined;
    const isPart = present?.type === 'value' && isJsonObject(present.value) && isJsonObject(value);
    return [key, isPart ? { ...present.value, ...value } : value] as const;
  });
  return Object.fromEntries(entries);
}

/** Without what is so already. */
function settingsAsked(given: JsonObject, shown: ShownInstance): JsonObject {
  const isSo = (key: string): boolean => {
    const setting = Object.hasOwn(shown.settings, key) ? shown.settings[key] : undefined;
    if (setting === undefined) return false;
    return setting.type === 'secret'
      ? given[key] === null && !setting.isSet
      : isSameJson(given[key] ?? null, setting.value);
  };
  return Object.fromEntries(Object.entries(given).filter(([key]) => !isSo(key)));
}

function refuseFixed(shown: ShownInstance, change: InstanceChange, asked: JsonObject): void {
  const errors: FieldError[] = [];
  const refuse = (pointer: string, by: string | null | undefined): void => {
    if (by === null || by === undefined) return;
    errors.push(fieldError(pointer, 'READ_ONLY', ...faultWords('set_by', { by })));
  };
  if (change.enabled !== undefined && change.enabled !== shown.enabled.value) refuse('/enabled', shown.enabled.fixedBy);
  for (const key of Object.keys(asked)) {
    if (Object.hasOwn(shown.settings, key)) refuse(`/settings${pointerStep(key)}`, shown.settings[key]?.fixedBy);
  }
  const [first] = errors;
  if (first === undefined) return;
  throw new HubError('SETTING_FIXED', `It ${first.message}.`, { errors });
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function isInstanceName(text: string): boolean {
  return NAME.test(text) && isVisibleName(text);
}

/** Whether both are one thing at the other end: the same unique id, or, where one has none, the same settings. */
export function isSameThing(instance: KnownInstance, wanted: NewInstance): boolean {
  const { record, kind, fixed } = instance;
  if (kind === undefined || record.kind !== wanted.kind) return false;
  if (wanted.id !== undefined) return record.id === wanted.id;
  const uniqueId = wanted.uniqueId ?? null;
  if (record.uniqueId !== null && uniqueId !== null) return record.uniqueId === uniqueId;
  const plain = Object.entries(kind.settings).filter(([, { type }]) => type !== 'secret');
  if (plain.length === 0) return kind.instances === 'one';
  const old = valuesOf(kind.settings, readStored(record, kind).values, fixed);
  const asked = valuesOf(kind.settings, withoutNulls(wanted.settings), undefined);
  return plain.every(([key]) => isSameJson(old[key] ?? null, asked[key] ?? null));
}

const GIVEN_ID = /^[a-z][a-z0-9-]{0,31}$/;

/** Throws HubError VALIDATION_FAILED for a given id in another form, and NAME_TAKEN. */
export function idFor(kind: IntegrationKind, wish: string | undefined, isTaken: (id: string) => boolean): string {
  if (wish !== undefined) {
    if (!GIVEN_ID.test(wish)) {
      const form = faultWords('instance_id_form');
      throw new HubError('VALIDATION_FAILED', 'The id is not valid.', {
        errors: [fieldError('/id', 'INVALID_FORMAT', ...form)],
      });
    }
    if (isTaken(wish)) throw new HubError('NAME_TAKEN', 'Another integration has this id.');
    return wish;
  }
  const first = kind.firstId ?? kind.id;
  let id = first;
  for (let number = 2; isTaken(id); number += 1) id = `${first}-${number}`;
  return id;
}
