import { type FieldError, HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#base/json.ts';
import { faultOf } from '#base/network/connection-failure.ts';
import { originFrom } from '#base/network/host-port.ts';
import type { Found } from '#core/integration/instance.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupResult } from '#integrations/kind.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { type DeviceInfo, readDeviceInfo } from '#integrations/shelly/mapping/shelly-device.ts';
import { USER } from '#integrations/shelly/rpc/digest.ts';
import { type AskDevice, letSleeperCall } from './sleeper-set-up.ts';
import { SHELLY_SETTINGS, type ShellySettings } from './shelly-settings.ts';

const ANSWER_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const HOST = { host: SHELLY_SETTINGS.host };
const PASSWORD = { password: { ...SHELLY_SETTINGS.password, hint: 'As it was set on the device itself.' } };

/** Asks a device what it is, and a person for its address unless it was found, and for its password if it has one. */
export async function* setUpShelly(
  found: Found<ShellySettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<ShellySettings>> {
  const { host, reading } = yield* askForHost({ foundHost: found?.settings.host, fields: HOST }, (asked) =>
    readDevice(asked, found?.uniqueId ?? null, ports),
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
async function readDevice(host: string, expected: string | null, ports: SetupPorts): Promise<DeviceInfo | string> {
  try {
    const { status, json } = await ask(host, '/shelly', ports);
    const info = status === 200 && json !== undefined ? readDeviceInfo(json) : undefined;
    if (info === undefined) {
      return isFirstGeneration(json) ? 'is a Shelly of the first generation, which the hub cannot use' : NO_SHELLY;
    }
    if (expected !== null && info.mac !== expected) return 'is the address of another device than the one found';
    return info;
  } catch (cause) {
    const reason = faultOf(cause)?.reason;
    if (reason === undefined || reason === 'aborted') throw cause;
    if (reason === 'bad_answer' || reason === 'too_large') return NO_SHELLY;
    return reason === 'address_refused' ? 'is not an address in the home network' : 'does not answer';
  }
}

const NO_SHELLY = 'is not the address of a Shelly device';

/** They say what they are at the same place, with a type and without a generation. */
function isFirstGeneration(json: JsonValue | undefined): boolean {
  return isJsonObject(json) && typeof json['type'] === 'string' && json['gen'] === undefined;
}

async function* askForPassword(host: string, ports: SetupPorts): SetupSteps<string> {
  let errors: readonly FieldError[] = [];
  for (;;) {
    const answer: SetupAnswer = yield { type: 'form', fields: PASSWORD, values: {}, errors };
    const password = typeof answer['password'] === 'string' ? answer['password'] : '';
    yield { type: 'busy', text: 'Trying the password …' };
    const { status } = await ask(host, '/rpc/Sys.GetStatus', { ...ports, password });
    if (status === 200) return password;
    if (status !== 401) throw new HubError('CONNECTION_FAILED', 'The device does not answer as a Shelly device.');
    errors = [{ pointer: '/password', code: 'INVALID_VALUE', message: 'is not the password of the device' }];
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
