import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { MAX_PAIRING_S } from '#core/integration/pairing.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { BridgeEvent, PermitJoin } from './bridge-message.ts';
import type { BridgeRequests } from './bridge-requests.ts';

export type Pairing = {
  readonly open: (seconds: number) => Promise<void>;
  /** What the bridge says of pairing, which others may have opened; `isKept` where the broker kept it. */
  readonly onPermitJoin: (permitJoin: PermitJoin, isKept: boolean) => void;
  /** Whether any event can be told of; when not, none needs to be read. */
  readonly isListening: () => boolean;
  readonly onEvent: (event: BridgeEvent) => void;
  readonly stop: () => void;
};

/** What was on its way when pairing closed. */
const AFTERWARDS_MS = 10_000;
/** Devices that are told of in one opening. */
const MAX_FOUND = 100;
const NOTHING = { externalId: null, seconds: null, detail: null } as const;

export type PairingDeps = {
  readonly sink: Pick<DeviceSink, 'reportPairing'>;
  readonly requests: BridgeRequests;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
};

/** Tells of devices that turn up while pairing is open, each step of each once, and of interviews that began then. */
export function createPairing({ sink, requests, clock, startTimer }: PairingDeps): Pairing {
  const until = { hub: Number.NEGATIVE_INFINITY, others: Number.NEGATIVE_INFINITY };
  /** By address, what was told last of each device whose interview is not over. */
  const found = new Map<string, string>();
  let stopTimer = (): void => undefined;

  const isOpen = (): boolean => clock.monotonicMs() < Math.max(until.hub, until.others) + AFTERWARDS_MS;
  const openFor = (whose: keyof typeof until, ms: number): void => {
    const nowMs = clock.monotonicMs();
    if (ms > 0 && !isOpen()) found.clear();
    // What was closed stays closed: it has no end that is now.
    until[whose] = ms > 0 ? nowMs + ms : Math.min(until[whose], nowMs);
  };
  const close = (): void => {
    stopTimer();
    openFor('hub', 0);
    sink.reportPairing({ ...NOTHING, step: 'closed' });
  };
  return {
    open: async (wanted) => {
      const seconds = Math.min(MAX_PAIRING_S, Math.max(0, Math.round(wanted)));
      await requests.ask('permit_join', { time: seconds });
      if (seconds === 0) return close();
      stopTimer();
      openFor('hub', seconds * 1000);
      // Zigbee2MQTT closes by itself and does not say so.
      stopTimer = startTimer(seconds * 1000, close);
      sink.reportPairing({ ...NOTHING, step: 'opened', seconds });
    },
    onPermitJoin: ({ isOpen: isPermitted, endMs }, isKept) => {
      // What is said now is so now, whatever the clock of the other machine shows.
      const leftMs = isKept && endMs !== null ? endMs - clock.wallMs() : MAX_PAIRING_S * 1000;
      openFor('others', isPermitted ? Math.min(Math.max(leftMs, 0), MAX_PAIRING_S * 1000) : 0);
    },
    isListening: () => isOpen() || found.size > 0,
    onEvent: ({ type, status, ieeeAddress, name, isSupported, vendor, model }) => {
      const step =
        type === 'device_joined' ? 'device_found' : type === 'device_interview' ? interviewStep(status) : null;
      if (step === null) return;
      const told = found.get(ieeeAddress);
      if (!isOpen() && (told === undefined || step === 'device_found')) return;
      if (told === undefined && found.size >= MAX_FOUND) return;
      const detail = { name, supported: isSupported, manufacturer: vendor, model };
      const telling = JSON.stringify([step, detail]);
      if (telling === told) return;
      if (!isOpen() && step !== 'interview_started') found.delete(ieeeAddress);
      else found.set(ieeeAddress, telling);
      sink.reportPairing({ step, externalId: ieeeAddress, seconds: null, detail });
    },
    stop: () => stopTimer(),
  };
}

function interviewStep(
  status: BridgeEvent['status'],
): 'interview_started' | 'interview_done' | 'interview_failed' | null {
  if (status === null) return null;
  return ({ started: 'interview_started', successful: 'interview_done', failed: 'interview_failed' } as const)[status];
}
