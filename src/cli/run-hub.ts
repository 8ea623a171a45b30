import type { Log } from '#base/log.ts';
import { startSystemTimer, waitMs } from '#base/time/timer.ts';
import type { Service, ServedHub } from '#systemd/service.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

/** A started hub, as `serve` needs it. */
export type RunningHub = ServedHub & {
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  /** Looks at network and settings anew. */
  readonly reload: () => Promise<void>;
  /** Resolves when everything is on disk and closed. */
  readonly stop: () => Promise<void>;
};

export type HubRun = {
  readonly start: () => Promise<RunningHub>;
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  /** Who started it and wants to know how it is. */
  readonly service: Service;
  readonly log: Log;
  readonly print: (line: string) => void;
  readonly version: string;
  /** systemd and people wait this long before they use force. */
  readonly stopWithinMs: number;
};

/** Runs the hub until SIGTERM or SIGINT; a start that fails rejects. What does not end in time is left behind. */
export async function runHub(run: HubRun): Promise<ExitCode> {
  const { start, signals, service, log, print, version, stopWithinMs } = run;
  let hub: RunningHub | undefined;
  let requestStop = (): void => undefined;
  const toldToStop = new Promise<void>((resolve) => (requestStop = resolve));
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
    // Told to stop meanwhile, it starts to its end first: then there is an undo for all of it.
    service.starting();
    hub = await start();
    print(describeReady(version, hub.addresses()));
    service.ready(hub);
    await toldToStop;
    log.info('stopping');
    service.stopping();
    await hub.stop();
  };
  const loseTime = async (): Promise<void> => {
    await toldToStop;
    await waitMs(stopWithinMs, startSystemTimer, ended.signal);
    if (!ended.signal.aborted) log.error('not everything ended in time; what was acknowledged is on disk');
  };

  signals.on('SIGTERM', requestStop).on('SIGINT', requestStop).on('SIGHUP', requestReload);
  try {
    await Promise.race([serveToEnd(), loseTime()]);
    return EXIT.ok;
  } finally {
    ended.abort();
    service.end();
    signals.off('SIGTERM', requestStop).off('SIGINT', requestStop).off('SIGHUP', requestReload);
  }
}

function describeReady(version: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return `hearthd ${version} is ready and waits for a network address`;
  // No browser opens a link-local address with its zone.
  const typed = addresses.filter((address) => !address.includes('%'));
  return `hearthd ${version} is ready: ${(typed.length > 0 ? typed : addresses).map((address) => `${address}/`).join(' ')}`;
}
