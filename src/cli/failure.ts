import { codeOf } from '#base/errno.ts';
import { HubError, type ProblemCode } from '#base/hub-error.ts';
import { StartError, type StartFailure } from '#base/start-error.ts';
import { StorageRefusal, type StorageRefusalReason } from '#storage/engine/storage-failure.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';

const OF_START: Record<StartFailure, ExitCode> = {
  already_running: EXIT.tempFail,
  config: EXIT.config,
  no_permission: EXIT.noPermission,
  cannot_create: EXIT.cannotCreate,
  io: EXIT.io,
};
const OF_REFUSAL: Record<StorageRefusalReason, ExitCode> = {
  in_use: EXIT.tempFail,
  too_new: EXIT.config,
  put_off: EXIT.config,
  no_owner: EXIT.config,
};
/** All other codes are complaints about the input: 65. */
const OF_PROBLEM: Partial<Record<ProblemCode, ExitCode>> = {
  NOT_FOUND: EXIT.noUser,
  STORAGE_FULL: EXIT.io,
  STORAGE_UNAVAILABLE: EXIT.io,
  OVERLOADED: EXIT.tempFail,
  RESTARTING: EXIT.tempFail,
  TOO_MANY_REQUESTS: EXIT.tempFail,
  INTERNAL_ERROR: EXIT.internal,
};
const OF_ERRNO: Record<string, ExitCode> = {
  EACCES: EXIT.noPermission,
  EPERM: EXIT.noPermission,
  ENOENT: EXIT.noInput,
  EISDIR: EXIT.noInput,
  EEXIST: EXIT.cannotCreate,
  ENOSPC: EXIT.io,
  EDQUOT: EXIT.io,
  EIO: EXIT.io,
  EROFS: EXIT.io,
  ECONNRESET: EXIT.unavailable,
  EPIPE: EXIT.unavailable,
};

export type Failure = { readonly exitCode: ExitCode; readonly message: string };

/** The line that a failed command prints, and its exit code. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof CliError) return { exitCode: error.exitCode, message: withCause(error) };
  if (error instanceof StartError) return { exitCode: OF_START[error.failure], message: withCause(error) };
  if (error instanceof StorageRefusal) return { exitCode: OF_REFUSAL[error.reason], message: withCause(error) };
  if (error instanceof HubError) {
    const fields = error.options.errors?.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`) ?? [];
    const message = fields.length === 0 ? error.message : `${error.message} (${fields.join('; ')})`;
    // HTTP clients must not learn which file failed, but the person at the machine needs to know.
    const { cause } = error.options;
    const isDisk = error.code === 'STORAGE_FULL' || error.code === 'STORAGE_UNAVAILABLE';
    const reason = isDisk && cause instanceof Error ? ` (${withCause(cause)})` : '';
    return { exitCode: OF_PROBLEM[error.code] ?? EXIT.data, message: `${message}${reason}` };
  }
  if (!(error instanceof Error)) return { exitCode: EXIT.internal, message: `internal error: ${String(error)}` };
  const known = OF_ERRNO[codeOf(error) ?? ''];
  if (known === undefined) return { exitCode: EXIT.internal, message: `internal error: ${withCause(error)}` };
  return { exitCode: known, message: withCause(error) };
}

function withCause(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${withCause(error.cause)}` : error.message;
}
