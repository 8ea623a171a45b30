import { faultOf } from '#base/network/connection-failure.ts';
import { originFrom } from '#base/network/host-port.ts';
import type { HttpAnswer, HttpRequest, LanHttp, ServerSentEvent } from '#base/network/lan-ports.ts';
import { definePeerFaults } from '#integrations/peer/peer-fault.ts';
import { readBridgeConfig } from './clip-message.ts';
import type { Lane, RequestTurns } from './request-turns.ts';
import { errors } from '#integrations/hue/words/en.ts';

const FAULTS = definePeerFaults({
  messages: errors,
  lasting: ['KEY_REFUSED', 'CERTIFICATE_CHANGED', 'BRIDGE_REPLACED', 'BRIDGE_TOO_OLD'],
  unreachable: 'BRIDGE_UNREACHABLE',
  busy: 'BRIDGE_BUSY',
});
export const { fault: bridgeFault } = FAULTS;

/** The bridge's API, in its turns. Throws PeerFault; an answer of the bridge to a command is returned as it is. */
export type Bridge = {
  readonly read: (path: string, signal: AbortSignal) => Promise<Uint8Array>;
  readonly send: (lane: Lane, request: BridgeRequest, signal: AbortSignal) => Promise<HttpAnswer>;
  readonly events: (signal: AbortSignal, onOpen: () => void) => AsyncIterable<ServerSentEvent>;
};

export type BridgeRequest = {
  readonly method: 'PUT' | 'DELETE';
  /** Below `/clip/v2/resource/`. */
  readonly path: string;
  /** Asked for when its turn has come. */
  readonly body?: () => object;
};

type BridgeDeps = {
  readonly http: LanHttp;
  readonly host: string;
  readonly fingerprint: string;
  readonly key: string;
  readonly turns: RequestTurns;
  readonly monotonicMs: () => number;
};

const MAX_RESOURCES_BYTES = 8 * 1024 * 1024;
const MAX_EVENT_BYTES = 1024 * 1024;
const ANSWER_MS = 10_000;
const COMMAND_MS = 5_000;
/** How long a command may wait for a bridge that is busy; its caller gives up soon afterwards. */
const BUSY_WITHIN_MS = 8_000;
const BUSY_DELAYS_MS = [500, 1_000, 2_000];
const MAX_PAUSE_MS = 30_000;

export function createBridge({ http, host, fingerprint, key, turns, monotonicMs }: BridgeDeps): Bridge {
  const origin = originFrom('https', host);
  const shared = { headers: { 'hue-application-key': key }, tls: { pin: fingerprint } };
  const ask = async (request: HttpRequest): Promise<HttpAnswer> => {
    try {
      return await http.request(request);
    } catch (cause) {
      throw bridgeFaultFrom(cause);
    }
  };

  return {
    read: (path, signal) =>
      turns.run('read', async () => {
        const url = `${origin}/clip/v2/resource${path}`;
        const answer = await ask({ ...shared, url, timeoutMs: ANSWER_MS, maxBytes: MAX_RESOURCES_BYTES, signal });
        const busyMs = pauseOf(answer, 1);
        if (busyMs !== undefined) {
          turns.pause(busyMs);
          throw bridgeFault('BRIDGE_BUSY');
        }
        refuseStatus(answer.status);
        return answer.body;
      }),
    send: async (lane, { method, path, body }, signal) => {
      const url = `${origin}/clip/v2/resource/${path}`;
      const headers = { ...shared.headers, 'content-type': 'application/json' };
      const sinceMs = monotonicMs();
      for (let tries = 0; ; tries += 1) {
        const answer = await turns.run(lane, () => {
          const text = body === undefined ? {} : { body: JSON.stringify(body()) };
          return ask({ ...shared, ...text, method, url, headers, timeoutMs: COMMAND_MS, signal });
        });
        const busyMs = pauseOf(answer, tries);
        if (busyMs === undefined) {
          if (answer.status === 401 || answer.status === 403) throw bridgeFault('KEY_REFUSED');
          return answer;
        }
        turns.pause(busyMs);
        if (tries === BUSY_DELAYS_MS.length || monotonicMs() - sinceMs + busyMs > BUSY_WITHIN_MS) {
          throw bridgeFault('BRIDGE_BUSY');
        }
      }
    },
    events: async function* (signal, onOpen) {
      const url = `${origin}/eventstream/clip/v2`;
      const headers = { ...shared.headers, accept: 'text/event-stream' };
      const request = { ...shared, url, headers, timeoutMs: ANSWER_MS, maxBytes: MAX_EVENT_BYTES };
      try {
        yield* http.events(request, signal, onOpen);
      } catch (cause) {
        const status = faultOf(cause)?.status;
        if (typeof status === 'number') refuseStatus(status);
        throw bridgeFaultFrom(cause);
      }
    },
  };
}

/** How long the bridge wants to be left alone; `undefined` if it has done its work. */
function pauseOf({ status, headers }: HttpAnswer, tries: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const asked = Number(headers['retry-after'] ?? Number.NaN) * 1000;
  const ownMs = BUSY_DELAYS_MS[Math.min(tries, BUSY_DELAYS_MS.length - 1)] ?? 0;
  return Number.isFinite(asked) && asked >= 0 ? Math.min(MAX_PAUSE_MS, Math.max(asked, 100)) : ownMs;
}

function refuseStatus(status: number): void {
  if (status === 401 || status === 403) throw bridgeFault('KEY_REFUSED');
  if (status === 404) throw bridgeFault('BRIDGE_TOO_OLD');
  if (status === 429 || status === 503) throw bridgeFault('BRIDGE_BUSY');
  if (status !== 200 && status !== 207) throw bridgeFault('BAD_ANSWER', new Error(`answer ${status}`));
}

export function bridgeFaultFrom(cause: unknown): Error {
  const isOther = faultOf(cause)?.reason === 'certificate_refused';
  return isOther ? bridgeFault('CERTIFICATE_CHANGED', cause) : FAULTS.faultFrom(cause);
}

/** Reads what the machine at this address says of itself to everyone, and its certificate. Sends no secret. */
export async function readPublicConfig(http: LanHttp, host: string, signal: AbortSignal) {
  const url = `${originFrom('https', host)}/api/config`;
  const answer = await http.request({ url, tls: 'any', timeoutMs: ANSWER_MS, maxBytes: 64 * 1024, signal });
  const config = answer.status === 200 ? readBridgeConfig(answer.body) : undefined;
  return config === undefined || answer.fingerprint === null
    ? undefined
    : { ...config, fingerprint: answer.fingerprint };
}
