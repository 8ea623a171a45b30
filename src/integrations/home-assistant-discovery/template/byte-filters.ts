import { packed, unpacked } from '#integrations/home-assistant-discovery/bytes/struct.ts';
import { textArgument, wholeNumber } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { outside, pythonFault, reserveText } from '#integrations/home-assistant-discovery/python/fault.ts';
import { isKind, isNumber, typeName, type Value } from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';

/** Filters between numbers and bytes. What does not fit is None there. */
export const BYTE_FILTERS: readonly (readonly [string, Filter])[] = [
  ['pack', { parameters: ['value', 'format_string'], required: 2, call: pack }],
  ['unpack', { parameters: ['value', 'format_string', 'offset'], required: 2, call: unpack }],
];

function pack(run: Run, [value = null, format]: readonly (Value | undefined)[]): Value {
  const how = textArgument(format, '');
  const plain = isKind(value, 'bytes') ? value.bytes : isNumber(value) ? value : undefined;
  // Any value of Python is true or false.
  if (plain === undefined && how.includes('?')) throw outside('packing such a value');
  const bytes = plain === undefined ? undefined : packed(plain, how);
  if (bytes === null) throw outside(`the format ${how.slice(0, 20)}`);
  if (bytes === undefined) return null;
  reserveText(run.budget, bytes.length);
  return { kind: 'bytes', bytes };
}

function unpack(_run: Run, [value = null, format, offset]: readonly (Value | undefined)[]): Value {
  const how = textArgument(format, '');
  if (!isKind(value, 'bytes')) throw pythonFault(`a bytes-like object is required, not '${typeName(value)}'`);
  const found = unpacked(value.bytes, how, wholeNumber(offset, 0));
  if (found === null) throw outside(`the format ${how.slice(0, 20)}`);
  return Buffer.isBuffer(found) ? { kind: 'bytes', bytes: found } : (found ?? null);
}
