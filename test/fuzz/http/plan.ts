import * as fc from 'fast-check';
import { almostValid, hostileBody, hostileText } from './hostile-value.ts';
import type { Operation, Parameter } from './operation.ts';
import { valueOf } from './schema-value.ts';

/** Fills a parameter of the path: the n-th existing thing of its kind, or text. */
export type PathPart = { readonly index: number } | { readonly text: string };
/** A request without its ids: a plan can be sent again with other ids, to find the smallest that fails. */
export type Plan = {
  readonly operation: Operation;
  readonly method: string;
  readonly caller: string;
  readonly parts: Readonly<Record<string, PathPart>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly pathTwist: PathTwist | null;
  readonly tokenTwist: TokenTwist | null;
};
export type PathTwist = { readonly how: (typeof PATH_TWISTS)[number]; readonly at: number };
export type TokenTwist = { readonly how: (typeof TOKEN_TWISTS)[number]; readonly at: number };

export const PATH_TWISTS = [
  'double slash',
  'dot segment',
  'parent segment',
  'escaped dots',
  'escaped letter',
  'escaped slash',
  'backslash',
  'trailing slash',
  'upper case',
  'suffix',
  'semicolon',
  'null',
  'fullwidth',
  'overlong',
  'fragment',
  'space',
  'method override',
] as const;
export const TOKEN_TWISTS = [
  'flip',
  'cut',
  'grow',
  'swap parts',
  'no signature',
  'head none',
  'claims',
  'upper case',
  'space',
  'twice',
  'quotes',
] as const;

const MEDIA_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-7',
  'application/jsonx',
  'APPLICATION/JSON',
  'application/json;',
  '',
  'application/merge-patch+json',
  'application/vnd.sqlite3',
  'image/svg+xml',
];
const METHODS = ['PUT', 'OPTIONS', 'TRACE', 'HEAD', 'POST', 'GET', 'PATCH', 'DELETE', 'PROPFIND'];
const STRANGE_HEADERS: readonly (readonly [string, string])[] = [
  ['Origin', 'null'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'http://192.168.1.2'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/api/v1/login'],
  ['Accept', 'text/html'],
  ['Accept', 'image/png;q=0'],
  ['Accept-Encoding', 'gzip, br;q=0, *;q=1'],
  ['Accept-Encoding', 'br;q=0.001, GZIP ; Q=0.000, zstd'],
  ['Accept-Encoding', 'gzip;q=0, deflate, *;q=0'],
  ['Expect', '100-continue'],
  ['Range', 'bytes=0-0'],
  ['If-Modified-Since', 'never'],
  ['If-None-Match', '*'],
  ['If-None-Match', `"${'a'.repeat(2_000)}"`],
  ['If-Match', '*'],
  ['If-Match', 'W/"1"'],
  ['Content-Encoding', 'gzip'],
  ['Cookie', 'access_token=x; session=y'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Idempotency-Key', 'a'],
  ['Last-Event-ID', '-1'],
  ['X-Long', 'x'.repeat(7_000)],
  ['X-Longer', 'x'.repeat(9_000)],
];

type Fairness = 'valid' | 'almost' | 'hostile';

/** How clients spell a list of a query, from its commas. */
const LIST_SPELLINGS: readonly ((pair: readonly [string, string]) => Plan['query'])[] = [
  (pair) => [pair],
  ([name, list]) => list.split(',').map((item) => [name, item]),
  ([name, list]) => list.split(',').map((item) => [`${name}[]`, item]),
  ([name, list]) => [
    [name, list],
    [`${name}[]`, list],
  ],
];

/** Parameters whose good values no schema tells. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  series: ['kitchen-ceiling/on', 'kitchen-ceiling/brightness,hallway-motion/motion'],
  from: ['-1h', '-30d', '2026-01-01T00:00:00Z'],
  to: ['-1m', '2026-06-01T00:00:00Z'],
};

/** About nothing that a request removes, but one may mark the lamp as sensitive. */
const RULE = {
  allow_sensitive: ['kitchen-ceiling'],
  name: 'Evening',
  triggers: [{ type: 'time', at: '18:00' }],
  steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
};
/** Good bodies of calls whose example in the document is about another home, or about what requests remove. */
const GOOD_BODIES: Readonly<Record<string, unknown>> = {
  // All devices of a room may have been moved elsewhere.
  'POST /api/v1/command': { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } },
  // Nothing names this lamp that would not fit another one.
  'POST /api/v1/automation/replace_device': { from: 'hallway-ceiling', to: 'living-room-lamp', dry_run: true },
  'PATCH /api/v1/presence/{id}': { away_after_s: 900 },
  'POST /api/v1/automation': RULE,
  'POST /api/v1/automation_validation': RULE,
  'PUT /api/v1/automation/{selector}': RULE,
  // Short, because the time that a replay may take runs out a hundred times as fast here.
  'POST /api/v1/automation_simulation': {
    definition: { triggers: [{ type: 'hook' }], steps: [{ delay: { s: 1 } }] },
    from: '-1h',
  },
  'PATCH /api/v1/me': { name: 'Ada' },
};

const fairQuery = (parameter: Parameter): fc.Arbitrary<string> => {
  const any = valueOf(parameter.schema).map((value) => (Array.isArray(value) ? value.join(',') : String(value)));
  const good = GOOD[parameter.name];
  return good === undefined ? any : fc.oneof(fc.constantFrom(...good), any);
};

function queryOf({ parameters }: Operation, fairness: Fairness): fc.Arbitrary<Plan['query']> {
  const pairs = parameters
    .filter((one) => one.in === 'query')
    .map((one) => {
      // The lane would wait for the end of a long poll.
      const value = one.name === 'wait' ? fc.constantFrom('0', '0', '1') : fairQuery(one);
      return fc.tuple(fc.constant(one.name), fairness === 'valid' ? value : fc.oneof(value, hostileText));
    });
  const strange = fc.tuple(fc.constantFrom('access_token', 'token', '__proto__', 'limit', 'x', ''), hostileText);
  const extra =
    fairness === 'valid' ? fc.constant([]) : fc.array(strange, { maxLength: fairness === 'almost' ? 1 : 2 });
  const known = pairs.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...pairs), { maxLength: 2 });
  const required = parameters
    .filter((one) => one.in === 'query' && one.required === true && fairness === 'valid')
    .map((one) => fc.tuple(fc.constant(one.name), fairQuery(one)));
  const lists = new Set(parameters.flatMap(({ name, schema }) => (schema['type'] === 'array' ? [name] : [])));
  return fc
    .tuple(fc.tuple(...required), known, extra, fc.constantFrom(...LIST_SPELLINGS))
    .map(([first, left, right, spell]) => [
      ...[...(fairness === 'valid' ? new Map([...first, ...left]) : left)].flatMap((pair) =>
        lists.has(pair[0]) ? spell(pair) : [pair],
      ),
      ...right,
    ]);
}

function partsOf({ path }: Operation, fairness: Fairness): fc.Arbitrary<Plan['parts']> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const known: fc.Arbitrary<PathPart> = fc.record({ index: fc.nat(1_000) });
  const strange: fc.Arbitrary<PathPart> = fc.oneof(
    fc.record({ text: hostileText.map(encodeURIComponentSafely) }),
    fc.record({ text: fc.uuid() }),
    fc.record({ text: fc.constantFrom('none', '..', '%2e%2e', 'x%', '%ff', 'a%2fb', '0', 'undefined', '*') }),
  );
  const part = fc.oneof(
    { weight: fairness === 'hostile' ? 1 : 19, arbitrary: known },
    { weight: 1, arbitrary: strange },
  );
  return fc.record(Object.fromEntries(names.map((name) => [name, part])), { noNullPrototype: true });
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 3_000) || 'x';
}

function bodyOf(operation: Operation, fairness: Fairness): fc.Arbitrary<Buffer | null> {
  if (operation.mediaTypes.length === 0) {
    const unasked = fc.constantFrom(null, Buffer.from('{}'), Buffer.from('x'.repeat(70_000)));
    return fairness === 'hostile' ? unasked : fc.constant(null);
  }
  // Never a good backup to restore: that would replace the home of the other requests.
  if (operation.body === undefined) return fc.uint8Array({ maxLength: 9_000 }).map((bytes) => Buffer.from(bytes));
  const generated = valueOf(operation.body);
  const good = [GOOD_BODIES[`${operation.method} ${operation.path}`], operation.example];
  const prepared = good.filter((body) => body !== undefined).map((body) => fc.constant(body));
  const fair = fc.oneof(...prepared, generated);
  if (fairness === 'hostile') return hostileBody(fair).map((bytes) => withoutStrangers(operation, bytes));
  return (fairness === 'almost' ? almostValid(fair) : fair).map((value) =>
    withoutStrangers(operation, Buffer.from(JSON.stringify(value))),
  );
}

/** Addresses that the hub would call are on this machine. */
function withoutStrangers({ path }: Operation, bytes: Buffer): Buffer {
  if (!/webhook|channel|exporter|integration/.test(path)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(/:(?:\/|\\\/){2}[^"]*/g, '://127.0.0.1:9/hook'), 'latin1');
}

function headersOf(operation: Operation, fairness: Fairness): fc.Arbitrary<Readonly<Record<string, string>>> {
  const { mediaTypes, body, path } = operation;
  const own = fc.constantFrom(...(body === undefined ? [mediaTypes[0]] : mediaTypes)).map((type) => ({
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(path.endsWith('/event') ? { Accept: 'application/json' } : {}),
    ...(path.endsWith('/command') ? { Prefer: 'wait=0' } : {}),
  }));
  if (fairness === 'valid') return own;
  const strange = fc.oneof(
    fc.constantFrom(...STRANGE_HEADERS),
    fc.constantFrom(...MEDIA_TYPES).map((value) => ['Content-Type', value] as const),
    fc
      .constantFrom('Prefer', 'If-Match', 'Idempotency-Key', 'Accept', 'User-Agent')
      .chain((name) => hostileText.map((value) => [name, headerText(value)] as const)),
  );
  const size = fairness === 'almost' ? 1 : 2;
  return fc
    .tuple(own, fc.nat(2), fc.array(strange, { maxLength: size }))
    .map(([fields, dice, list]) => ({ ...fields, ...(dice === 0 ? Object.fromEntries(list) : {}) }));
}

/** What a client can send at all as the value of a header. */
function headerText(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
    .slice(0, 3_000);
}

function planOf(operation: Operation, fairness: Fairness, callers: fc.Arbitrary<string>): fc.Arbitrary<Plan> {
  const twist = <How extends string>(hows: readonly How[], weight: number) =>
    fairness === 'valid'
      ? fc.constant(null)
      : fc.oneof(
          { weight: 10, arbitrary: fc.constant(null) },
          { weight, arbitrary: fc.record({ how: fc.constantFrom(...hows), at: fc.nat(400) }) },
        );
  return fc.record({
    operation: fc.constant(operation),
    method:
      fairness === 'hostile'
        ? fc.oneof(
            { weight: 9, arbitrary: fc.constant(operation.method) },
            { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
          )
        : fc.constant(operation.method),
    caller: callers,
    parts: partsOf(operation, fairness),
    query: queryOf(operation, fairness),
    headers: headersOf(operation, fairness),
    body: bodyOf(operation, fairness),
    pathTwist: twist(PATH_TWISTS, 2),
    tokenTwist: twist(TOKEN_TWISTS, 3),
  });
}

/** Requests that the owner may make, as the document has them. */
export function fairPlan(operations: readonly Operation[]): fc.Arbitrary<Plan> {
  return fc.oneof(...operations.map((operation) => planOf(operation, 'valid', fc.constant('owner'))));
}

/** Requests to all operations alike: valid, almost valid and hostile ones. */
export function arbitraryPlan(operations: readonly Operation[], callers: readonly string[]): fc.Arbitrary<Plan> {
  const caller = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('owner') },
    { weight: 3, arbitrary: fc.constantFrom(...callers) },
  );
  const one = (fairness: Fairness) => fc.oneof(...operations.map((operation) => planOf(operation, fairness, caller)));
  return fc.oneof(
    { weight: 4, arbitrary: one('valid') },
    { weight: 3, arbitrary: one('almost') },
    { weight: 3, arbitrary: one('hostile') },
  );
}
