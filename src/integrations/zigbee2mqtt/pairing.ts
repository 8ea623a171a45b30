import type { Runtime } from '#base/time/runtime.ts';
import { MAX_PAIRING_S } from '#core/integration/pairing.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { BridgeEvent, PermitJoin } from './bridge-message.ts';
import type { BridgeRequests } from './bridge-requests.ts';

export type Pairing = ReturnType<typeof createPairing>;

/** Events that were under way when pairing ended are still reported this long. */
const AFTERWARDS_MS = 10_000;
const MAX_FOUND = 100;
const NOTHING = { externalId: null, seconds: null, detail: null } as const;

type PairingDeps = Pick<Runtime, 'clock' | 'startTimer'> & {
  readonly sink: Pick<DeviceSink, 'reportPairing'>;
  readonly requests: BridgeRequests;
};

/**
 * Reports the devices that appear while pairing is open, each step of each once, and the interviews that began then.
 */
export function createPairing({ sink, requests, clock, startTimer }: PairingDeps) {
  const until = { hub: Number.NEGATIVE_INFINITY, others: Number.NEGATIVE_INFINITY };
  /** By address, the last report of each device whose interview is not over. */
  const found = new Map<string, string>();
  let stopTimer = (): void => undefined;

  const isOpen = (): boolean => clock.monotonicMs() < Math.max(until.hub, until.others) + AFTERWARDS_MS;
  const openFor = (opener: keyof typeof until, ms: number): void => {
    const nowMs = clock.monotonicMs();
    if (ms > 0 && !isOpen()) found.clear();
    // `min`: closing again must not move an earlier end to now.
    until[opener] = ms > 0 ? nowMs + ms : Math.min(until[opener], nowMs);
  };
  const close = (): void => {
    stopTimer();
    openFor('hub', 0);
    sink.reportPairing({ ...NOTHING, step: 'closed' });
  };
  return {
    open: async (requestedS: number): Promise<void> => {
      const seconds = Math.min(MAX_PAIRING_S, Math.max(0, Math.round(requestedS)));
      // Until 1.42 a request has a `value`, since 2.0 a `time`; each takes what the other one needs.
      await requests.ask('permit_join', { value: seconds > 0, time: seconds });
      if (seconds === 0) return close();
      stopTimer();
      openFor('hub', seconds * 1000);
      // Zigbee2MQTT ends pairing by itself and sends no message about it.
      stopTimer = startTimer(seconds * 1000, close);
      sink.reportPairing({ ...NOTHING, step: 'opened', seconds });
    },
    /** The bridge's state of pairing, which another program may have opened. `isKept` if the broker kept the message. */
    onPermitJoin: ({ isOpen: isPermitted, endMs }: PermitJoin, isKept: boolean): void => {
      // Only a kept message needs the other machine's clock: a fresh one is true now.
      const leftMs = isKept && endMs !== null ? endMs - clock.wallMs() : MAX_PAIRING_S * 1000;
      openFor('others', isPermitted ? Math.min(Math.max(leftMs, 0), MAX_PAIRING_S * 1000) : 0);
    },
    /** Whether an event could be reported now. If not, none needs to be parsed. */
    isListening: (): boolean => isOpen() || found.size > 0,
    onEvent: ({ type, status, ieeeAddress, name, isSupported, vendor, model }: BridgeEvent): void => {
      const step =
        type === 'device_joined' ? 'device_found' : type === 'device_interview' ? interviewStep(status) : null;
      if (step === null) return;
      const last = found.get(ieeeAddress);
      if (!isOpen() && (last === undefined || step === 'device_found')) return;
      if (last === undefined && found.size >= MAX_FOUND) return;
      const detail = { name, supported: isSupported, manufacturer: vendor, model };
      const report = JSON.stringify([step, detail]);
      if (report === last) return;
      if (!isOpen() && step !== 'interview_started') found.delete(ieeeAddress);
      else found.set(ieeeAddress, report);
      sink.reportPairing({ step, externalId: ieeeAddress, seconds: null, detail });
    },
    stop: (): void => stopTimer(),
  };
}

function interviewStep(
  status: BridgeEvent['status'],
): 'interview_started' | 'interview_done' | 'interview_failed' | null {
  if (status === null) return null;
  return ({ started: 'interview_started', successful: 'interview_done', failed: 'interview_failed' } as const)[status];
}
