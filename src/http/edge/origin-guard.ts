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

/** What a page that the guard lets through may do. There are no cookies, so no answer ever allows credentials. */
export function createCorsRule(rule: OriginRule): CorsRule {
  const isAllowed = createOriginCheck(rule);
  const answerHeaders: CorsRule['answerHeaders'] = (facts) => {
    const origin = facts.header('origin');
    if (origin === undefined || !isAllowed(origin, facts)) return { Vary: 'Origin' };
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': ANSWER_FIELDS,
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
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': REQUEST_FIELDS,
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
