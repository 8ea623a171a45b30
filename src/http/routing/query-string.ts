import * as z from 'zod/mini';
import { type FieldError, fieldError, HubError } from '#base/hub-error.ts';
import { limit } from '#words/limits.ts';
import { fieldErrorsFrom } from './field-errors.ts';
import { faultWords } from '#words/faults.ts';

/** Twice as many as any list may have: an item that the schema refuses costs a thousand times its comma. */
const MAX_ITEMS = 200;

const refuse = (errors: readonly FieldError[]): HubError =>
  new HubError('INVALID_QUERY', 'A query parameter is not valid.', { errors });

/**
 * The query of a target, checked by its schema. Numbers, booleans and lists are read as such if the schema expects them.
 * A list is separated by commas, repeats its name (`types=a&types=b`), also as `types[]`, or mixes these. Unknown and
 * malformed parameters are refused, and repeated ones that are no list.
 */
export function readQuery<Query>(schema: z.ZodMiniType<Query> | undefined, target: string): Query {
  const start = target.indexOf('?');
  if (start === -1 && schema !== undefined) return emptyQuery(schema);
  const sent = start === -1 ? {} : decodePairs(schema, target.slice(start + 1));
  if (schema === undefined) {
    const unknown = Object.keys(sent);
    if (unknown.length > 0)
      throw refuse(unknown.map((name) => fieldError(`?${name}`, 'UNKNOWN', ...faultWords('unknown_parameter'))));
    return undefined as Query;
  }
  const typed = Object.fromEntries(
    Object.entries(sent).map(([name, text]) => [name, decodeText(typeOfParameter(schema, name), text, name)]),
  );
  return parseQuery(schema, typed);
}

/** Most requests have no query, and it reads the same each time. */
const emptyQueries = new WeakMap<z.ZodMiniType, unknown>();

function emptyQuery<Query>(schema: z.ZodMiniType<Query>): Query {
  const known = emptyQueries.get(schema) as Query | undefined;
  if (known !== undefined) return known;
  const query = parseQuery(schema, {});
  emptyQueries.set(schema, Object.freeze(query));
  return query;
}

function parseQuery<Query>(schema: z.ZodMiniType<Query>, typed: Readonly<Record<string, unknown>>): Query {
  const result = z.safeParse(schema, typed);
  if (result.success) return result.data;
  throw refuse(
    fieldErrorsFrom(result.error.issues, typed).map((error) => ({
      ...error,
      pointer: `?${error.pointer.slice(1).split('/')[0] ?? ''}`,
    })),
  );
}

/** The text of each parameter; that of a repeated list is joined by commas. */
function decodePairs(schema: z.ZodMiniType | undefined, query: string): Record<string, string> {
  const found = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sent = decodeComponent(equals === -1 ? pair : pair.slice(0, equals));
    const bare = sent.endsWith('[]') ? sent.slice(0, -2) : sent;
    const isList = typeOfParameter(schema, bare) === 'array';
    const name = isList ? bare : sent;
    const before = found.get(name);
    if (before !== undefined && !isList)
      throw refuse([fieldError(`?${name}`, 'INVALID_VALUE', ...faultWords('occurs_twice'))]);
    const text = equals === -1 ? '' : decodeComponent(pair.slice(equals + 1));
    found.set(name, before === undefined ? text : `${before},${text}`);
  }
  return Object.fromEntries(found);
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw refuse([fieldError(`?${text}`, 'INVALID_FORMAT', ...faultWords('broken_escape'))]);
  }
}

/** Type of a parameter's schema (`number`, `boolean`, `array`, …) without its optional and default. */
function typeOfParameter(schema: z.ZodMiniType | undefined, name: string): string | undefined {
  if (!(schema instanceof z.ZodMiniObject) || !Object.hasOwn(schema.def.shape, name)) return undefined;
  let inner: z.core.$ZodType | undefined = schema.def.shape[name];
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniDefault) inner = inner.def.innerType;
  return inner?._zod.def.type;
}

/** Text that does not read as the expected type is left for the schema to refuse. */
function decodeText(type: string | undefined, text: string, name: string): unknown {
  if (type === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|1)$/.test(text)) return true;
  if (type === 'boolean' && /^(?:false|0)$/.test(text)) return false;
  if (type === 'array') {
    const items = text.split(',', MAX_ITEMS + 1);
    if (items.length > MAX_ITEMS) {
      const most = limit('most', { most: MAX_ITEMS });
      throw refuse([fieldError(`?${name}`, 'TOO_LONG', `must have at most ${MAX_ITEMS}`, most)]);
    }
    return items;
  }
  return text;
}
