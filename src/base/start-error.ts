/**
 * Why the hub cannot start, or the command line cannot open it: a reason that one sentence explains to the person at
 * the machine. The command line derives its exit code (sysexits(3)) from it.
 */
export type StartFailure =
  | 'already_running' // 75: another process holds the state folder
  | 'config' // 78: also a database that is newer than this program
  | 'no_permission' // 77
  | 'cannot_create' // 73
  | 'io'; // 74

/** A failure to start. `message` is one line for people, without a secret; paths of this machine are welcome here. */
export class StartError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
    this.failure = failure;
  }
}
