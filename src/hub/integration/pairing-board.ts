import type { Clock } from '#base/time/clock.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { PairingProgress } from '#core/integration/pairing.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { PairingState } from '#core/integration/pairing.ts';

/** Tells how far devices are that join now or joined last, for clients that did not get the events. */
export type PairingBoard = ReturnType<typeof createPairingBoard>;

type Noted = { readonly untilMs: number | null; readonly progress: readonly PairingProgress[] };

const NOTHING: Noted = { untilMs: null, progress: [] };
/** A hundred devices may join at once; nobody needs more to see how far they are. */
const MOST_DEVICES = 100;

export function createPairingBoard({
  events,
  clock,
}: {
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}) {
  const noted = new Map<string, Noted>();
  events.subscribe((event: HomeEvent) => {
    if (event.type === 'integration.removed') noted.delete(event.integration);
    if (event.type !== 'pairing.changed') return;
    const { integration, pairing } = event;
    noted.set(integration, notedAfter(noted.get(integration) ?? NOTHING, pairing, clock.monotonicMs()));
  });
  return {
    stateOf: (integration: string): PairingState => {
      const { untilMs, progress } = noted.get(integration) ?? NOTHING;
      const remainingS = untilMs === null ? 0 : Math.ceil((untilMs - clock.monotonicMs()) / 1_000);
      return { remainingS: remainingS > 0 ? remainingS : null, progress };
    },
    /** The listener gets the steps of one integration until the result is called. */
    follow: (integration: string, listener: (progress: PairingProgress) => void): (() => void) =>
      events.subscribe((event: HomeEvent) => {
        if (event.type === 'pairing.changed' && event.integration === integration) listener(event.pairing);
      }),
  };
}

function notedAfter({ untilMs, progress }: Noted, pairing: PairingProgress, nowMs: number): Noted {
  const { step, externalId, seconds } = pairing;
  if (step === 'opened') return { untilMs: nowMs + (seconds ?? 0) * 1_000, progress: [] };
  if (step === 'closed') return { untilMs: null, progress };
  // What had no id yet is the device that has one now.
  const others = progress.filter((one) => one.externalId !== null && one.externalId !== externalId);
  return { untilMs, progress: [...others, pairing].slice(-MOST_DEVICES) };
}
