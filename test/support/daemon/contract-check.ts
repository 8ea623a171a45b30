import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

export const CONTRACT_PATH = join(import.meta.dirname, '../../contract/openapi.json');

type Schema = Record<string, unknown>;
type Answer = {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Schema; 'x-answer-with'?: Schema }>;
};
export type Operation = {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  responses: Record<string, Answer>;
  'x-problem-codes': string[];
};
export type Contract = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
};

export type SeenAnswer = {
  method: string;
  /** Path and query as asked for. */
  target: string;
  status: number;
  headers: Headers;
  body: string;
};

/** What every answer may have (api.md section 1), and what belongs to HTTP itself. */
const COMMON_HEADERS = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-request-id',
]);
/** Refusals that come before the hub has looked for a route. */
const ANYWHERE = new Set(['METHOD_NOT_ALLOWED', 'HTTP_VERSION_NOT_SUPPORTED', 'HUB_UNCLAIMED']);

export function readContract(): Contract {
  return JSON.parse(readFileSync(CONTRACT_PATH, 'utf8')) as Contract;
}

/** Lists how an answer differs from the document. */
export type CheckAnswer = (answer: SeenAnswer) => string[];

/** Reports fields that the document does not name as well: a client ignores them, but the document must have them. */
export function createContractCheck(contract: Contract): CheckAnswer {
  const findErrors = createSchemaCheck(contract);
  const patterns = Object.keys(contract.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // A literal path wins over one with a parameter, as in the router.
  const ordered = patterns.toSorted((left, right) => left.path.split('{').length - right.path.split('{').length);

  return (answer) => {
    const path = ordered.find(({ pattern }) => pattern.test(answer.target.split('?')[0] ?? ''))?.path;
    const method = (answer.method === 'HEAD' ? 'GET' : answer.method).toLowerCase();
    const operation = path === undefined ? undefined : contract.paths[path]?.[method];
    if (answer.status >= 400) return findProblemErrors(answer, operation, findErrors);
    if (path === undefined || operation === undefined)
      return [`${answer.method} ${answer.target} is not in the document`];
    const declared = operation.responses[String(answer.status)];
    if (declared === undefined) return [`${operation.operationId} does not declare ${answer.status}`];
    const at = `/paths/${escapeStep(path)}/${method}/responses/${answer.status}`;
    return [...findHeaderErrors(answer, declared, at), ...findBodyErrors(answer, declared, { at, findErrors })];
  };
}

/** How a value differs from the schema at this place of the document. */
type FindErrors = (pointer: string, value: unknown) => string[];

export function createSchemaCheck(contract: Contract): FindErrors {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(closed(withSparseDevice(contract)) as Schema, 'contract');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`];
  };
}

/** A list of devices with a `fields` parameter has only those fields. The document says so in words, not in the schema. */
export function isSparse(target: string): boolean {
  return /^\/api\/v1\/device\?(?:.*&)?fields=/.test(target);
}

function withSparseDevice({ components, ...rest }: Contract): Contract {
  const schemas = { ...components.schemas, SparseDevice: { ...components.schemas['Device'], required: [] } };
  return { ...rest, components: { ...components, schemas } };
}

function findProblemErrors(answer: SeenAnswer, operation: Operation | undefined, findErrors: FindErrors): string[] {
  if (answer.method === 'HEAD') return [];
  if (answer.headers.get('content-type') !== 'application/problem+json') return ['a failure is not a problem'];
  const problem = JSON.parse(answer.body) as { code: string; status: number };
  const isDeclared =
    operation === undefined || operation['x-problem-codes'].includes(problem.code) || ANYWHERE.has(problem.code);
  return [
    ...findErrors('/components/schemas/Problem', problem),
    ...(problem.status === answer.status ? [] : ['the status of the problem is not that of the answer']),
    ...(isDeclared ? [] : [`${operation.operationId} does not declare ${problem.code}`]),
  ];
}

function findHeaderErrors({ headers }: SeenAnswer, declared: Answer, at: string): string[] {
  const names = new Set(Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase()));
  return [...headers.keys()]
    .filter((name) => !names.has(name) && !COMMON_HEADERS.has(name) && !name.startsWith('access-control-'))
    .map((name) => `${at} does not declare the header ${name}`);
}

function findBodyErrors(
  { method, target, headers, body }: SeenAnswer,
  declared: Answer,
  { at, findErrors }: { at: string; findErrors: FindErrors },
): string[] {
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (method === 'HEAD' || (body === '' && declared.content === undefined)) return [];
  const media = declared.content?.[type];
  if (media === undefined) return [`${at} does not declare ${type || 'a body'}`];
  if (!/[/+]json$/.test(type) || media.schema === undefined) return [];
  if (isSparse(target)) {
    return (JSON.parse(body) as unknown[]).flatMap((one) => findErrors('/components/schemas/SparseDevice', one));
  }
  const queries = new URLSearchParams(target.split('?')[1] ?? '');
  const other = Object.keys(media['x-answer-with'] ?? {}).find((query) => {
    const [name = '', value = ''] = query.split('=');
    return queries.get(name) === value || (value === 'true' && queries.get(name) === '1');
  });
  const place = other === undefined ? '' : `/x-answer-with/${escapeStep(other)}`;
  return findErrors(`${at}/content/${escapeStep(type)}${place}/schema`, JSON.parse(body));
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The same schemas, where an object has no other fields than those that are named, and there are no words or events but the known ones. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  if ('x-known' in value) return closed(value['x-known']);
  if ('x-types' in value) return { type: value['x-types'] };
  const entries = Object.entries(value).map(([key, item]) => [
    key === 'x-extensible-enum' ? 'enum' : key,
    closed(item),
  ]);
  const isOpen = 'properties' in value && 'type' in value && !('additionalProperties' in value) && !('oneOf' in value);
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) };
}
