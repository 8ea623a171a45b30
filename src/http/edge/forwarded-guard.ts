import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import { createLogTurn, type Log } from '#base/log.ts';
import type { Guard } from './request-facts.ts';

const HOUR_MS = 3_600_000;
const PROXY_FIELD =
  /^(?:forwarded|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-forwarded-for|x-envoy-.*|true-client-ip|fly-.*|via|cdn-loop|cf-.*|tailscale-.*)$/i;

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
