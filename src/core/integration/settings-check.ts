import { isIP } from 'node:net';
import { type FieldError, fieldError, type FieldErrorCode } from '#base/hub-error.ts';
import { isLocalhostName, readHost, readHostPort } from '#base/network/host-port.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import { limit } from '#words/limits.ts';
import type { Wording } from '#words/texts.ts';
import type { Field, SettingsShape } from './settings-shape.ts';
import { faultWords, notOneOf } from '#words/faults.ts';

/** The surroundings decide what settings may name. */
export type SettingsRules = {
  /** Takes the text of an IP address. A name is checked when the hub connects. */
  readonly isLanAddress: (address: string) => boolean;
  readonly isOwnAddress: (address: string) => boolean;
  /** Only an owner may have the hub speak to its own machine. */
  readonly mayReachHub: boolean;
  readonly hasInstance: (id: string, kind: string) => boolean;
  /** Absent where only the form of values counts that name something of the home. */
  readonly home?: HomeRules;
};

/** Each finds the id of what has this id or name. */
export type HomeRules = {
  readonly findRoom: (idOrSelector: string) => string | undefined;
  readonly findDevice: (idOrSelector: string) => string | undefined;
  /** The text of a token is as good as its id. */
  readonly findApiToken: (idOrText: string) => { readonly id: string } | { readonly refusal: string };
};

/** Only the form counts for values that were accepted before, or come from the configuration. */
export const FORM_ONLY: SettingsRules = {
  isLanAddress: () => true,
  isOwnAddress: () => false,
  mayReachHub: true,
  hasInstance: () => true,
};

type CheckedFields = {
  /** In the form in which they are kept; `null` takes a value away. */
  readonly values: JsonObject;
  /** `null` takes a secret away. */
  readonly secrets: Readonly<Record<string, string | null>>;
  readonly errors: readonly FieldError[];
};

/** Thousands of wrong fields need neither as many errors nor as much work. */
const MAX_ERRORS = 32;
const MAX_TEXT = 256;
const MAX_SECRET = 1024;
const PRINTABLE = /^[^\p{Cc}\p{Cs}]+$/u;

/**
 * Checks the fields that are there, of any JSON value. `pointer` leads to the value in the body; the error of a field
 * has the field's name after it. Whether fields are missing says `missingFields`.
 */
export function checkFields(
  shape: SettingsShape,
  body: unknown,
  { rules, pointer = '/settings' }: { readonly rules: SettingsRules; readonly pointer?: string },
): CheckedFields {
  const values: Record<string, JsonValue> = {};
  const secrets: Record<string, string | null> = {};
  const errors: FieldError[] = [];
  if (!isJsonObject(body)) {
    return {
      values,
      secrets,
      errors: [fieldError(pointer, 'WRONG_TYPE', ...faultWords('type', { type: 'of type object' }))],
    };
  }
  for (const key of Object.keys(body)) {
    if (errors.length >= MAX_ERRORS) break;
    const refuse = (...why: Refusal): void => {
      errors.push(fieldError(pointer + pointerStep(key), ...why));
    };
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const value = body[key] ?? null;
    if (field === undefined) refuse('UNKNOWN', ...faultWords('unknown_field'));
    else if (value === null && isRequired(field)) refuse('REQUIRED', ...faultWords('required'));
    else if (field.type === 'secret') {
      const read = value === null ? { value } : readPrintable(value, MAX_SECRET);
      if ('refusal' in read) refuse(...read.refusal);
      else secrets[key] = read.value;
    } else {
      const read = value === null ? { value } : readValue(field, value, rules);
      if ('refusal' in read) refuse(...read.refusal);
      else values[key] = read.value;
    }
  }
  return { values, secrets, errors };
}

/** The value of a field that was not set: its default, else `null`. */
export function defaultOf(field: Field): JsonValue {
  return 'default' in field ? (field.default ?? null) : null;
}

/** Whether it must be set before the instance can run. */
function isRequired(field: Field): boolean {
  return field.optional !== true && defaultOf(field) === null;
}

/** One error for each required field that has no value. `hasSecret` says which secrets are there. */
export function missingFields(
  shape: SettingsShape,
  values: JsonObject,
  { hasSecret, pointer = '/settings' }: { readonly hasSecret: (key: string) => boolean; readonly pointer?: string },
): readonly FieldError[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    if (!isRequired(field)) return [];
    const isThere = field.type === 'secret' ? hasSecret(key) : (values[key] ?? null) !== null;
    return isThere ? [] : [fieldError(pointer + pointerStep(key), 'REQUIRED', ...faultWords('required'))];
  });
}

type Read<Value extends JsonValue = JsonValue> = { readonly value: Value } | { readonly refusal: Refusal };
type Refusal = readonly [code: FieldErrorCode, message: string, limit?: Wording];

function refusal(...why: Refusal): Read<never> {
  return { refusal: why };
}

function readValue(field: Exclude<Field, { type: 'secret' }>, value: JsonValue, rules: SettingsRules): Read {
  if (field.type === 'boolean') {
    return typeof value === 'boolean' ? { value } : refusal('WRONG_TYPE', ...faultWords('true_or_false'));
  }
  if (field.type === 'integer') return readInteger(field, value);
  if (field.type === 'places') return readPlaces(value, rules.home);
  const read = readPrintable(value, field.type === 'text' ? (field.maxLength ?? MAX_TEXT) : MAX_TEXT);
  if ('refusal' in read) return read;
  const text = read.value;
  if (field.type === 'host') return readHostField(text, rules);
  if (field.type === 'url') return readUrlField(field, text, rules);
  if (field.type === 'link') {
    return rules.hasInstance(text, field.kind) ? read : refusal('INVALID_VALUE', ...faultWords('not_there'));
  }
  if (field.type === 'api_token') {
    const found = rules.home?.findApiToken(text) ?? { id: text };
    return 'refusal' in found ? refusal('INVALID_VALUE', found.refusal) : { value: found.id };
  }
  if (field.type === 'choice') {
    if (field.options.some(({ id }) => id === text)) return read;
    return refusal('INVALID_VALUE', ...notOneOf(field.options.map(({ id }) => id)));
  }
  const fits = field.pattern === undefined || new RegExp(`^(?:${field.pattern})$`, 'u').test(text);
  return fits ? read : refusal('INVALID_FORMAT', ...faultWords('form'));
}

const MAX_PLACES = 1_000;

function readPlaces(value: JsonValue, home: HomeRules | undefined): Read {
  if (!isJsonObject(value)) return refusal('WRONG_TYPE', ...faultWords('places_shape'));
  const { rooms = [], devices = [], ...others } = value;
  if (Object.keys(others).length > 0) return refusal('UNKNOWN', ...faultWords('places_only'));
  const inRooms = readIds(rooms, home?.findRoom);
  if ('refusal' in inRooms) return inRooms;
  const inDevices = readIds(devices, home?.findDevice);
  return 'refusal' in inDevices ? inDevices : { value: { rooms: inRooms.value, devices: inDevices.value } };
}

function readIds(
  list: JsonValue,
  find: (idOrSelector: string) => string | undefined = (id) => id,
): Read<readonly string[]> {
  if (!Array.isArray(list)) return refusal('WRONG_TYPE', ...faultWords('lists_of_ids'));
  if (list.length > MAX_PLACES)
    return refusal('TOO_LONG', `must name at most ${MAX_PLACES} of each`, limit('most', { most: MAX_PLACES }));
  const ids = new Set<string>();
  for (const one of list) {
    const read = readPrintable(one, MAX_TEXT);
    if ('refusal' in read) return refusal('WRONG_TYPE', ...faultWords('ids'));
    const id = find(read.value);
    if (id === undefined) return refusal('INVALID_VALUE', ...faultWords('unknown_place'));
    ids.add(id);
  }
  return { value: [...ids] };
}

function readInteger({ min, max }: Extract<Field, { type: 'integer' }>, value: JsonValue): Read {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return refusal('WRONG_TYPE', ...faultWords('whole_number'));
  if (value < min || value > max)
    return refusal('OUT_OF_RANGE', `must be from ${min} to ${max}`, limit('range', { least: min, most: max }));
  return { value };
}

function readPrintable(text: JsonValue, longest: number): Read<string> {
  if (typeof text !== 'string') return refusal('WRONG_TYPE', ...faultWords('text'));
  if (text.length === 0) return refusal('TOO_SHORT', ...faultWords('empty'));
  if (text.length > longest)
    return refusal('TOO_LONG', `must have at most ${longest} characters`, limit('most', { most: longest }));
  if (!PRINTABLE.test(text)) return refusal('INVALID_FORMAT', ...faultWords('not_printable'));
  return { value: text };
}

function readHostField(text: string, rules: SettingsRules): Read {
  const read = readHostPort(text);
  if (read === undefined) return refusal('INVALID_FORMAT', ...faultWords('host_form'));
  return refusePlace(read.host, rules) ?? { value: text.toLowerCase() };
}

function readUrlField(
  { schemes, originOnly, isAnywhere }: Extract<Field, { type: 'url' }>,
  text: string,
  rules: SettingsRules,
): Read {
  const form = faultWords('url_form', { form: schemes.map((scheme) => `${scheme}://host:port`).join(' / ') });
  if (!URL.canParse(text)) return refusal('INVALID_FORMAT', ...form);
  const url = new URL(text);
  const { protocol, hostname, username, password, pathname, search, hash } = url;
  const hasMore = username !== '' || password !== '' || hash !== '' || url.port === '0';
  const isOrigin = pathname.length <= 1 && search === '';
  const host = readHost(hostname.replace(/^\[(.*)\]$/, '$1'));
  if (!schemes.includes(protocol.slice(0, -1)) || hasMore || host === undefined)
    return refusal('INVALID_FORMAT', ...form);
  if (originOnly === true && !isOrigin) return refusal('INVALID_FORMAT', ...form);
  const places = isAnywhere === true ? { ...rules, isLanAddress: () => true } : rules;
  return refusePlace(host, places) ?? { value: originOnly === true ? `${protocol}//${url.host}` : url.href };
}

/** Names other than `localhost` are checked when the hub connects. */
function refusePlace(host: string, { isLanAddress, isOwnAddress, mayReachHub }: SettingsRules): Read | undefined {
  const isAddress = isIP(host.replace(/%.*$/su, '')) !== 0;
  const isOwn = isAddress ? isOwnAddress(host) : isLocalhostName(host);
  if (isOwn) return mayReachHub ? undefined : refusal('INVALID_VALUE', ...faultWords('own_address'));
  if (isAddress && !isLanAddress(host)) return refusal('INVALID_VALUE', ...faultWords('not_in_lan'));
  return undefined;
}
