import type { Wording } from '#words/texts.ts';

/** Why the hub could not send something to a receiver in the home. */
type AttemptError<Code extends string = string> = {
  readonly code: Code;
  readonly message: string;
  readonly reason?: Wording;
};

/**
 * The error as everyone but an owner may see it. The reason of a failed connection shows which ports of a machine are
 * open: it would make a receiver a port scanner.
 */
export function errorForAll(error: AttemptError): AttemptError {
  if (error.code !== 'connection_failed' && error.code !== 'timeout') return error;
  return { code: 'connection_failed', message: 'no connection, or no answer within 10 s' };
}
