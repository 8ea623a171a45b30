import { type FieldError, HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectOf, parseJson } from '#base/json.ts';
import { originFrom } from '#base/network/host-port.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { readName } from '#core/integration/read-name.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupResult } from '#integrations/kind.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { type DeviceInfo, readDeviceInfo } from '#integrations/shelly/mapping/shelly-device.ts';
import { deviceFaultFrom } from '#integrations/shelly/rpc/device-fault.ts';
import { USER } from '#integrations/shelly/rpc/rpc-message.ts';
import { words } from '#integrations/shelly/words/en.ts';
import { choice, failure, fault, said } from '#integrations/words/kind-words.ts';
import { SHELLY_SETTINGS, type ShellySettings } from './shelly-settings.ts';

const ANSWER_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const HOST = { host: SHELLY_SETTINGS.host };
const PASSWORD_FORM = {
  type: 'form',
  fields: { password: { ...SHELLY_SETTINGS.password, ...words.forms.password.password } },
  values: {},
  reason: { id: 'password', with: {} },
} as const;

/** Asks a device what it is, and a person for its address unless it was found, and for its password if it has one. */
export async function* setUpShelly(
  discovery: Discovery<ShellySettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<ShellySettings>> {
  const { host, reading } = yield* askForHost(
    { foundHost: discovery?.settings.host, fields: HOST, words, wrong: WRONG_HOSTS },
    (asked) => readDevice(asked, discovery?.uniqueId ?? null, ports),
  );
  const password = reading.hasPassword ? yield* askForPassword(host, ports) : undefined;
  const asking = { ...ports, ...(password === undefined ? {} : { password }) };
  const askMore: AskDevice = (path, call) => ask(host, path, { ...asking, ...(call === undefined ? {} : { call }) });
  const sleeps = yield* letSleeperCall(askMore, ports.hubAddressFor);
  return {
    uniqueId: reading.mac,
    name: reading.name,
    settings: { host, sleeps },
    secrets: password === undefined ? {} : { password },
  };
}

/** The device at an address, or what is wrong with the address. */
async function readDevice(
  host: string,
  expected: string | null,
  ports: SetupPorts,
): Promise<DeviceInfo | keyof typeof words.faults> {
  const { status, json } = await ask(host, '/shelly', ports).catch((cause: unknown) => {
    throw deviceFaultFrom(cause);
  });
  const info = status === 200 && json !== undefined ? readDeviceInfo(json) : undefined;
  if (info === undefined) return isFirstGeneration(json) ? 'first_generation' : 'no_shelly';
  return expected === null || info.mac === expected ? info : 'other_device';
}

const WRONG_HOSTS = { BAD_ANSWER: 'no_shelly' } as const;

/** They say what they are at the same place, with a type and without a generation. */
function isFirstGeneration(json: JsonValue | undefined): boolean {
  return isJsonObject(json) && typeof json['type'] === 'string' && json['gen'] === undefined;
}

async function* askForPassword(host: string, ports: SetupPorts): SetupSteps<string> {
  let errors: readonly FieldError[] = [];
  for (;;) {
    const answer: SetupAnswer = yield { ...PASSWORD_FORM, errors };
    const password = typeof answer['password'] === 'string' ? answer['password'] : '';
    yield { type: 'busy', ...said(words.steps, 'trying_password') };
    const { status } = await ask(host, '/rpc/Sys.GetStatus', { ...ports, password });
    if (status === 200) return password;
    if (status !== 401) throw new HubError('CONNECTION_FAILED', 'The device does not answer as a Shelly device.');
    errors = [fault(words.faults, 'wrong_password', '/password')];
  }
}

type Asked = { readonly status: number; readonly json: JsonValue | undefined };
type Asking = Pick<SetupPorts, 'http' | 'signal'> & {
  readonly password?: string;
  /** Sent as an RPC request. */
  readonly call?: JsonObject;
};

async function ask(host: string, path: string, { http, signal, password, call }: Asking): Promise<Asked> {
  const { status, body } = await http.request({
    url: originFrom('http', host) + path,
    timeoutMs: ANSWER_MS,
    maxBytes: MAX_BYTES,
    signal,
    ...(call === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }),
    ...(password === undefined ? {} : { digest: { user: USER, password } }),
  });
  return { status, json: parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')) };
}

/** Asks the device over HTTP, with a body as an RPC request. Throws HubError CONNECTION_FAILED. */
type AskDevice = (
  path: string,
  call?: JsonObject,
) => Promise<{ readonly status: number; readonly json: JsonValue | undefined }>;

const PATH = '/api/v1/shelly/socket';

/**
 * Finds out whether a device sleeps, and has it call the hub if the person agrees: it is awake for seconds, so nobody
 * can connect to it. True if it sleeps.
 */
async function* letSleeperCall(ask: AskDevice, hubAddressFor: (peer: string) => string | null): SetupSteps<boolean> {
  const { json: sys } = await ask('/rpc/Sys.GetStatus');
  const period = objectOf(sys)['wakeup_period'];
  if (typeof period !== 'number' || period <= 0) return false;
  const { json: wifi } = await ask('/rpc/Wifi.GetStatus');
  const address = objectOf(wifi)['sta_ip'];
  const hub = typeof address === 'string' ? hubAddressFor(address) : null;
  if (hub === null) throw failure(words.failures, 'no_address');
  const url = `ws://${hub}${PATH}`;
  const { json: outbound } = await ask('/rpc/Ws.GetConfig');
  const { enable, server } = objectOf(outbound);
  if (enable === true && server === url) return true;
  const other = enable === true ? readName(server) : null;
  const answer: SetupAnswer = yield other === null
    ? choice(words.choices, 'offer_call', { url })
    : choice(words.choices, 'offer_call_instead', { url, other });
  if (answer['option'] !== 'write') return true;
  yield { type: 'busy', ...said(words.steps, 'writing') };
  const config = { enable: true, server: url };
  const written = await call(ask, 'Ws.SetConfig', { config });
  if (written === undefined) throw failure(words.failures, 'not_taken');
  if (objectOf(written)['restart_required'] === true) await call(ask, 'Shelly.Reboot', {});
  return true;
}

/** The result; `undefined` if the device refuses. */
async function call(ask: AskDevice, method: string, params: JsonObject): Promise<JsonValue | undefined> {
  const { status, json } = await ask('/rpc', { id: 1, method, params });
  const frame = status === 200 ? objectOf(json) : {};
  return frame['error'] === undefined ? (frame['result'] ?? undefined) : undefined;
}
