import { UTF_8 } from '#integrations/home-assistant-discovery/bytes/encoding.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/bytes/json-reader.ts';
import type { Value } from '#integrations/home-assistant-discovery/python/value.ts';
import type { Variables } from './plain.ts';

/** What a template knows of a message: the payload, and what it is as JSON if it is some. They come before `more`. */
export function variablesFrom(payload: string | Uint8Array, more: Variables = new Map()): Variables {
  const value: Value =
    typeof payload === 'string'
      ? payload
      : { kind: 'bytes', bytes: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength) };
  // JSON is UTF-8 also where nothing else is text.
  const json = valueFromJson(typeof value === 'string' ? value : (UTF_8.decode(value.bytes) ?? ''));
  return new Map([...more, ['value', value], ...(json === undefined ? [] : [['value_json', json] as const])]);
}
