export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** `cause` is an error whose message (never its stack, below debug) is appended; other members print as key=value. */
export type LogFields = { readonly [name: string]: unknown; readonly cause?: unknown };

export type Log = {
  readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
} & {
  readonly part: (name: string) => Log;
};

type LogOptions = {
  readonly level: LogLevel;
  /** Receives whole lines with their line end. */
  readonly write: (line: string) => void;
  /** Writes sd-daemon(3) priority prefixes instead of level words: journald keeps the time and the level itself. */
  readonly journal: boolean;
  readonly wallMs: () => number;
};

const PRIORITY: Record<LogLevel, string> = { error: '<3>', warn: '<4>', info: '<6>', debug: '<7>' };

export function createLog(options: LogOptions): Log {
  const limit = LOG_LEVELS.indexOf(options.level);
  const logAt =
    (level: LogLevel, part: string) =>
    (message: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(level) > limit) return;
      const start = options.journal
        ? PRIORITY[level]
        : `${new Date(options.wallMs()).toISOString()} ${level.padEnd(5)} `;
      const text = [part === '' ? message : `${part}: ${message}`, ...describeFields(fields, level)].join(' ');
      options.write(`${start}${escapeControls(text)}\n`);
    };
  const logOf = (part: string): Log => ({
    error: logAt('error', part),
    warn: logAt('warn', part),
    info: logAt('info', part),
    debug: logAt('debug', part),
    part: (name) => logOf(name),
  });
  return logOf('');
}

function describeFields(fields: LogFields, level: LogLevel): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      name === 'cause' ? `(${describeCause(value, level)})` : `${name}=${describeValue(value)}`,
    );
}

/** A chain of causes may be a ring. */
const MAX_CAUSES = 8;

function describeCause(cause: unknown, level: LogLevel, depth = 1): string {
  if (!(cause instanceof Error)) return describeValue(cause);
  const text = (level === 'debug' ? cause.stack : undefined) ?? messageOf(cause);
  if (cause.cause === undefined || depth === MAX_CAUSES) return text;
  return `${text}: ${describeCause(cause.cause, level, depth + 1)}`;
}

/** An AggregateError, as of a host with several addresses, has no message of its own. */
function messageOf(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map((one) => describeValue(one)).join(', ') : error.name;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@+-]+$/u.test(value) ? value : JSON.stringify(value);
  if (value instanceof Error) return messageOf(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // A ring or a big integer. Logging must never be the thing that fails.
    return typeof value === 'bigint' ? String(value) : '[unprintable]';
  }
}

/** Text from devices and peers must not forge a second log line, move a terminal's cursor or reverse its text. */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Says whether a line may be logged now, and if so how many were withheld since the last one; else `undefined`. */
type LogTurn = () => { readonly withheld: number } | undefined;

/** At most one line per interval, so that a stranger cannot fill the disk with refusals. */
export function createLogTurn(intervalMs: number, monotonicMs: () => number): LogTurn {
  let nextMs = Number.NEGATIVE_INFINITY;
  let withheld = 0;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs < nextMs) {
      withheld += 1;
      return undefined;
    }
    const turn = { withheld };
    withheld = 0;
    nextMs = nowMs + intervalMs;
    return turn;
  };
}

/** Logs what would be said again and again as it is the first time, and for debugging from then on. */
export function createOnceLog(log: Log, level: 'warn' | 'info' = 'warn') {
  let isLogged = false;
  return {
    tell: (message: string, fields?: LogFields): void => {
      log[isLogged ? 'debug' : level](message, fields);
      isLogged = true;
    },
    /** It is over: the next time is the first one. True if there was one. */
    forget: (): boolean => {
      const wasLogged = isLogged;
      isLogged = false;
      return wasLogged;
    },
  };
}
