import { readContract } from '#test/support/daemon/contract-check.ts';
import type { Route } from '#http/routing/route.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};
/** One method on one path of the OpenAPI document, and who may call it. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly access: Route['access'];
  readonly parameters: readonly Parameter[];
  /** Media types of the body; none where there is none. */
  readonly mediaTypes: readonly string[];
  readonly body: Schema | undefined;
  readonly example: unknown;
};

type DocumentedOperation = {
  readonly parameters?: readonly ({ readonly $ref: string } | Parameter)[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
  };
};

const contract = readContract();

/** What a reference of the document points to. */
export function resolveRef(ref: string): unknown {
  let at: unknown = contract;
  for (const step of ref.split('/').slice(1)) at = (at as Record<string, unknown>)[step];
  return at;
}

/**
 * Every operation of the document. The document says which right a call needs but not whether a login will do, which
 * the table of routes says; both must name the same calls.
 */
export function readOperations(routes: readonly Pick<Route, 'method' | 'path' | 'access'>[]): readonly Operation[] {
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) =>
      operationOf(`${method.toUpperCase()} ${path}`, documented as DocumentedOperation, routes),
    ),
  );
  if (operations.length !== routes.length) throw new Error('the document and the table of routes differ');
  return operations;
}

function operationOf(
  line: string,
  { parameters = [], requestBody }: DocumentedOperation,
  routes: readonly Pick<Route, 'method' | 'path' | 'access'>[],
): Operation {
  const [method = '', path = ''] = line.split(' ');
  const routePath = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const route = routes.find((one) => one.method === method && one.path === routePath);
  if (route === undefined) throw new Error(`${line} is in the document and not in the table of routes`);
  const mediaTypes = Object.keys(requestBody?.content ?? {});
  const media = requestBody?.content[mediaTypes[0] ?? ''];
  return {
    method,
    path,
    access: route.access,
    parameters: parameters.map((one) => ('$ref' in one ? (resolveRef(one.$ref) as Parameter) : one)),
    mediaTypes,
    // A file has a schema too, which says no more than that.
    body: media?.schema?.['format'] === 'binary' ? undefined : media?.schema,
    example: media?.example,
  };
}

/** The calls of the specification may have a slash at the end, and one more at the beginning. */
const SLASHED = /^\/?(\/api\/v1\/(?:login|device|access_token))\/?$/;

export function plainPath(target: string): string {
  const sent = target.split('?')[0] ?? '';
  return SLASHED.exec(sent)?.[1] ?? sent;
}

/** The operation that a target asks for; a literal path goes before one with a name. */
export function createOperationFinder(
  operations: readonly Operation[],
): (method: string, target: string) => Operation | undefined {
  const rows = operations
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/?]+')}$`),
    }))
    .toSorted((left, right) => left.operation.path.split('{').length - right.operation.path.split('{').length);
  return (method, target) => {
    const path = plainPath(target);
    const asked = method === 'HEAD' ? 'GET' : method;
    return rows.find(({ operation, pattern }) => operation.method === asked && pattern.test(path))?.operation;
  };
}
