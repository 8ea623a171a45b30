import { HubError } from '#base/hub-error.ts';
import type { CorsRule, Guard, RequestFacts } from './request-facts.ts';
import { readAuthority } from './authority.ts';
import type { HostRule } from './host-guard.ts';
import { isHubHost } from './host-guard.ts';

export type OriginRule = HostRule & {
  /** Further origins whose pages may use the hub, as `http://panel.example:3000`. */
  readonly origins: readonly string[];
};

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const REQUEST_FIELDS =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer';
const ANSWER_FIELDS =
  'Deprecation, ETag, Event-Cursor, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, X-Total-Count';
const PREFLIGHT_KEPT_S = 600;

/**
 * Which web pages may use the hub (N7): its own, those of the home's network, and configured ones; scripts, which have no
 * origin, always. There are no cookies, so no answer ever allows credentials.
 */
export function createOriginGuard(rule: OriginRule): { guard: Guard; cors: CorsRule } {
  const configured = new Set(rule.origins.map((origin) => origin.toLowerCase()));
  const isAllowed = (origin: string, facts: RequestFacts): boolean =>
    configured.has(origin.toLowerCase()) || isHomeOrigin(origin, facts, rule);
  const answerHeaders = (facts: RequestFacts): Readonly<Record<string, string>> => {
    const origin = facts.header('origin');
    if (origin === undefined || !isAllowed(origin, facts)) return { Vary: 'Origin' };
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': ANSWER_FIELDS,
    };
  };
  return {
    guard: (facts) => {
      const origin = facts.header('origin');
      const isRefused =
        origin === undefined ? facts.header('sec-fetch-site') === 'cross-site' : !isAllowed(origin, facts);
      if (!isRefused) return undefined;
      return new HubError(
        'ORIGIN_REFUSED',
        'Web pages from outside the local network may not use the hub; network.origins of its configuration allows more.',
      );
    },
    cors: { answerHeaders, preflightHeaders: (facts) => preflightHeaders(facts, answerHeaders) },
  };
}

/** The same for every path: which paths there are is not told without a token. */
function preflightHeaders(
  facts: RequestFacts,
  answerHeaders: CorsRule['answerHeaders'],
): Readonly<Record<string, string>> | undefined {
  if (facts.header('origin') === undefined || facts.header('access-control-request-method') === undefined) {
    return undefined;
  }
  const wantsLocalNetwork = facts.header('access-control-request-private-network') === 'true';
  return {
    ...answerHeaders(facts),
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': REQUEST_FIELDS,
    'Access-Control-Max-Age': String(PREFLIGHT_KEPT_S),
    ...(wantsLocalNetwork ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  };
}

function isHomeOrigin(origin: string, facts: RequestFacts, rule: HostRule): boolean {
  const match = /^https?:\/\/([^/?#@]+)$/i.exec(origin);
  const authority = readAuthority(match?.[1] ?? '');
  if (authority === undefined) return false;
  const { host, isIpv6 } = authority;
  if (isIpv6 || /^[\d.]+$/.test(host)) return rule.isLanLiteral(host);
  if (host === 'localhost' || host.endsWith('.local') || rule.names().has(host)) return true;
  const asked = readAuthority(facts.header('host') ?? '');
  return asked !== undefined && asked.host === host && isHubHost(asked, rule);
}
