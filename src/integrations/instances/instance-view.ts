import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type {
  Instance,
  InstanceProblem,
  InstanceRecord,
  ShownInstance,
  ShownSetting,
} from '#core/integration/instance.ts';
import { checkFields, defaultOf, FORM_ONLY, missingFields } from '#core/integration/settings-check.ts';
import type { Field, SettingsShape } from '#core/integration/settings-shape.ts';
import { boundText } from './instance-secrets.ts';
import type { InstanceRight, IntegrationKind } from '#integrations/kind.ts';

/** A value that the configuration gives, with its source in words. */
export type FixedValue = { readonly value: JsonValue; readonly by: string };

/** The configuration fixes at least one value of the instance. Such an instance is there even after a removal. */
export type FixedInstance = {
  readonly id: string;
  readonly kind: string;
  readonly enabled: (FixedValue & { readonly value: boolean }) | null;
  /** For a secret the path of its file, which nobody is shown. */
  readonly settings: Readonly<Record<string, FixedValue>>;
};

/** The configuration's secret is sent only to where the configuration says, so it fixes that field too. */
export function withBoundFields(fixed: FixedInstance, shape: SettingsShape): FixedInstance {
  const bound = Object.entries(shape).flatMap(([key, field]) => {
    const secret = fixed.settings[key];
    const place = field.type === 'secret' ? shape[field.boundTo] : undefined;
    if (field.type !== 'secret' || secret === undefined || place === undefined) return [];
    return [[field.boundTo, { value: defaultOf(place), by: secret.by }] as const];
  });
  return { ...fixed, settings: { ...Object.fromEntries(bound), ...fixed.settings } };
}

/** Everything from which an instance is shown and made. */
export type KnownInstance = {
  readonly record: InstanceRecord;
  /** `undefined` for a kind that this version does not know. */
  readonly kind: IntegrationKind | undefined;
  readonly fixed: FixedInstance | undefined;
  /** The values for which the kept secrets were given, by field. */
  readonly boundTo: Readonly<Record<string, string>>;
};

export type InstanceView = {
  readonly shown: ShownInstance;
  /** `undefined` while it has a problem. */
  readonly instance: Instance | undefined;
  readonly links: readonly string[];
};

/** How another instance is, for those that link to it. */
type LinkState = Pick<ShownInstance, 'kind' | 'name' | 'enabled' | 'isChosen'>;

/** `findLink` finds the instances that are there. */
export function viewOf(instance: KnownInstance, findLink: (id: string) => LinkState | undefined): InstanceView {
  const { record, kind, fixed } = instance;
  const shape = kind?.settings ?? {};
  const stored = readStored(record, kind);
  const values = valuesOf(shape, stored.values, fixed);
  const settings = shownSettings(instance, shape, values);
  const links = linksOf(shape, values, findLink);
  const problem = stored.problem ?? problemOfValues({ shape, values, settings }) ?? problemOfLinks(links);
  const { id, name, uniqueId, isChosen, revision, mayReachHub } = record;
  const fixedBy = fixed === undefined ? null : ((fixed.enabled ?? Object.values(fixed.settings)[0])?.by ?? null);
  // The values have the shape of their kind, as the checks above have found.
  const plain = Object.fromEntries(
    Object.entries({ ...values, ...madeToken(instance, values) }).filter(([key]) => shape[key]?.type !== 'secret'),
  ) as Instance['settings'];
  // A person who can write the configuration has the machine.
  const isPlaceFixed = Object.keys(fixed?.settings ?? {}).some((key) => isPlace(shape[key]));
  return {
    shown: {
      id,
      kind: record.kind,
      name,
      hasOwnName: name !== kind?.name,
      uniqueId,
      isChosen: isChosen || fixedBy !== null || links.some(({ state }) => state?.isChosen === true),
      revision,
      enabled: shownEnabled(instance, links),
      settings,
      fixedBy,
      problem,
    },
    instance:
      problem === null
        ? { id, kind: record.kind, name, uniqueId, settings: plain, mayReachHub: mayReachHub || isPlaceFixed }
        : undefined,
    links: links.map((link) => link.id),
  };
}

function madeToken({ record, kind }: KnownInstance, values: JsonObject): JsonObject {
  return kind?.rights === undefined || values['token'] !== null ? {} : { token: record.madeToken ?? null };
}

/** The rights that an instance needs of a token that the hub makes; none where the settings name one or want none. */
export function rightsOf({ record, kind, fixed }: KnownInstance): readonly InstanceRight[] {
  const { may, token } = valuesOf(kind?.settings ?? {}, readStored(record, kind).values, fixed);
  const rights = kind?.rights ?? {};
  return token === null && typeof may === 'string' && Object.hasOwn(rights, may) ? (rights[may] ?? []) : [];
}

/** Whether the field says where the thing is. */
export function isPlace(field: Field | undefined): boolean {
  return field?.type === 'host' || field?.type === 'url';
}

/** The values in use: what the configuration fixes, else what was set, else the default. */
export function valuesOf(shape: SettingsShape, stored: JsonObject, fixed: FixedInstance | undefined): JsonObject {
  const entries = Object.entries(shape).map(([key, field]) => {
    const fixedValue = fixed?.settings[key];
    return [key, fixedValue === undefined ? (stored[key] ?? defaultOf(field)) : fixedValue.value] as const;
  });
  return Object.fromEntries(entries);
}

type Stored = { readonly values: JsonObject; readonly problem: InstanceProblem | null };

/** Reads the stored settings into the form of this version. */
export function readStored({ settings, settingsVersion }: InstanceRecord, kind: IntegrationKind | undefined): Stored {
  if (kind === undefined)
    return unreadable(
      'UNKNOWN_KIND',
      'This version of the hub does not know this kind of integration: install the newer version again, or remove the integration',
    );
  if (settingsVersion > kind.settingsVersion)
    return unreadable(
      'SETTINGS_TOO_NEW',
      'A newer version of the hub wrote these settings: install that version again, or set the integration up again',
    );
  const invalid = unreadable('SETTINGS_INVALID', 'The kept settings cannot be understood: enter them again');
  let upgraded = settings;
  if (settingsVersion < kind.settingsVersion && kind.upgradeSettings !== undefined) {
    try {
      upgraded = kind.upgradeSettings(settings, settingsVersion);
    } catch {
      // Whatever is wrong with them, a person has to enter them again: the problem says so.
      return invalid;
    }
  }
  if (!isJsonObject(upgraded)) return invalid;
  const { values, errors } = checkFields(kind.settings, upgraded, { rules: FORM_ONLY });
  return errors.length > 0 ? { ...invalid, values } : { values, problem: null };
}

function unreadable(code: InstanceProblem['code'], message: string): Stored {
  return { values: {}, problem: { code, message } };
}

function shownSettings({ record, fixed, boundTo }: KnownInstance, shape: SettingsShape, values: JsonObject) {
  const entries = Object.entries(shape).map(([key, field]): readonly [string, ShownSetting] => {
    const by = fixed?.settings[key]?.by ?? null;
    if (field.type !== 'secret') return [key, { type: 'value', value: values[key] ?? null, fixedBy: by }];
    // A secret that was given for another value counts as missing, also after a restore or a change of the configuration.
    const isKept = record.secrets[key] !== undefined && boundTo[key] === boundText(values[field.boundTo] ?? null);
    return [key, { type: 'secret', isSet: typeof fixed?.settings[key]?.value === 'string' || isKept, fixedBy: by }];
  });
  return Object.fromEntries(entries);
}

type Link = { readonly id: string; readonly kind: string; readonly state: LinkState | undefined };

function linksOf(
  shape: SettingsShape,
  values: JsonObject,
  findLink: (id: string) => LinkState | undefined,
): readonly Link[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const id = values[key];
    return field.type === 'link' && typeof id === 'string' ? [{ id, kind: field.kind, state: findLink(id) }] : [];
  });
}

/**
 * Shows an instance as off by the configuration if it can only speak through something that the configuration switches
 * off.
 */
function shownEnabled({ record, fixed }: KnownInstance, links: readonly Link[]): ShownInstance['enabled'] {
  const off = links.find(({ state }) => state?.enabled.value === false && state.enabled.fixedBy !== null)?.state
    ?.enabled;
  if (off !== undefined) return off;
  const { value, by } = fixed?.enabled ?? { value: record.enabled, by: null };
  return { value, fixedBy: by };
}

function problemOfValues({
  shape,
  values,
  settings,
}: {
  readonly shape: SettingsShape;
  readonly values: JsonObject;
  readonly settings: Readonly<Record<string, ShownSetting>>;
}): InstanceProblem | null {
  const hasSecret = (key: string): boolean => {
    const shown = settings[key];
    return shown?.type === 'secret' && shown.isSet;
  };
  const first = Object.entries(shape).find(([key, field]) => {
    return missingFields({ [key]: field }, values, { hasSecret }).length > 0;
  });
  if (first === undefined) return null;
  const [, { label, type }] = first;
  return type === 'secret'
    ? {
        code: 'SECRET_MISSING',
        message: `"${label}" is missing: enter it again. It is in no backup, and holds only for the address for which it was given`,
      }
    : { code: 'SETTINGS_INCOMPLETE', message: `"${label}" is missing: enter it` };
}

function problemOfLinks(links: readonly Link[]): InstanceProblem | null {
  for (const { id, kind, state } of links) {
    if (state === undefined || state.kind !== kind) {
      return {
        code: 'LINK_MISSING',
        message: `It speaks through the integration "${id}", which is not there: choose another`,
      };
    }
    if (!state.enabled.value) {
      return { code: 'LINK_OFF', message: `It speaks through "${state.name}", which is switched off: switch that on` };
    }
  }
  return null;
}
