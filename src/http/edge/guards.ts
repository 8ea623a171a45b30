import type { Audit } from '#auth/audit/audit.ts';
import type { Clock } from '#base/time/clock.ts';
import { type Log, createLogTurn } from '#base/log.ts';
import { HubError } from '#base/hub-error.ts';
import { type Guard, type CorsRule, type RequestFacts, headerValues, pathOfTarget } from './request-facts.ts';

type GuardChainDeps = {
  readonly rule: OriginRule;
  readonly audit: Pick<Audit, 'record'>;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** Zones that no name server of the internet may answer for. */
const HOME_ZONES = ['.home.arpa', '.internal', '.lan', '.home'];
const HOUR_MS = 3_600_000;
const PROXY_FIELD =
  /^(?:forwarded|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-forwarded-for|x-envoy-.*|true-client-ip|fly-.*|via|cdn-loop|cf-.*|tailscale-.*)$/i;
const CORS_METHODS = 'GET, POST, PATCH, PUT, DELETE';
const CORS_REQUEST_FIELDS =
  'Accept, Authorization, Content-Type, Hearthd-Hook, Hearthd-Wall, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer';
const CORS_ANSWER_FIELDS =
  'Deprecation, ETag, Event-Cursor, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Total-Count';
const PREFLIGHT_KEPT_S = 600;
const MAX_FIELDS = 64;
const SINGLE_FIELDS = ['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding'];
/** Printable ASCII but the fragment sign; a target in absolute form fails at its first character. */
const TARGET = /^\/[!"$-~]*$/;
/** Two programs could read such a path as different paths. */
const AMBIGUOUS_PATH = /\/\/|\\|%2f|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)/i;
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;
const AUTHORITY = /^(?:\[([0-9a-f:.]+(?:%(?:25)?[\w.~-]+)?)\]|([a-z0-9_.-]+))(?::\d{0,5})?$/;

/**
 * The guards of a request in their order; the first one that refuses it answers it, before any routing. Peers are
 * refused earlier, with their connection (`peer-guard.ts`).
 */
export function createGuardChain({ rule, audit, log, clock }: GuardChainDeps): readonly Guard[] {
  /** For guards whose refusals the audit log keeps, with the peer. */
  const noted =
    (guard: Guard): Guard =>
    (facts) => {
      const error = guard(facts);
      if (error === undefined) return undefined;
      void audit.record({ type: 'request.refused', peer: facts.peer, detail: error.code.toLowerCase() });
      return error;
    };
  return [
    noted(createHostGuard(rule)),
    noted(createForwardedGuard({ log, clock })),
    noted(createOriginGuard(rule)),
    refuseMalformed,
  ];
}

type HostRule = {
  /** True for an IP literal of the LAN or of loopback. */
  readonly isLanLiteral: (address: string) => boolean;
  /** The current names of the hub in lower case: of the machine, advertised and configured. */
  readonly names: () => ReadonlySet<string>;
};

/**
 * The defence against DNS rebinding (N5): a page whose name was made to resolve to the hub's address still sends that
 * name. A public address as the host is the sign of a port forward.
 */
export function createHostGuard(rule: HostRule): Guard {
  return (facts) => {
    const text = facts.header('host');
    // The malformed guard refuses a request without this field.
    if (text === undefined) return undefined;
    const authority = readAuthority(text);
    if (authority === undefined) return new HubError('MALFORMED_REQUEST', 'The header field host is unreadable.');
    if (isHubHost(authority, rule)) return undefined;
    return new HubError(
      'MISDIRECTED_REQUEST',
      'Use the address of the hub in the local network, hearthd.local, or a name from network.hosts of its configuration.',
    );
  };
}

function isHubHost({ host, isIpv6 }: Authority, rule: HostRule): boolean {
  if (isIpv6 || /^[\d.]+$/.test(host)) return rule.isLanLiteral(host);
  return host === 'localhost' || rule.names().has(host) || HOME_ZONES.some((zone) => host.endsWith(zone));
}

/**
 * Refuses requests that came through a proxy or tunnel (N6): the whole internet may be behind it, and the hub would see
 * one neighbour. The hub never takes a client's address from these fields.
 */
export function createForwardedGuard(deps: { log: Log; clock: Pick<Clock, 'monotonicMs'> }): Guard {
  const takeTurn = createLogTurn(HOUR_MS, deps.clock.monotonicMs);
  return ({ rawHeaders, peer }) => {
    const field = findProxyField(rawHeaders);
    if (field === undefined) return undefined;
    const turn = takeTurn();
    if (turn !== undefined) {
      deps.log.warn(
        'a request came through a proxy or tunnel and was refused: the hub serves its local network only. ' +
          `Let clients call the hub directly, or stop the proxy on ${peer}`,
        { field: field.slice(0, 40), ...(turn.withheld === 0 ? {} : { refused_since_last_line: turn.withheld }) },
      );
    }
    return new HubError(
      'PROXIED_REQUEST',
      `Call the hub directly: a proxy added the header field ${field.slice(0, 40)}.`,
    );
  };
}

function findProxyField(rawHeaders: readonly string[]): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Some proxies write an underscore for the hyphen.
    if (mayBeProxyField(name) && PROXY_FIELD.test(name.replaceAll('_', '-'))) return name;
  }
  return undefined;
}

/** First letter c, f, t, v or x: most fields need no regular expression. */
function mayBeProxyField(name: string): boolean {
  const letter = name.charCodeAt(0) | 0x20;
  return letter === 0x63 || letter === 0x66 || letter === 0x74 || letter === 0x76 || letter === 0x78;
}

export type OriginRule = HostRule & {
  /** Further origins whose pages may use the hub, as `http://panel.example:3000`. */
  readonly origins: readonly string[];
};

/**
 * Which web pages may use the hub (N7): its own page, pages of the home's network and configured ones. Scripts, which
 * send no origin, always may.
 */
export function createOriginGuard(rule: OriginRule): Guard {
  const isAllowed = createOriginCheck(rule);
  return (facts) => {
    const origin = facts.header('origin');
    const isRefused =
      origin === undefined ? facts.header('sec-fetch-site') === 'cross-site' : !isAllowed(origin, facts);
    if (!isRefused) return undefined;
    return new HubError(
      'ORIGIN_REFUSED',
      'Web pages from outside the local network may not use the hub; network.origins of its configuration allows more.',
    );
  };
}

/** Says what a page that the guard lets through may do. There are no cookies, so no answer ever allows credentials. */
export function createCorsRule(rule: OriginRule): CorsRule {
  const isAllowed = createOriginCheck(rule);
  const answerHeaders: CorsRule['answerHeaders'] = (facts) => {
    const origin = facts.header('origin');
    if (origin === undefined || !isAllowed(origin, facts)) return { Vary: 'Origin' };
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': CORS_ANSWER_FIELDS,
    };
  };
  return { answerHeaders, preflightHeaders: (facts) => preflightHeaders(facts, answerHeaders) };
}

function createOriginCheck(rule: OriginRule): (origin: string, facts: RequestFacts) => boolean {
  const configured = new Set(rule.origins.map((origin) => origin.toLowerCase()));
  return (origin, facts) => configured.has(origin.toLowerCase()) || isHomeOrigin(origin, facts, rule);
}

/** The same for every path: a page without a token does not learn which paths exist. */
function preflightHeaders(
  facts: RequestFacts,
  answerHeaders: CorsRule['answerHeaders'],
): Readonly<Record<string, string>> | undefined {
  if (facts.header('origin') === undefined || facts.header('access-control-request-method') === undefined) {
    return undefined;
  }
  const needsLocalNetwork = facts.header('access-control-request-private-network') === 'true';
  return {
    ...answerHeaders(facts),
    'Access-Control-Allow-Methods': CORS_METHODS,
    'Access-Control-Allow-Headers': CORS_REQUEST_FIELDS,
    'Access-Control-Max-Age': String(PREFLIGHT_KEPT_S),
    ...(needsLocalNetwork ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  };
}

function isHomeOrigin(origin: string, facts: RequestFacts, rule: HostRule): boolean {
  const match = /^https?:\/\/([^/?#@]+)$/i.exec(origin);
  const authority = readAuthority(match?.[1] ?? '');
  if (authority === undefined) return false;
  const { host, isIpv6 } = authority;
  if (isIpv6 || /^[\d.]+$/.test(host)) return rule.isLanLiteral(host);
  if (host === 'localhost' || host.endsWith('.local') || rule.names().has(host)) return true;
  const ownHost = readAuthority(facts.header('host') ?? '');
  return ownHost !== undefined && ownHost.host === host && isHubHost(ownHost, rule);
}

const refuse = (message: string): HubError => new HubError('MALFORMED_REQUEST', message);

/** Refuses requests that routers, proxies and libraries are known to read in more than one way. */
export function refuseMalformed(facts: RequestFacts): HubError | undefined {
  if (facts.httpVersion !== '1.1') {
    return new HubError(
      'HTTP_VERSION_NOT_SUPPORTED',
      `HTTP/${facts.httpVersion} is not supported: send HTTP/1.1, as \`curl --http1.1\` does.`,
    );
  }
  if (facts.rawHeaders.length > 2 * MAX_FIELDS) {
    return new HubError('HEADERS_TOO_LARGE', `There are more than ${MAX_FIELDS} header fields.`);
  }
  return refuseFields(facts) ?? refuseTarget(facts.target);
}

function refuseFields(facts: RequestFacts): HubError | undefined {
  for (const name of SINGLE_FIELDS) {
    if (headerValues(facts, name).length > 1) return refuse(`The header field ${name} occurs more than once.`);
  }
  if (facts.header('host') === undefined) return refuse('The header field host is missing.');
  const coding = facts.header('transfer-encoding');
  // Node refuses codings that do not end in `chunked`, and ignores those before it (RFC 9112 section 6.1).
  if (coding !== undefined && /,\s*chunked$/i.test(coding))
    return refuse('Only the transfer coding chunked is supported.');
  const expect = facts.header('expect');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return refuse('This expectation is unknown.');
  return undefined;
}

function refuseTarget(target: string): HubError | undefined {
  if (!TARGET.test(target)) return refuse('The request target must be a plain path in printable ASCII.');
  const path = pathOfTarget(target);
  if (AMBIGUOUS_PATH.test(path)) return refuse('The path has an empty segment, a dot segment or an escaped separator.');
  if (BROKEN_ESCAPE.test(path) || !isDecodable(path)) return refuse('The path has a broken percent escape.');
  return undefined;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch (cause) {
    if (cause instanceof URIError) return false;
    throw cause;
  }
}

/** The host in a `Host` field or an origin. */
type Authority = {
  /** Lower case; a name without its final dot, an IPv6 address without brackets and with a plain `%` before its zone. */
  readonly host: string;
  readonly isIpv6: boolean;
};

/** `undefined` if it is not `host[:port]`: a user name or an escape is refused too. */
export function readAuthority(text: string): Authority | undefined {
  if (text.length > 300) return undefined;
  const match = AUTHORITY.exec(text.toLowerCase());
  if (match === null) return undefined;
  const [, literal, name = ''] = match;
  if (literal !== undefined) return { host: literal.replace('%25', '%'), isIpv6: true };
  const host = name.endsWith('.') ? name.slice(0, -1) : name;
  return host === '' ? undefined : { host, isIpv6: false };
}
