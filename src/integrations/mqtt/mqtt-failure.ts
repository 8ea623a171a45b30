import { codeOf } from '#base/errno.ts';
import type { StatusError } from '#core/integration/integration-status.ts';
import { brokerTexts } from '#words/en/broker.ts';
import { filled } from '#words/texts.ts';

/** Why a broker cannot be used, for clients of the hub: a code for programs, a sentence for people. */
export type MqttFailure = StatusError;

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
      return failure(name, place);
    case 'WRONG_QOS':
      return failure(name, place);
    case 'ECONNREFUSED':
      return failure('CONNECTION_REFUSED', place);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return failure('UNKNOWN_HOST', place);
    case 'ADDRESS_REFUSED':
      return failure(name, place);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return failure('UNREACHABLE', place);
    case 'ETIMEDOUT':
      return failure('TIMEOUT', place);
    default:
      break;
  }
  if (name === 'EPROTO' || name.startsWith('ERR_SSL')) {
    return failure('NOT_TLS', place);
  }
  if (CERTIFICATE.test(name)) {
    return failure('CERTIFICATE_REFUSED', place);
  }
  // The mqtt package has no codes for these two errors; a test provokes both.
  if (/connack timeout|keepalive timeout/i.test(message)) {
    return failure('TIMEOUT', place);
  }
  // Any other error without a code comes from its packet parser: the bytes are not MQTT.
  if (message !== '' && name === '') return failure('NOT_MQTT', place);
  return failureOfClosed(place);
}

/** Whether the broker itself is at fault, and not the network. */
export function isBrokerFault({ code }: MqttFailure): boolean {
  return code === 'NOT_MQTT' || code === 'WRONG_QOS';
}

export function failureOfClosed(place: string): MqttFailure {
  return failure('CONNECTION_LOST', place);
}

function failureFromReason(reason: number, place: string): MqttFailure {
  return CREDENTIALS_REFUSED.has(reason)
    ? failure('WRONG_PASSWORD', place)
    : failure('BROKER_REFUSED', place, { reason });
}

function failure(
  code: keyof typeof brokerTexts,
  place: string,
  values: { readonly reason?: number } = {},
): MqttFailure {
  const holes = { place, ...values };
  return { code, message: filled(brokerTexts[code], holes), reason: { id: code, with: holes } };
}

/** For a name with several addresses the error contains one error per address. */
function firstCodeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return codeOf(first) ?? '';
}
