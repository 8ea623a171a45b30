import { type Direction, findSchemaBreaks, type Schema } from './schema-breaks.ts';

type Content = Record<string, { schema?: Schema }>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Answer = { headers?: Record<string, unknown>; content?: Content };
type Operation = {
  operationId: string;
  security: readonly Record<string, readonly string[]>[];
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Answer | { $ref: string }>;
  'x-problem-codes'?: readonly string[];
  /** It serves the hub's own page: no part of the promise. */
  'x-internal'?: true;
};
/** As much of an OpenAPI document as decides what a client can rely on. */
export type ApiDocument = { paths: Record<string, Record<string, Operation>>; components?: unknown };

type Sides = { before: ApiDocument; after: ApiDocument };

/**
 * Everything in `after` that breaks a client written for `before`: removed or narrowed paths, methods, parameters,
 * fields, types, enum members, media types, statuses, headers and codes, and whatever is newly asked for.
 */
export function findBreakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const sides = { before, after };
  return Object.entries(before.paths).flatMap(([path, methods]) => {
    const promised = Object.entries(methods).filter(([, was]) => was['x-internal'] !== true);
    return promised.flatMap(([method, was]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const is = after.paths[path]?.[method];
      return is === undefined ? [`${at}: is gone`] : findOperationBreaks(sides, { at, was, is });
    });
  });
}

type Pair<Kind> = { at: string; was: Kind; is: Kind };

function findOperationBreaks(sides: Sides, { at, was, is }: Pair<Operation>): string[] {
  const isOpenTo = (rights: Record<string, readonly string[]>): boolean =>
    is.security.length === 0 || is.security.some((other) => JSON.stringify(other) === JSON.stringify(rights));
  const waysIn = was.security.length === 0 ? [{}] : was.security;
  const codes = was['x-problem-codes'] ?? [];
  return [
    ...(is['x-internal'] === true ? [`${at}: is no part of the promise any more`] : []),
    ...(was.operationId === is.operationId ? [] : [`${at}: is called ${is.operationId} now`]),
    ...(waysIn.every(isOpenTo) ? [] : [`${at}: asks for other rights`]),
    ...findParameterBreaks(sides, { at, was, is }),
    ...findBodyBreaks(sides, { at, was, is }),
    ...Object.entries(was.responses).flatMap(([status, answer]) => {
      const other = is.responses[status];
      if (other === undefined) return [`${at} ${status}: is gone`];
      const pair = { was: resolved(sides.before, answer), is: resolved(sides.after, other) };
      return findAnswerBreaks(sides, { at: `${at} ${status}`, ...pair });
    }),
    ...codes.filter((code) => is['x-problem-codes']?.includes(code) !== true).map((code) => `${at}: has no ${code}`),
  ];
}

function findParameterBreaks(sides: Sides, { at, was, is }: Pair<Operation>): string[] {
  const named = (document: ApiDocument, { parameters = [] }: Operation): Map<string, Parameter> =>
    new Map(
      parameters.map((one) => resolved(document, one)).map((one) => [`${one.in} parameter ${one.name}`, one] as const),
    );
  const before = named(sides.before, was);
  const after = named(sides.after, is);
  const asked = [...after].filter(([name, one]) => one.required === true && before.get(name)?.required !== true);
  return [
    ...asked.map(([name]) => `${at} ${name}: is required now`),
    ...[...before].flatMap(([name, one]) => {
      const other = after.get(name);
      if (other === undefined) return [`${at} ${name}: is gone`];
      return compare(sides, 'sent', { before: one.schema, after: other.schema, at: `${at} ${name}` });
    }),
  ];
}

function findBodyBreaks(sides: Sides, { at, was, is }: Pair<Operation>): string[] {
  const place = `${at} body`;
  if (is.requestBody === undefined) return was.requestBody === undefined ? [] : [`${place}: is gone`];
  const required = is.requestBody.required === true && was.requestBody?.required !== true;
  return [
    ...(required ? [`${place}: is required now`] : []),
    ...findContentBreaks(sides, 'sent', { at: place, was: was.requestBody?.content, is: is.requestBody.content }),
  ];
}

function findAnswerBreaks(sides: Sides, { at, was, is }: Pair<Answer>): string[] {
  return [
    ...Object.keys(was.headers ?? {})
      .filter((name) => is.headers?.[name] === undefined)
      .map((name) => `${at} header ${name}: is gone`),
    ...findContentBreaks(sides, 'given', { at, was: was.content, is: is.content }),
  ];
}

function findContentBreaks(
  sides: Sides,
  direction: Direction,
  { at, was = {}, is = {} }: Pair<Content | undefined>,
): string[] {
  return Object.entries(was).flatMap(([type, media]) => {
    const other = is[type];
    if (other === undefined) return [`${at} ${type}: is gone`];
    return compare(sides, direction, { before: media.schema ?? {}, after: other.schema ?? {}, at: `${at} ${type}` });
  });
}

function compare(sides: Sides, direction: Direction, pair: { before: Schema; after: Schema; at: string }): string[] {
  const resolve = (schema: Schema, side: 'before' | 'after'): Schema => resolved(sides[side], schema);
  return findSchemaBreaks(pair, { direction, resolve, seen: new Set() });
}

/** What a local reference leads to. */
function resolved<Kind extends object>(document: ApiDocument, value: Kind | { $ref: string }): Kind {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Kind;
  let found: unknown = document;
  for (const step of value.$ref.slice(2).split('/')) {
    found = (found as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return resolved(document, found as Kind);
}
