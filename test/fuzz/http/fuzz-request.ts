import type { Callers, Caller } from './callers.ts';
import type { Pools } from './pools.ts';
import type { PathTwist, Plan, TokenTwist } from './plan.ts';

/** A request and its caller. */
export type FuzzRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** With a mutated token it is a stranger. */
  readonly caller: Caller;
  /** The role whose session the call may end. */
  readonly doomedRole: string | undefined;
};

const STRANGER: Omit<Caller, 'name'> = { kind: 'stranger', rights: new Set(), token: undefined };
/** They end sessions where they succeed. */
const ENDING = new Set(['POST /api/v1/logout', 'DELETE /api/v1/session', 'DELETE /api/v1/session/{id}']);

export async function requestFrom(plan: Plan, callers: Callers, pools: Pools): Promise<FuzzRequest> {
  const { operation, method, pathTwist, tokenTwist } = plan;
  const asked = callers.byName.get(plan.caller);
  if (asked === undefined) throw new Error(`there is no caller ${plan.caller}`);
  const isEnding = ENDING.has(`${method} ${operation.path}`) || (method === 'DELETE' && /session/.test(operation.path));
  const doomedRole = isEnding && asked.kind === 'session' ? asked.name : undefined;
  const token = doomedRole === undefined ? asked.token : await callers.doomed.take(doomedRole);
  const twisted = token === undefined || tokenTwist === null ? token : twistToken(token, tokenTwist);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = plan.parts[name] ?? { text: 'x' };
    return 'text' in part ? part.text : pools.take({ ...operation, name }, part.index);
  });
  const isPoll = operation.path.endsWith('/event') && !plan.query.some(([name]) => name === 'wait');
  const pairs = isPoll ? [...plan.query, ['wait', '0'] as const] : plan.query;
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const target = `${pathTwist === null ? path : twistPath(path, pathTwist)}${query === '' ? '' : `?${query}`}`;
  return {
    method,
    // More does not fit into the header section; the raw campaign tries that.
    target: target.slice(0, 6_000),
    headers: {
      ...plan.headers,
      ...(pathTwist?.how === 'method override' ? { 'X-HTTP-Method-Override': 'GET', 'X-Rewrite-URL': '/api' } : {}),
      ...(twisted === undefined ? {} : { Authorization: `Bearer ${twisted}` }),
    },
    body: plan.headers['Content-Type']?.startsWith('application/x-www-form') === true ? asForm(plan.body) : plan.body,
    caller: twisted === token ? asked : { ...STRANGER, name: `${asked.name} with a mutated token` },
    doomedRole: twisted === token ? doomedRole : undefined,
  };
}

/** The members of a JSON object as OAuth sends them; what is none stays as it is. */
function asForm(body: Buffer | null): Buffer | null {
  try {
    const form = new URLSearchParams();
    const members = JSON.parse(body?.toString() ?? '') as Readonly<Record<string, unknown>>;
    for (const [name, item] of Object.entries(members)) form.append(name, String(item));
    return Buffer.from(form.toString());
  } catch {
    return body;
  }
}

function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

type PathCut = { readonly path: string; readonly slash: number; readonly letter: number };
const insert = ({ path, slash }: PathCut, text: string): string => path.slice(0, slash) + text + path.slice(slash);
const overSlash = ({ path, slash }: PathCut, text: string): string =>
  path.slice(0, slash) + text + path.slice(slash + 1);
const overLetter = ({ path, letter }: PathCut, text: string): string =>
  path.slice(0, letter) + text + path.slice(letter + 1);
const wide = ({ path, letter }: PathCut): string => String.fromCodePoint(path.charCodeAt(letter) + 0xfe_e0);

const TWISTED_PATHS: Readonly<Record<PathTwist['how'], (cut: PathCut) => string>> = {
  'double slash': (cut) => insert(cut, '/'),
  'dot segment': (cut) => insert(cut, '/.'),
  'parent segment': (cut) => insert(cut, '/x/..'),
  'escaped dots': (cut) => insert(cut, '/x/%2e%2E'),
  'escaped letter': (cut) => overLetter(cut, `%${cut.path.charCodeAt(cut.letter).toString(16)}`),
  'escaped slash': (cut) => overSlash(cut, '%2f'),
  backslash: (cut) => overSlash(cut, '\\'),
  'trailing slash': ({ path }) => `${path}/`,
  'upper case': (cut) => overLetter(cut, cut.path.charAt(cut.letter).toUpperCase()),
  suffix: ({ path }) => `${path}.json`,
  semicolon: (cut) => insert(cut, ';x=1'),
  null: ({ path }) => `${path}%00`,
  fullwidth: (cut) => overLetter(cut, encodeURIComponent(wide(cut))),
  overlong: (cut) => overSlash(cut, '%c0%af'),
  fragment: ({ path }) => `${path}#/api`,
  space: ({ path }) => `${path}%20`,
  'method override': ({ path }) => path,
};

function twistPath(path: string, { how, at }: PathTwist): string {
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  return TWISTED_PATHS[how]({
    path,
    slash: slashes[at % slashes.length] ?? 0,
    letter: Math.max(1, at % path.length),
  });
}

const base64Json = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const partsOf = (token: string): readonly [string, string, string] => {
  const [head = '', claims = '', signature = ''] = token.split('.');
  return [head, claims, signature];
};

const TWISTED_TOKENS: Readonly<Record<TokenTwist['how'], (token: string, index: number) => string>> = {
  flip: (token, index) => token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1),
  cut: (token, index) => token.slice(0, index),
  grow: (token, index) => `${token.slice(0, index)}A${token.slice(index)}`,
  'swap parts': (token) => partsOf(token).toReversed().join('.'),
  'no signature': (token) => `${partsOf(token).slice(0, 2).join('.')}.`,
  'head none': (token) => `${base64Json({ alg: 'none', typ: 'at+jwt' })}.${partsOf(token)[1]}.`,
  claims: (token) => {
    const [head, claims, signature] = partsOf(token);
    return `${head}.${base64Json({ ...claimsOf(claims), role: 'owner', exp: 9_999_999_999 })}.${signature}`;
  },
  'upper case': (token) => token.toUpperCase(),
  space: (token, index) => `${token.slice(0, index)} ${token.slice(index)}`.trim(),
  twice: (token) => `${token}, Bearer ${token}`,
  quotes: (token) => `"${token}"`,
};

function twistToken(token: string, { how, at }: TokenTwist): string {
  return TWISTED_TOKENS[how](token, at % Math.max(1, token.length));
}

function claimsOf(claims: string): object {
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
  } catch (cause) {
    if (cause instanceof SyntaxError) return {};
    throw cause;
  }
}

/** The request as a line for a shell, to try it by hand. */
export function curlLine(address: string, { method, target, headers, body }: FuzzRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const text = body?.toString() ?? '';
  // Bytes that a shell or UTF-8 cannot carry go through base64.
  const isPlain = body === null || (/^[ -~]*$/.test(text) && text.length < 2_000);
  const data = body === null ? '' : isPlain ? ` --data-raw ${quote(text)}` : ' --data-binary @-';
  const source = isPlain ? '' : `base64 -d <<< ${body.toString('base64')} | `;
  return `${source}curl -si --path-as-is -X ${method} ${fields.join(' ')}${data} ${quote(address + target)}`;
}
