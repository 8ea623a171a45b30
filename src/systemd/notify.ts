import { fstatSync, writeSync } from 'node:fs';
import systemdNotify from 'systemd-notify';
import type { Log } from '#base/log.ts';

/** The fields of a message to the service manager, as in sd_notify(3). */
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
   * `socket`: one write, below a millisecond. `program`: a process for each message, which carries only READY and
   * STATUS. `none`: systemd did not start this process, and no message is sent.
   */
  readonly way: 'socket' | 'program' | 'none';
  /** Never throws: a failure is logged once, until a message gets through again. */
  readonly notify: (fields: NotifyFields) => void;
};

type NotifierDeps = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly log: Log;
};

const FIRST_PASSED = 3;
const SOCKET_NAME = 'notify';

/**
 * Node.js cannot open a Unix datagram socket, but can write to one: systemd 253 and newer opens it for the service
 * (`OpenFile=/run/systemd/notify:notify`). Elsewhere this runs the program systemd-notify, which needs
 * `NotifyAccess=all`.
 */
export function createNotifier({ environment, pid, log }: NotifierDeps): Notifier {
  const descriptor = findSocket(environment, pid);
  const way = descriptor !== undefined ? 'socket' : environment['NOTIFY_SOCKET'] ? 'program' : 'none';
  let isDeaf = false;
  const noteOutcome = (cause: unknown): void => {
    if (cause !== undefined && !isDeaf) log.error('systemd takes no message about the service', { cause });
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

/** The passed descriptor with this name, if systemd passed descriptors to this very process. */
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

/** A line end in a value would start another field. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function runProgram({ READY, STATUS }: NotifyFields, noteOutcome: (cause: unknown) => void): void {
  if (READY === undefined && STATUS === undefined) return;
  const sent = systemdNotify({
    ...(READY === undefined ? {} : { ready: true }),
    ...(STATUS === undefined ? {} : { status: oneLine(STATUS) }),
  });
  sent.then(() => noteOutcome(undefined), noteOutcome);
}
