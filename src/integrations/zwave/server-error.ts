/** Why the hub cannot work with the server. The message is for people and has no period at its end. */
export class ServerError extends Error {
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, options: { cause?: unknown } = {}) {
    super(SERVER_ERRORS[code], options);
    this.name = 'ServerError';
    this.code = code;
  }
}

const SERVER_ERRORS = {
  SERVER_UNREACHABLE: 'The Z-Wave JS server does not answer',
  SERVER_SILENT: 'The Z-Wave JS server no longer answers on an open connection',
  SERVER_RESTARTED: 'The driver of the Z-Wave JS server starts anew',
  BAD_ANSWER: 'What answers at this address does not speak as a Z-Wave JS server',
  OTHER_NETWORK: 'The server at this address has another Z-Wave network: set that one up, or correct the address',
  SERVER_TOO_OLD: 'The Z-Wave JS server is too old: update it',
  SERVER_TOO_NEW: 'The Z-Wave JS server is too new for this hub: update the hub',
} as const;

type ServerErrorCode = keyof typeof SERVER_ERRORS;

/** Faults that only a person can mend. */
export const NEEDS_ACTION: ReadonlySet<string> = new Set<ServerErrorCode>([
  'OTHER_NETWORK',
  'SERVER_TOO_OLD',
  'SERVER_TOO_NEW',
]);

/** The server understood a request and says no. */
export class ServerRefusal extends Error {
  /** Its own word: `node_not_found`, `Controller_CallbackNOK`. */
  readonly code: string;

  constructor(code: string) {
    super(UNANSWERED.test(code) ? 'The device does not answer' : `The server refuses this (${code})`);
    this.name = 'ServerRefusal';
    this.code = code;
  }
}

const UNANSWERED = /^Controller_(CallbackNOK|NodeTimeout|MessageDropped|ResponseNOK|Timeout)$/;
