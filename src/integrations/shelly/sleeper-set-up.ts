import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { readName } from '#core/integration/read-name.ts';
import { SetupFailure, type SetupAnswer, type SetupSteps } from '#core/integration/setup-step.ts';

/** Asks the device over HTTP, with a body as an RPC request. Throws HubError CONNECTION_FAILED. */
export type AskDevice = (
  path: string,
  call?: JsonObject,
) => Promise<{ readonly status: number; readonly json: JsonValue | undefined }>;

const PATH = '/api/v1/shelly/socket';

/**
 * Finds out whether a device sleeps, and has it call the hub if the person agrees: it is awake for seconds, so nobody
 * can connect to it. True if it sleeps.
 */
export async function* letSleeperCall(
  ask: AskDevice,
  hubAddressFor: (peer: string) => string | null,
): SetupSteps<boolean> {
  const { json: sys } = await ask('/rpc/Sys.GetStatus');
  const period = isJsonObject(sys) ? sys['wakeup_period'] : undefined;
  if (typeof period !== 'number' || period <= 0) return false;
  const { json: wifi } = await ask('/rpc/Wifi.GetStatus');
  const address = isJsonObject(wifi) ? wifi['sta_ip'] : undefined;
  const hub = typeof address === 'string' ? hubAddressFor(address) : null;
  if (hub === null) throw new SetupFailure('no_address', 'The hub has no address at which this device could call it.');
  const url = `ws://${hub}${PATH}`;
  const { json: outbound } = await ask('/rpc/Ws.GetConfig');
  const { enable, server } = isJsonObject(outbound) ? outbound : {};
  if (enable === true && server === url) return true;
  const other = enable === true ? readName(server) : undefined;
  const instead = other === undefined ? '' : ` Now it calls ${other}, which would hear from it no more.`;
  const answer: SetupAnswer = yield {
    type: 'choose',
    text: `This device sleeps, and calls the hub when it wakes: its setting “Outbound WebSocket” must lead to ${url}.${instead}`,
    options: [
      {
        id: 'write',
        title: 'Let the hub set this',
        detail: 'The device restarts. It must be awake: press its button.',
      },
      { id: 'leave', title: 'I set this myself', detail: 'On the page of the device, under Outbound WebSocket.' },
    ],
  };
  if (answer['option'] !== 'write') return true;
  yield { type: 'busy', text: 'Writing to the device …' };
  const config = { enable: true, server: url };
  const written = await call(ask, 'Ws.SetConfig', { config });
  if (written === undefined) throw new SetupFailure('not_taken', 'The device did not take the setting.');
  if (isJsonObject(written) && written['restart_required'] === true) await call(ask, 'Shelly.Reboot', {});
  return true;
}

/** The result; `undefined` if the device refuses. */
async function call(ask: AskDevice, method: string, params: JsonObject): Promise<JsonValue | undefined> {
  const { status, json } = await ask('/rpc', { id: 1, method, params });
  const frame = status === 200 && isJsonObject(json) ? json : {};
  return frame['error'] === undefined ? (frame['result'] ?? undefined) : undefined;
}
