import { HubError } from '#base/hub-error.ts';

/** Why a connection to another machine failed. Only an owner may see it: it tells what listens where in the home. */
export type ConnectionReason =
  /** The URL, the host or a header cannot be used. */
  | 'invalid_request'
  | 'name_not_found'
  /** Not an address of the LAN, or the hub itself without an owner's word. */
  | 'address_refused'
  /** The machine is there, but nothing listens. */
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'not_tls'
  | 'certificate_refused'
  /** The other side breaks the protocol, or does not do what was asked: `status` is what it answered. */
  | 'bad_answer'
  /** The answer, message or event passes its limit, or more waits to be sent than may. */
  | 'too_large'
  | 'closed'
  /** The hub has as many requests under way as it may. */
  | 'busy'
  /** The caller's own signal. */
  | 'aborted';

/** The cause of a HubError CONNECTION_FAILED. Its message is for people, but only for owners. */
export class ConnectionFault extends Error {
  readonly reason: ConnectionReason;
  /** The status of the HTTP answer, if its head came before the failure or is the failure; else `null`. */
  readonly status: number | null;

  constructor(reason: ConnectionReason, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectionFault';
    this.reason = reason;
    this.status = options.status ?? null;
  }
}

/** Makes the error that the ports throw: everyone may see that it failed, and `faultOf` has the reason. */
export function connectionFailed(fault: ConnectionFault): HubError {
  return new HubError('CONNECTION_FAILED', 'The connection failed.', { cause: fault });
}

/** The reason inside what a port threw; `undefined` for any other error. */
export function faultOf(error: unknown): ConnectionFault | undefined {
  if (error instanceof ConnectionFault) return error;
  return error instanceof HubError && error.cause instanceof ConnectionFault ? error.cause : undefined;
}
