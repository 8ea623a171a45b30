import type { StartTimer } from '#base/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { BridgeEvent } from './bridge-message.ts';
import type { BridgeRequests } from './bridge-requests.ts';

export type Pairing = {
  readonly open: (seconds: number) => Promise<void>;
  readonly onEvent: (event: BridgeEvent) => void;
  readonly stop: () => void;
};

/** The radio counts in one byte, of which the highest value means "for ever". */
const MAX_SECONDS = 254;
const NOTHING = { externalId: null, seconds: null, detail: null } as const;

export type PairingDeps = {
  readonly sink: Pick<DeviceSink, 'reportPairing'>;
  readonly requests: BridgeRequests;
  readonly startTimer: StartTimer;
};

export function createPairing({ sink, requests, startTimer }: PairingDeps): Pairing {
  let stopTimer = (): void => undefined;
  const close = (): void => {
    stopTimer();
    sink.reportPairing({ ...NOTHING, step: 'closed' });
  };
  return {
    open: async (wanted) => {
      const seconds = Math.min(MAX_SECONDS, Math.max(0, Math.round(wanted)));
      await requests.ask('permit_join', { time: seconds });
      if (seconds === 0) return close();
      stopTimer();
      // Zigbee2MQTT closes by itself and does not say so.
      stopTimer = startTimer(seconds * 1000, close);
      sink.reportPairing({ ...NOTHING, step: 'opened', seconds });
    },
    onEvent: ({ type, status, ieeeAddress, name, isSupported, vendor, model }) => {
      const step =
        type === 'device_joined' ? 'device_found' : type === 'device_interview' ? interviewStep(status) : null;
      if (step === null) return;
      const detail = { name, supported: isSupported, manufacturer: vendor, model };
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
