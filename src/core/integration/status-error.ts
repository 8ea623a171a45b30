import type { StatusError } from './integration-status.ts';

/** Everybody but owners sees this of a connection that fails. */
const NO_CONNECTION: StatusError = {
  code: 'CONNECTION_FAILED',
  message: 'There is no connection, or no answer that the hub understands',
};

/**
 * Codes of all kinds that tell whether and what something answers at an address: a person who may enter addresses could
 * look for the open ports of the home with them. What the right peer itself refuses, such as a password, is none of these.
 */
const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'UNKNOWN_HOST',
  'UNREACHABLE',
  'TIMEOUT',
  'NOT_TLS',
  'CERTIFICATE_REFUSED',
  'NOT_MQTT',
  'BAD_ANSWER',
  'BRIDGE_UNREACHABLE',
  'DEVICE_UNREACHABLE',
  'DEVICE_SILENT',
  'LIGHT_UNREACHABLE',
  'LIGHT_SILENT',
  'NODE_UNREACHABLE',
  'NODE_SILENT',
  'SERVER_UNREACHABLE',
  'SERVER_SILENT',
]);

/** Whether only owners may see it. */
export function isOfConnection({ code }: Pick<StatusError, 'code'>): boolean {
  return OF_CONNECTIONS.has(code);
}

/** The error as everybody may see it. */
export function statusErrorForAll(error: StatusError | null): StatusError | null {
  return error !== null && isOfConnection(error) ? NO_CONNECTION : error;
}

/** The same of a code alone. */
export function statusCodeForAll(code: string | null): string | null {
  return code !== null && isOfConnection({ code }) ? NO_CONNECTION.code : code;
}
