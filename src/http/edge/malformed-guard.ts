import { HubError } from '#base/hub-error.ts';
import type { RequestFacts } from './request-facts.ts';
import { headerValues, pathOfTarget } from './request-facts.ts';

const MAX_FIELDS = 64;
const SINGLE_FIELDS = ['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding'];
/** Printable ASCII but the fragment sign; a target in absolute form fails at its first character. */
const TARGET = /^\/[!"$-~]*$/;
/** Two programs could read such a path as different paths. */
const AMBIGUOUS_PATH = /\/\/|\\|%2f|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)/i;
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

const refuse = (message: string): HubError => new HubError('MALFORMED_REQUEST', message);

/** Refuses requests that routers, proxies and libraries are known to read in more than one way. */
export function refuseMalformed(facts: RequestFacts): HubError | undefined {
  if (facts.httpVersion !== '1.1') {
    return new HubError('HTTP_VERSION_NOT_SUPPORTED', `HTTP/${facts.httpVersion} is not supported.`);
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
