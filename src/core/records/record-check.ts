import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';

/** Whether a value of any origin can be what the hub once wrote. A member that is not there is `undefined`. */
export type Check = (value: JsonValue | undefined) => boolean;

/** A check after which the value counts as what it was written from. */
type Guard<Item> = (value: unknown) => value is Item;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const isWhole: Check = (value) => Number.isSafeInteger(value);
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isId: Check = (value) => typeof value === 'string' && isUuid(value);
/** An object with any members. */
export const isObject: Check = (value) => isJsonObject(value);

export const oneOf =
  (words: readonly JsonValue[]): Check =>
  (value) =>
    value !== undefined && words.includes(value);

export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const ifThere =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((one: JsonValue) => check(one));

/** A list of as many as there are checks. */
export const tupleOf =
  (...checks: readonly Check[]): Check =>
  (value) =>
    Array.isArray(value) && value.length === checks.length && checks.every((check, at) => check(value[at]));

/** An object with members of names that people or the hub choose. */
export const valuesOf =
  (check: Check, isName: (name: string) => boolean = () => true): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(value).every(([name, one]) => isName(name) && check(one));

/** An object with these members. Others may stand beside them: an earlier version reads what a later one wrote. */
export function recordOf<Item = JsonValue>(members: { readonly [Name in keyof Item]?: Check }): Guard<Item> {
  const checks = Object.entries<Check | undefined>(members);
  return (value): value is Item =>
    isJsonObject(value) && checks.every(([name, check]) => check?.(value[name]) !== false);
}
