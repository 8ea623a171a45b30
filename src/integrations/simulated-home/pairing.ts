import type { Runtime } from '#base/time/runtime.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { createAgenda } from './agenda.ts';
import type { Household } from './household.ts';
import { offerOf, type SimulatedDevice } from './simulated-device.ts';

export type Pairing = ReturnType<typeof createPairing>;

type PairingDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly household: Pick<Household, 'absent' | 'join'>;
  readonly sink: Pick<DeviceSink, 'describeDevice' | 'reportPairing'>;
};

/** Long enough to see each step, short enough not to give up. */
const FIRST_AFTER_MS = 3_000;
const NEXT_AFTER_MS = 6_000;
const INTERVIEW_AFTER_MS = 800;
const INTERVIEW_MS = 2_200;

/** Lets devices appear one after the other while pairing is open. A shy one fails its first interview. */
export function createPairing({ household, sink, clock, startTimer, log }: PairingDeps) {
  const agenda = createAgenda({ clock, startTimer, log });
  const failed = new Set<SimulatedDevice>();
  const waiting = new Set<SimulatedDevice>();
  /** Number of the present opening. Tasks planned by an earlier one do nothing. */
  let opening = 0;
  let isOpen = false;
  let stopTimer = (): void => undefined;

  const report = (step: Parameters<DeviceSink['reportPairing']>[0]['step'], device: SimulatedDevice): void => {
    const { externalId, manufacturer, model } = device.description;
    // Before its interview the device is unknown.
    const detail = step === 'interview_done' ? { name: externalId, supported: true, manufacturer, model } : null;
    sink.reportPairing({ step, externalId, seconds: null, detail });
  };
  const finish = async (device: SimulatedDevice): Promise<void> => {
    if (device.isShy === true && !failed.has(device)) {
      failed.add(device);
      return report('interview_failed', device);
    }
    try {
      await sink.describeDevice(offerOf(device));
      household.join(device);
      report('interview_done', device);
    } catch (cause) {
      log.warn('a simulated device could not join', { device: device.description.externalId, cause });
      report('interview_failed', device);
    }
  };
  const findNext = (own: number): void => {
    if (!isOpen || own !== opening) return;
    const device = household.absent().find((one) => !waiting.has(one));
    if (device === undefined) return;
    waiting.add(device);
    report('device_found', device);
    agenda.add(INTERVIEW_AFTER_MS, () => report('interview_started', device));
    agenda.add(INTERVIEW_AFTER_MS + INTERVIEW_MS, () => void finish(device).finally(() => waiting.delete(device)));
    agenda.add(NEXT_AFTER_MS, () => findNext(own));
  };
  const close = (): void => {
    stopTimer();
    isOpen = false;
    sink.reportPairing({ step: 'closed', externalId: null, seconds: null, detail: null });
  };
  return {
    /** 0 closes. An interview that has begun goes on to its end. */
    open: (seconds: number): void => {
      if (seconds === 0) return close();
      stopTimer();
      stopTimer = startTimer(seconds * 1000, close);
      opening += 1;
      isOpen = true;
      const own = opening;
      sink.reportPairing({ step: 'opened', externalId: null, seconds, detail: null });
      agenda.add(FIRST_AFTER_MS, () => findNext(own));
    },
    /** Leaves no timer. */
    stop: (): void => {
      stopTimer();
      isOpen = false;
      agenda.clear();
    },
  };
}
