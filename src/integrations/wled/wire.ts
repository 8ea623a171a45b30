import type { JsonObject } from '#base/json.ts';
import { originFrom } from '#base/network/host-port.ts';
import type { HttpAnswer, HttpRequest, LanHttp, LanWebSocket, OpenWebSocket } from '#base/network/lan-ports.ts';
import { definePeerFaults, PeerFault } from '#integrations/peer/peer-fault.ts';
import {
  isBusyAnswer,
  ownPalettes,
  type LightStatus,
  type Lists,
  type Names,
  readNames,
  readPresets,
  readStatus,
  withDistinctNames,
} from './wled-message.ts';

/** Why the hub cannot work with the light. */
const FAULTS = definePeerFaults({
  passing: {
    LIGHT_UNREACHABLE: 'The light does not answer',
    LIGHT_SILENT: 'The light no longer tells the hub what changes',
    LIGHT_BUSY: 'The light has too much to do',
    BAD_ANSWER: 'What answers at this address does not speak as a WLED light',
  },
  lasting: { OTHER_LIGHT: 'Another light answers at this address: set that one up, or correct the address' },
  unreachable: 'LIGHT_UNREACHABLE',
  busy: 'LIGHT_BUSY',
});
export const { fault: lightFault } = FAULTS;

/** The requests that a light knows. They throw PeerFault. */
export type Wire = {
  readonly readStatus: (signal: AbortSignal) => Promise<LightStatus>;
  /** The names of effects, palettes and presets; one that cannot be read stays as it was. */
  readonly readLists: (status: LightStatus, before: Lists, signal: AbortSignal) => Promise<Lists>;
  /** Changes the light, and reads how it is then. */
  readonly change: (change: JsonObject, signal: AbortSignal) => Promise<LightStatus>;
  readonly openSocket: (onMessage: (text: string) => void, signal: AbortSignal) => Promise<LanWebSocket>;
};

const ANSWER_MS = 5_000;
/** A light with 32 segments sends about 12 KB. */
const MAX_STATUS_BYTES = 256 * 1024;
/** Presets hold the whole state of all segments each. */
const MAX_LIST_BYTES = 1024 * 1024;

export function createWire(
  host: string,
  { http, openWebSocket }: { readonly http: LanHttp; readonly openWebSocket: OpenWebSocket },
): Wire {
  const origin = originFrom('http', host);
  const ask = async (path: string, request: Omit<HttpRequest, 'url'>): Promise<string> => {
    try {
      return textOf(await http.request({ ...request, url: origin + path, timeoutMs: ANSWER_MS }));
    } catch (cause) {
      throw FAULTS.faultFrom(cause);
    }
  };
  const askStatus = async (signal: AbortSignal, body?: string): Promise<LightStatus> => {
    const change = body === undefined ? {} : { method: 'POST' as const, body, headers: JSON_BODY };
    const status = readStatus(await ask('/json/si', { ...change, maxBytes: MAX_STATUS_BYTES, signal }));
    if (status === undefined) throw lightFault('BAD_ANSWER');
    return status;
  };
  const askNames = async (
    path: string,
    { read, before, signal }: { read: (text: string) => Names | undefined; before: Names; signal: AbortSignal },
  ): Promise<Names> => {
    try {
      return read(await ask(path, { maxBytes: MAX_LIST_BYTES, signal })) ?? before;
    } catch (cause) {
      // A small light may cut a long answer off, and works without it.
      if (cause instanceof PeerFault && cause.code !== 'LIGHT_UNREACHABLE') return before;
      throw cause;
    }
  };
  return {
    readStatus: (signal) => askStatus(signal),
    // One after the other: a light has memory for one answer.
    readLists: async ({ info }, before, signal) => {
      const effects = await askNames('/json/eff', { read: readNames, before: before.effects, signal });
      const palettes = await askNames('/json/pal', { read: readNames, before: before.palettes, signal });
      const presets = await askNames('/presets.json', { read: readPresets, before: before.presets, signal });
      return { effects, palettes: withDistinctNames([...palettes, ...ownPalettes(info)]), presets };
    },
    change: (change, signal) => askStatus(signal, JSON.stringify({ ...change, v: true })),
    openSocket: async (onMessage, signal) => {
      try {
        return await openWebSocket({
          url: `${originFrom('ws', host)}/ws`,
          timeoutMs: ANSWER_MS,
          maxBytes: MAX_STATUS_BYTES,
          onMessage: (data) => onMessage(typeof data === 'string' ? data : ''),
          signal,
        });
      } catch (cause) {
        throw FAULTS.faultFrom(cause);
      }
    },
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

function textOf({ status, body }: HttpAnswer): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (status === 503 || isBusyAnswer(text)) throw lightFault('LIGHT_BUSY');
  if (status !== 200) throw lightFault('BAD_ANSWER', new Error(`answer ${status}`));
  return text;
}
