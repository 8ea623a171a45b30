import { codeOf } from '#base/errno.ts';
import { ConnectionFault, type ConnectionReason } from '#base/network/connection-failure.ts';

const REASONS: Readonly<Record<string, ConnectionReason>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  // A firewall of this machine.
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  // A link-local address without its zone, or with that of an interface that is gone.
  EINVAL: 'unreachable',
  ENODEV: 'unreachable',
  ENXIO: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'closed',
  ECONNABORTED: 'closed',
  EPIPE: 'closed',
  ERR_STREAM_PREMATURE_CLOSE: 'closed',
  EPROTO: 'not_tls',
  HPE_HEADER_OVERFLOW: 'too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'too_large',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'too_large',
};
const PREFIXES: readonly (readonly [start: string, reason: ConnectionReason])[] = [
  ['HPE_', 'bad_answer'],
  ['WS_ERR_', 'bad_answer'],
  ['ERR_SSL_', 'not_tls'],
  ['ERR_TLS_CERT', 'certificate_refused'],
  // Node.js has these codes for a header or path that holds what it must not.
  ['ERR_INVALID_', 'invalid_request'],
  ['ERR_HTTP_INVALID_', 'invalid_request'],
  ['ERR_UNESCAPED_', 'invalid_request'],
];
const CERTIFICATE = /CERT|SELF_SIGNED|^UNABLE_TO_|^CRL_|^INVALID_(?:CA|PURPOSE)$|HOSTNAME_MISMATCH/;

/** Why the network, Node.js, OpenSSL or ws failed. Any error without a code of theirs is a bug, and is thrown on. */
export function readFault(error: unknown): ConnectionFault {
  if (error instanceof ConnectionFault) return error;
  const code = codeOf(error);
  if (code === undefined) throw error;
  const reason =
    REASONS[code] ??
    PREFIXES.find(([start]) => code.startsWith(start))?.[1] ??
    (CERTIFICATE.test(code) ? 'certificate_refused' : 'closed');
  return new ConnectionFault(reason, `the connection failed: ${code}`, { cause: error });
}
