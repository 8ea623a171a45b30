export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};
export type Media = { readonly schema?: Schema; readonly example?: unknown };
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
};
export type Body = { readonly description?: string; readonly content: Readonly<Record<string, Media>> };
type Header = { readonly description?: string };
export type Answer = {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Referable<Header>>>;
  readonly content?: Readonly<Record<string, Media>>;
};
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Referable<Parameter>[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Referable<Answer>>>;
  /** Calls that the hub makes to others because of this one, by name. */
  readonly callbacks?: Readonly<Record<string, Paths>>;
  readonly 'x-problem-codes'?: readonly string[];
};
type Referable<Value> = Value | { readonly $ref: string };
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
/** One call of the API; `isOutgoing` if the hub makes it to others. */
export type Call = {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly isOutgoing: boolean;
};

export function callsOf({ paths }: OpenApi): readonly Call[] {
  const read = (from: Paths, isOutgoing: boolean): readonly Call[] =>
    Object.entries(from).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        isOutgoing,
      })),
    );
  const calls = read(paths, false);
  const callbacks = calls.flatMap(({ operation }) => Object.values(operation.callbacks ?? {}));
  return [...calls, ...callbacks.flatMap((callback) => read(callback, true))];
}

export function nameOfReference(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Follows a reference within the document; returns anything else as it is. */
export function resolve<Value extends object>(api: OpenApi, value: Referable<Value>): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  let found: unknown = api;
  for (const step of value.$ref.slice(2).split('/')) {
    found = (found as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found as Value;
}

/** The document with each list of words where it is used: a reader wants the words and not the name of the list. */
export function withWordLists(api: OpenApi): OpenApi {
  return JSON.parse(JSON.stringify(api), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as Schema;
    const found = resolve<Schema>(api, $ref === undefined ? own : { $ref });
    const words = found.enum ?? found['x-extensible-enum'];
    return words === undefined ? value : { ...found, ...own, enum: words };
  }) as OpenApi;
}

const MAX_SAMPLE_DEPTH = 6;

/** An example that the schema accepts, with nothing but the required fields. */
export function sampleOf(api: OpenApi, shape: Schema, depth = 0): unknown {
  const schema = resolve(api, shape);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined && depth < MAX_SAMPLE_DEPTH) return sampleOf(api, first, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    if (depth >= MAX_SAMPLE_DEPTH) return {};
    const fields = (schema.required ?? []).map((name) => {
      const field = schema.properties?.[name];
      return [name, field === undefined ? null : sampleOf(api, field, depth + 1)] as const;
    });
    return Object.fromEntries(fields);
  }
  if (type === 'array') return [];
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  return type === 'number' || type === 'integer' ? (schema.minimum ?? 0) : null;
}
