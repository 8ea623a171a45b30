import { codeOf } from '#base/errno.ts';

/** Why a broker cannot be used, for clients of the hub: a code for programs, a sentence for people. */
export type MqttFailure = { readonly code: string; readonly message: string };

const CREDENTIALS_REFUSED = new Set([4, 5, 134, 135]);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/;

/** `place` is the broker's `host:port`. The message repeats nothing else of its address, which may hold a password. */
export function failureFromError(error: unknown, place: string): MqttFailure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = error instanceof Error ? error.message : '';
  if (typeof code === 'number') return failureFromReason(code, place);
  const name = typeof code === 'string' ? code : firstCodeOf(error);
  switch (name) {
    case 'NOT_MQTT':
      return notMqtt(place);
    case 'WRONG_QOS':
      return {
        code: name,
        message: `The MQTT broker at ${place} sends messages at a quality of service that the hub did not request`,
      };
    case 'ECONNREFUSED':
      return {
        code: 'CONNECTION_REFUSED',
        message: `Nothing answers at ${place}: start the MQTT broker there, or enter another address in the settings`,
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return { code: 'UNKNOWN_HOST', message: `The name in ${place} has no address` };
    case 'ADDRESS_REFUSED':
      return { code: name, message: `${place} is the hub itself: only an owner can have the hub connect there` };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return { code: 'UNREACHABLE', message: `The network has no way to ${place}` };
    case 'ETIMEDOUT':
      return { code: 'TIMEOUT', message: `The MQTT broker at ${place} does not answer` };
    default:
      break;
  }
  if (name === 'EPROTO' || name.startsWith('ERR_SSL')) {
    return {
      code: 'NOT_TLS',
      message: `What answers at ${place} does not speak TLS: use mqtt:// for a connection without TLS`,
    };
  }
  if (CERTIFICATE.test(name)) {
    return { code: 'CERTIFICATE_REFUSED', message: `The certificate of the MQTT broker at ${place} cannot be trusted` };
  }
  // The mqtt package has no codes for these two errors; a test provokes both.
  if (/connack timeout|keepalive timeout/i.test(message)) {
    return { code: 'TIMEOUT', message: `The MQTT broker at ${place} does not answer` };
  }
  // Any other error without a code comes from its packet parser: the bytes are not MQTT.
  if (message !== '' && name === '') return notMqtt(place);
  return failureOfClosed(place);
}

/** Whether the broker itself is at fault, and not the network. */
export function isBrokerFault({ code }: MqttFailure): boolean {
  return code === 'NOT_MQTT' || code === 'WRONG_QOS';
}

function notMqtt(place: string): MqttFailure {
  return { code: 'NOT_MQTT', message: `What answers at ${place} does not speak correct MQTT` };
}

export function failureOfClosed(place: string): MqttFailure {
  return { code: 'CONNECTION_LOST', message: `The MQTT broker at ${place} closed the connection` };
}

function failureFromReason(reason: number, place: string): MqttFailure {
  return CREDENTIALS_REFUSED.has(reason)
    ? { code: 'WRONG_PASSWORD', message: `The MQTT broker at ${place} refuses this user and password` }
    : { code: 'BROKER_REFUSED', message: `The MQTT broker at ${place} refuses the connection (reason ${reason})` };
}

/** For a name with several addresses the error contains one error per address. */
function firstCodeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return codeOf(first) ?? '';
}
