import { faultWords } from '#words/faults.ts';
import * as z from 'zod/mini';
import { HubError, type FieldError, fieldError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { ShownInstance, ShownSetting } from '#core/integration/instance.ts';
import { HIDDEN, limited } from '#http/note/described.ts';

/*
 * Version 0.1 had one integration with settings, `zigbee2mqtt`, and those of its broker were among them. Clients of 0.1
 * read and write them there.
 */

const RELEASED = 'zigbee2mqtt';
/** The document says this of the released settings. */
export const RELEASED_SETTINGS = '`zigbee2mqtt` also has those of its broker, as in version 0.1.';
const OF_BROKER = ['address', 'user', 'password'] as const;

/** Still taken. The document no longer has them: `settings` has them all. */
export const releasedUpdateShape = {
  address: limited(HIDDEN, z.optional(z.string())),
  user: limited(HIDDEN, z.optional(z.nullable(z.string()))),
  password: limited(HIDDEN, z.optional(z.nullable(z.string()))),
  base_topic: limited(HIDDEN, z.optional(z.string())),
};
type ReleasedUpdate = {
  readonly address?: string | undefined;
  readonly user?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly base_topic?: string | undefined;
};

type ReleasedSetting = {
  readonly value?: string | boolean | null;
  readonly is_set?: boolean;
  readonly fixed: boolean;
  readonly fixed_by: string | null;
};

type Find = (id: string) => ShownInstance | undefined;

/** The settings that 0.1 showed of this integration; nothing for the others. */
export function releasedSettings(
  instance: ShownInstance,
  find: Find,
): Readonly<Record<string, ReleasedSetting>> | undefined {
  if (instance.id !== RELEASED) return undefined;
  const { enabled, settings } = instance;
  const broker = brokerOf(instance, find)?.settings ?? {};
  return {
    enabled: { value: enabled.value, ...fixedJson(enabled.fixedBy) },
    address: { value: textOf(broker['address']), ...fixedJson(broker['address']?.fixedBy) },
    user: { value: textOf(broker['user']), ...fixedJson(broker['user']?.fixedBy) },
    password: {
      is_set: broker['password']?.type === 'secret' && broker['password'].isSet,
      ...fixedJson(broker['password']?.fixedBy),
    },
    base_topic: { value: textOf(settings['base_topic']) ?? '', ...fixedJson(settings['base_topic']?.fixedBy) },
  };
}

function fixedJson(by: string | null = null) {
  return { fixed: by !== null, fixed_by: by };
}

function textOf(setting: ShownSetting | undefined): string | null {
  return setting?.type === 'value' && typeof setting.value === 'string' ? setting.value : null;
}

function brokerOf({ settings }: ShownInstance, find: Find): ShownInstance | undefined {
  return find(textOf(settings['broker']) ?? '');
}

/** A change in the form of 0.1 means these changes of the settings of the two integrations. */
type ReleasedChange = {
  readonly own: JsonObject;
  readonly broker: { readonly id: string; readonly settings: JsonObject } | undefined;
};

/** Throws VALIDATION_FAILED for an integration that never had these fields, and NOT_SUPPORTED without a broker. */
export function readReleasedChange(instance: ShownInstance, update: ReleasedUpdate, find: Find): ReleasedChange {
  const { base_topic, ...others } = update;
  const own: JsonObject = base_topic === undefined ? {} : { base_topic };
  const given = OF_BROKER.filter((name) => others[name] !== undefined);
  if (instance.id !== RELEASED && (given.length > 0 || base_topic !== undefined)) {
    const names = [...given, ...Object.keys(own)];
    const errors: FieldError[] = names.map((name) =>
      fieldError(`/${name}`, 'UNKNOWN', ...faultWords('field_of_kind', { kind: RELEASED })),
    );
    throw new HubError('VALIDATION_FAILED', 'The body has fields that are not valid.', { errors });
  }
  if (given.length === 0) return { own, broker: undefined };
  const broker = brokerOf(instance, find);
  if (broker === undefined) throw new HubError('NOT_SUPPORTED', 'It speaks through no broker: choose one first.');
  const settings = Object.fromEntries(given.map((name) => [name, others[name] ?? null]));
  // As in 0.1: a password without its user is worth nothing.
  const isForNobody = others.user === null && others.password === undefined;
  return { own, broker: { id: broker.id, settings: isForNobody ? { ...settings, password: null } : settings } };
}

/** The failure of a change as a client of 0.1 knows it: its fields are at the top of the body, beside `settings`. */
export function releasedFailure(cause: unknown, settings: JsonObject): unknown {
  if (!(cause instanceof HubError) || cause.options.errors === undefined) return cause;
  const errors = cause.options.errors.map((error) => {
    const name = /^\/settings\/(\w+)$/.exec(error.pointer)?.[1];
    const isReleased = name !== undefined && Object.hasOwn(releasedUpdateShape, name) && !Object.hasOwn(settings, name);
    return isReleased ? { ...error, pointer: `/${name}` } : error;
  });
  return new HubError(cause.code, cause.message, { ...cause.options, errors, cause });
}
