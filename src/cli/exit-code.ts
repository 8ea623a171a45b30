/** Exit codes of sysexits(3), and what each means here. */
export const EXIT = {
  ok: 0,
  usage: 64,
  /** The input is not acceptable: a weak password, a damaged backup. */
  data: 65,
  noInput: 66,
  noUser: 67,
  /** A check failed, or the hub went away. */
  unavailable: 69,
  internal: 70,
  cannotCreate: 73,
  io: 74,
  /** Another hub holds the state folder, or this one is busy: try again later. */
  tempFail: 75,
  noPermission: 77,
  config: 78,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with one line on stderr. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
