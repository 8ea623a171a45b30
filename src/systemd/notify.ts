import { fstatSync, writeSync } from 'node:fs';
import systemdNotify from 'systemd-notify';
import type { Log } from '#base/log.ts';

/** What the service manager is told, as sd_notify(3) names it. */
export type NotifyFields = Readonly<Partial<Record<NotifyField, string>>>;
type NotifyField =
  | 'READY'
  | 'RELOADING'
  | 'STOPPING'
  | 'STATUS'
  | 'WATCHDOG'
  | 'MONOTONIC_USEC'
  | 'EXTEND_TIMEOUT_USEC';

export type Notifier = {
  /**
   * `socket`: one write, below a millisecond. `program`: a process for each message, which carries READY and STATUS
   * alone. `none`: not started by systemd, and nothing is told.
   */
  readonly way: 'socket' | 'program' | 'none';
  /** Never throws: a manager that does not listen is logged, once until it listens again. */
  readonly notify: (fields: NotifyFields) => void;
};

export type NotifierDeps = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly log: Log;
};

const FIRST_PASSED = 3;
const SOCKET_NAME = 'notify';

/**
 * Node.js has no datagram sockets of Unix, but can write to one: systemd from 253 on opens it for the service
 * (`OpenFile=/run/systemd/notify:notify`). Elsewhere the program systemd-notify is run, which needs `NotifyAccess=all`.
 */
export function createNotifier({ environment, pid, log }: NotifierDeps): Notifier {
  const descriptor = findSocket(environment, pid);
  const way = descriptor !== undefined ? 'socket' : environment['NOTIFY_SOCKET'] ? 'program' : 'none';
  let isDeaf = false;
  const noteOutcome = (cause: unknown): void => {
    if (cause !== undefined && !isDeaf) log.error('systemd cannot be told how the service is', { cause });
    isDeaf = cause !== undefined;
  };
  return {
    way,
    notify: (fields) => {
      if (way === 'none') return;
      if (descriptor === undefined) {
        runProgram(fields, noteOutcome);
        return;
      }
      try {
        writeSync(descriptor, messageFrom(fields));
        noteOutcome(undefined);
      } catch (cause) {
        noteOutcome(cause);
      }
    },
  };
}

/** The one of the passed descriptors that has the name, if they were passed to this very process. */
function findSocket(environment: NotifierDeps['environment'], pid: number): number | undefined {
  if (environment['LISTEN_PID'] !== String(pid)) return undefined;
  const index = (environment['LISTEN_FDNAMES'] ?? '').split(':').indexOf(SOCKET_NAME);
  if (index < 0 || index >= Number(environment['LISTEN_FDS'])) return undefined;
  const descriptor = FIRST_PASSED + index;
  return fstatSync(descriptor).isSocket() ? descriptor : undefined;
}

function messageFrom(fields: NotifyFields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${oneLine(value)}`)
    .join('\n');
}

/** A line end in a value would begin a field of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function runProgram({ READY, STATUS }: NotifyFields, noteOutcome: (cause: unknown) => void): void {
  if (READY === undefined && STATUS === undefined) return;
  const told = systemdNotify({
    ...(READY === undefined ? {} : { ready: true }),
    ...(STATUS === undefined ? {} : { status: oneLine(STATUS) }),
  });
  told.then(() => noteOutcome(undefined), noteOutcome);
}
