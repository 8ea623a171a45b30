import type { JsonObject } from '#base/json.ts';
import { originFrom } from '#base/network/host-port.ts';
import type { HttpAnswer, HttpRequest, LanWebSocket } from '#base/network/lan-ports.ts';
import { definePeerFaults, PeerFault } from '#integrations/peer/peer-fault.ts';
import type { Ports } from '#integrations/ports.ts';
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
import { errors } from '#integrations/wled/words/en.ts';

const FAULTS = definePeerFaults({
  messages: errors,
  lasting: ['OTHER_LIGHT'],
  unreachable: 'LIGHT_UNREACHABLE',
  busy: 'LIGHT_BUSY',
});
export const { fault: lightFault } = FAULTS;

export type Wire = ReturnType<typeof createWire>;

const ANSWER_MS = 5_000;
/** A light with 32 segments sends about 12 KB. */
const MAX_STATUS_BYTES = 256 * 1024;
/** Presets hold the whole state of all segments each. */
const MAX_LIST_BYTES = 1024 * 1024;

/** The requests that a light knows. They throw PeerFault. `mac` is that of the light that is expected, if it is known. */
export function createWire(host: string, mac: string | null, ports: Pick<Ports, 'http' | 'openWebSocket'>) {
  const origin = originFrom('http', host);
  const ask = async (path: string, request: Omit<HttpRequest, 'url'>): Promise<string> => {
    try {
      return textOf(await ports.http.request({ ...request, url: origin + path, timeoutMs: ANSWER_MS }));
    } catch (cause) {
      throw FAULTS.faultFrom(cause);
    }
  };
  const statusIn = (text: string): LightStatus => {
    const status = readStatus(text);
    if (status === undefined) throw lightFault('BAD_ANSWER');
    if (mac !== null && status.info.mac !== mac) throw lightFault('OTHER_LIGHT');
    return status;
  };
  const askStatus = async (request: Omit<HttpRequest, 'url' | 'maxBytes'>): Promise<LightStatus> =>
    statusIn(await ask('/json/si', { ...request, maxBytes: MAX_STATUS_BYTES }));
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
    statusIn,
    readStatus: (signal: AbortSignal): Promise<LightStatus> => askStatus({ signal }),
    /**
     * The names of effects, palettes and presets, one after the other: a light has memory for one answer. One that cannot
     * be read stays as it was.
     */
    readLists: async ({ info }: LightStatus, before: Lists, signal: AbortSignal): Promise<Lists> => {
      const effects = await askNames('/json/eff', { read: readNames, before: before.effects, signal });
      const palettes = await askNames('/json/pal', { read: readNames, before: before.palettes, signal });
      const presets = await askNames('/presets.json', { read: readPresets, before: before.presets, signal });
      return { effects, palettes: withDistinctNames([...palettes, ...ownPalettes(info)]), presets };
    },
    /** Changes the light, and reads how it is then. */
    change: (change: JsonObject, signal: AbortSignal): Promise<LightStatus> =>
      askStatus({ method: 'POST', headers: JSON_BODY, body: JSON.stringify({ ...change, v: true }), signal }),
    openSocket: async (onMessage: (text: string) => void, signal: AbortSignal): Promise<LanWebSocket> => {
      const url = `${originFrom('ws', host)}/ws`;
      const take = (data: string | Uint8Array): void => onMessage(typeof data === 'string' ? data : '');
      try {
        return await ports.openWebSocket({
          url,
          timeoutMs: ANSWER_MS,
          maxBytes: MAX_STATUS_BYTES,
          onMessage: take,
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
