import type { Log } from '#base/log.ts';
import { startSystemTimer, waitMs } from '#base/time/timer.ts';
import type { Service, ServedHub } from '#systemd/service.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

/** A started hub, as `serve` needs it. */
export type RunningHub = ServedHub & {
  readonly addresses: () => readonly string[];
  /** Reads network and settings again. */
  readonly reload: () => Promise<void>;
  /** Resolves when everything is on disk and closed. */
  readonly stop: () => Promise<void>;
};

export type HubRun = {
  readonly start: () => Promise<RunningHub>;
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  readonly service: Service;
  readonly log: Log;
  readonly print: (line: string) => void;
  readonly version: string;
  /** systemd and people wait this long before they use force. */
  readonly stopWithinMs: number;
};

/** Runs the hub until SIGTERM or SIGINT; rejects if the start fails. Does not wait longer than `stopWithinMs`. */
export async function runHub(run: HubRun): Promise<ExitCode> {
  const { start, signals, service, log, print, version, stopWithinMs } = run;
  let hub: RunningHub | undefined;
  let requestStop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => (requestStop = resolve));
  const reload = async (): Promise<void> => {
    try {
      if (hub !== undefined) await service.reload(hub.reload);
    } catch (cause) {
      log.error('the reload failed', { cause });
    }
  };
  const requestReload = (): void => void reload();
  const ended = new AbortController();

  const serveToEnd = async (): Promise<void> => {
    // A signal during the start takes effect after it: only then is there an undo for every step.
    service.starting();
    hub = await start();
    print(describeReady(version, hub.addresses()));
    service.ready(hub);
    await stopRequested;
    log.info('stopping');
    service.stopping();
    await hub.stop();
  };
  const limitStop = async (): Promise<void> => {
    await stopRequested;
    await waitMs(stopWithinMs, startSystemTimer, ended.signal);
    if (!ended.signal.aborted) log.error('some parts did not stop in time; all acknowledged changes are on disk');
  };

  signals.on('SIGTERM', requestStop).on('SIGINT', requestStop).on('SIGHUP', requestReload);
  try {
    await Promise.race([serveToEnd(), limitStop()]);
    return EXIT.ok;
  } finally {
    ended.abort();
    service.end();
    signals.off('SIGTERM', requestStop).off('SIGINT', requestStop).off('SIGHUP', requestReload);
  }
}

function describeReady(version: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return `hearthd ${version} is ready and waits for a network address`;
  // Browsers cannot open a link-local address with its zone.
  const typed = addresses.filter((address) => !address.includes('%'));
  return `hearthd ${version} is ready: ${(typed.length > 0 ? typed : addresses).map((address) => `${address}/`).join(' ')}`;
}
