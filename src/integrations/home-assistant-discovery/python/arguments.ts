import { pythonFault } from './fault.ts';
import { asNumber } from './compare.ts';
import { isTruthy, typeName, type Arguments, type Value } from './value.ts';

/** What a function was given for its parameters, in their order. Throws as Python does for too many or unknown ones. */
export function boundTo(
  parameters: readonly string[],
  required: number,
  { positional, named }: Arguments,
): readonly (Value | undefined)[] {
  if (positional.length > parameters.length) throw pythonFault('too many arguments');
  const given: (Value | undefined)[] = parameters.map((_, at) => positional[at]);
  for (const [name, value] of named) {
    const at = parameters.indexOf(name);
    if (at === -1 || given[at] !== undefined) throw pythonFault(`an unexpected argument '${name}'`);
    given[at] = value;
  }
  if (given.slice(0, required).includes(undefined)) throw pythonFault('missing arguments');
  return given;
}

/** A whole number that a function needs. */
export function wholeNumber(value: Value | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'bigint' && typeof value !== 'boolean') {
    throw pythonFault(`'${typeName(value)}' object cannot be interpreted as an integer`);
  }
  return Number(asNumber(value));
}

export function textArgument(value: Value | undefined, otherwise: string): string {
  if (value === undefined) return otherwise;
  if (typeof value !== 'string') throw pythonFault(`must be str, not ${typeName(value)}`);
  return value;
}

export function flag(value: Value | undefined, otherwise = false): boolean {
  return value === undefined ? otherwise : isTruthy(value);
}
