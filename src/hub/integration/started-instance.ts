import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { PairingProgress } from '#core/integration/pairing.ts';
import { SetupFailure } from '#core/integration/setup-step.ts';
import type { StartedInstance } from '#integrations/ports.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import type { PairingBoard } from './pairing-board.ts';

type StartedInstanceDeps = {
  readonly supervisor: Pick<Supervisor, 'findIntegration' | 'statusOf'>;
  readonly pairings: Pick<PairingBoard, 'follow'>;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly startTimer: StartTimer;
};

/** How long the integration may need to end the pairing. */
const STOP_MS = 5_000;

/** Gives a set-up what it may do with the instance that it made. */
export function createStartedInstance(deps: StartedInstanceDeps) {
  return (id: string, signal: AbortSignal): StartedInstance => ({
    connected: () => untilConnected(deps, id, signal),
    pair: (code) => pair(deps, { id, code, signal }),
  });
}

function untilConnected({ supervisor, events }: StartedInstanceDeps, id: string, signal: AbortSignal): Promise<void> {
  const leave: (() => void)[] = [];
  return new Promise<void>((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    const look = (): void => {
      const { state, error } = supervisor.statusOf(id);
      if (state === 'connected') resolve();
      if (state !== 'error' && state !== 'needs_action') return;
      reject(new SetupFailure(error?.code.toLowerCase() ?? 'failed', error?.message ?? 'It does not start.'));
    };
    leave.push(events.subscribe((event) => event.type === 'integration.changed' && look()));
    signal.addEventListener('abort', end, { once: true });
    leave.push(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
    look();
  }).finally(() => {
    for (const go of leave) go();
  });
}

type Wanted = { readonly id: string; readonly code: string; readonly signal: AbortSignal };

async function* pair(deps: StartedInstanceDeps, { id, code, signal }: Wanted): AsyncGenerator<PairingProgress> {
  const integration = deps.supervisor.findIntegration(id);
  if (integration?.pairByCode === undefined) throw new HubError('INTEGRATION_DOWN', 'The integration does not run.');
  const heard: PairingProgress[] = [];
  let wake = (): void => undefined;
  const leave = deps.pairings.follow(id, (progress) => {
    heard.push(progress);
    wake();
  });
  const next = async (until: AbortSignal): Promise<PairingProgress | undefined> => {
    while (heard.length === 0 && !until.aborted) {
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return heard.shift();
  };
  const end = (): void => wake();
  signal.addEventListener('abort', end);
  let isOver = true;
  try {
    await integration.pairByCode(code);
    isOver = false;
    for (;;) {
      const progress = await next(signal);
      if (progress === undefined) throw signal.reason;
      isOver = progress.step === 'closed';
      if (isOver) return;
      yield progress;
    }
  } finally {
    signal.removeEventListener('abort', end);
    if (!isOver) await stop();
    leave();
  }

  async function stop(): Promise<void> {
    const late = new AbortController();
    const stopTimer = deps.startTimer(STOP_MS, () => {
      late.abort();
      wake();
    });
    try {
      await integration?.openPairing?.(0);
      while (!late.signal.aborted && (await next(late.signal))?.step !== 'closed');
    } finally {
      stopTimer();
    }
  }
}
