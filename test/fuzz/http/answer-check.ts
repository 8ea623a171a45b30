import { type CheckAnswer, createContractCheck, readContract } from '#test/support/daemon/contract-check.ts';
import { codingsRefused } from './answer-coding.ts';
import { mayCall } from './callers.ts';
import type { FuzzAnswer } from './fuzz-client.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { createOperationFinder, type Operation, plainPath } from './operation.ts';

export type AnswerCheck = (request: FuzzRequest, answer: FuzzAnswer | undefined) => readonly string[];

/** Codes of failures that are not the hub's own, such as a program that is not running. */
const FOREIGN_FAULTS = new Set(['INTEGRATION_DOWN', 'HTTP_VERSION_NOT_SUPPORTED']);
/** Wait for the next event or command where they are asked to. */
const WAITS: ReadonlySet<string | undefined> = new Set(['/api/v1/event', '/api/v1/provider/{name}/command']);
const ROOM_OF_DEVICE = /"room":(?:null|\{"id":"[0-9a-f-]+","selector":"([^"]*)")/g;
const LEAKS =
  /\bat .*\.(?:ts|mjs|js):\d|node_modules|\/tmp\/|SQLITE_|sqlite3-wasm|node:internal|TypeError|ReferenceError/;

/** Lists what is wrong with an answer: a failure, a success without the right, a breach of the document. */
export function createAnswerCheck(operations: readonly Operation[]): AnswerCheck {
  const find = createOperationFinder(operations);
  const checkContract = createContractCheck(readContract());
  return (request, answer) => {
    const operation = find(request.method, request.target);
    if (answer === undefined) return WAITS.has(operation?.path) ? [] : ['no answer'];
    return [
      ...findFaults(request, answer),
      ...findCodingErrors(request, answer),
      ...findBypass(request, answer, operation),
      ...findLostRights(request, answer, operation),
      ...findContractErrors(request, answer, checkContract),
    ];
  };
}

const isApi = (target: string): boolean => /^\/(?:api|problems)(?:[/?]|$)/.test(target);

function findFaults({ target }: FuzzRequest, { status, body }: FuzzAnswer): string[] {
  const leak = status >= 400 ? LEAKS.exec(body)?.[0] : undefined;
  const isForeign = status >= 500 && FOREIGN_FAULTS.has(codeOf(body) ?? '');
  // One backup is restored at a time, eight exports run and one import, and six simulations are under way or wait.
  const isTaken =
    /^\/api\/v1\/(?:backup\/|history\/(?:export|import)|automation_simulation)/.test(target) &&
    codeOf(body) === 'OVERLOADED';
  return [
    ...(status >= 500 && !isForeign && !isTaken ? [`the hub failed: ${status} ${codeOf(body) ?? ''}`] : []),
    ...(leak === undefined ? [] : [`the answer tells of the inside: ${leak}`]),
  ];
}

function findCodingErrors({ headers }: FuzzRequest, { headers: fields, garbled }: FuzzAnswer): string[] {
  const refused = codingsRefused(fields.get('content-encoding'), headers['Accept-Encoding']);
  return [
    ...refused.map((name) => `the request does not accept the coding ${name}`),
    ...(garbled === undefined ? [] : [garbled]),
  ];
}

function codeOf(body: string): string | undefined {
  return /"code":"([A-Z_]+)"/.exec(body)?.[1];
}

/** Finds a success without the right. Pages are no calls, and open to everyone. */
function findBypass(
  { method, target, caller }: FuzzRequest,
  { status, body }: FuzzAnswer,
  operation: Operation | undefined,
): string[] {
  if (status >= 400) return [];
  if (operation === undefined) {
    const isPage = !isApi(target) && (method === 'GET' || method === 'HEAD');
    const isPreflight = method === 'OPTIONS' && status === 204 && body === '';
    return isPage || isPreflight ? [] : [`bypass: ${status} where the document has nothing`];
  }
  if (!mayCall(caller, operation)) return [`bypass: ${status} for ${caller.name}, who lacks ${operation.access}`];
  if (caller.room === undefined || !operation.path.startsWith('/api/v1/device')) return [];
  const foreign = [...body.matchAll(ROOM_OF_DEVICE)].find(([, selector]) => selector !== caller.room);
  return foreign === undefined ? [] : [`bypass: ${caller.name} sees a device in ${foreign[1] ?? 'no room'}`];
}

/** Finds a live token that the hub refused. */
function findLostRights({ caller, doomedRole }: FuzzRequest, answer: FuzzAnswer, operation: Operation | undefined) {
  if (answer.status !== 401 || operation === undefined || operation.access === 'public') return [];
  return caller.kind === 'stranger' || doomedRole !== undefined ? [] : [`the live token of ${caller.name} is refused`];
}

function findContractErrors(
  { method, target }: FuzzRequest,
  { status, headers, body, garbled }: FuzzAnswer,
  check: CheckAnswer,
): readonly string[] {
  if (garbled !== undefined || !isApi(target) || method === 'OPTIONS') return [];
  const common = ['x-request-id', 'x-content-type-options', ...(target.startsWith('/api') ? ['cache-control'] : [])];
  const missing = common.filter((name) => !headers.has(name));
  try {
    // A query may ask for another form of the answer.
    const query = target
      .split('?')
      .slice(1, 2)
      .map((asked) => `?${asked}`);
    const findings = check({ method, target: [plainPath(target), ...query].join(''), status, headers, body });
    return [...missing.map((name) => `the header ${name} is missing`), ...findings];
  } catch (cause) {
    if (cause instanceof SyntaxError) return [`the body is no JSON: ${cause.message}`];
    throw cause;
  }
}
