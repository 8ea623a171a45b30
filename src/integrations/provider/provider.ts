import { HubError } from '#base/hub-error.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { ProviderDoor, ProviderReport } from '#core/provider/provider.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createCommandDesk } from './command-desk.ts';

export type ProviderInstance = { readonly name: string; readonly settings: { readonly lease_s: number } };
export type ProviderPorts = Pick<InstancePorts, 'clock' | 'startTimer' | 'random' | 'log' | 'knownDevices'>;

/** The reason that people see for a state that the script gave. */
const REASONS: Readonly<Record<AvailabilityState, string | null>> = {
  online: null,
  offline: 'unreachable',
  asleep: 'asleep',
  unknown: 'no_report',
};

/**
 * An integration whose other end is a script. There is no link to lose: a script that has made no call for the time of
 * its lease is gone, and its devices are offline until it calls again.
 */
export function createProvider(
  { name, settings }: ProviderInstance,
  ports: ProviderPorts,
): Integration & { readonly provider: ProviderDoor } {
  let run: DeviceSink | undefined;
  const sinkOrRefuse = (): DeviceSink => {
    if (run === undefined) throw new HubError('INTEGRATION_DOWN', `${name} is switched off.`);
    return run;
  };
  const desk = createCommandDesk({
    ...ports,
    onLateAnswer: ({ externalId, keys, outcome }) => {
      if (typeof outcome === 'string') run?.reportCommandAcknowledged(externalId, keys, outcome);
      else run?.reportCommandFailure(externalId, keys, outcome.reason);
    },
  });
  const lease = createLease({ ...ports, leaseS: settings.lease_s, isCalling: desk.isAwaited, onLapse: desk.clear });
  const report = ({ externalId, values, occurrences, observedAtMs, availability }: ProviderReport): void => {
    const sink = sinkOrRefuse();
    lease.hear(externalId);
    if (values.size > 0) sink.reportValues(externalId, values, observedAtMs ?? undefined);
    const state = availability ?? 'online';
    sink.reportAvailability(externalId, state, REASONS[state]);
    for (const { key, occurrence } of occurrences) sink.reportOccurrence(externalId, key, occurrence);
  };

  return {
    run: (sink, signal) =>
      new Promise((resolve) => {
        run = sink;
        lease.start(sink);
        const end = (): void => {
          run = undefined;
          lease.stop();
          desk.clear(`${name} is being stopped.`);
          resolve();
        };
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      }),
    sendCommand: async (command: DeviceCommand) => {
      sinkOrRefuse();
      lease.refuseSilent();
      return desk.send(command);
    },
    provider: {
      renew: () => {
        sinkOrRefuse();
        lease.renew();
      },
      describeDevice: (device) => sinkOrRefuse().describeDevice(device),
      removeDevice: (externalId) => {
        const sink = sinkOrRefuse();
        desk.forgetDevice(externalId);
        lease.forget(externalId);
        return sink.removeDevice(externalId);
      },
      report,
      takeCommands: async (waitMs, signal) => {
        sinkOrRefuse();
        return desk.take(waitMs, signal);
      },
      findCommand: desk.find,
      answerCommand: (commandId, answer) => {
        const command = desk.find(commandId);
        if (command === undefined) return;
        if (answer.status === 'done') {
          const { externalId } = command;
          report({ externalId, values: answer.values, occurrences: [], observedAtMs: null, availability: null });
        }
        desk.answer(commandId, answer);
      },
    },
  };
}

type LeaseDeps = ProviderPorts & {
  readonly leaseS: number;
  /** A call of the script is open at the moment. */
  readonly isCalling: () => boolean;
  readonly onLapse: (reason: string) => void;
};

/** How long the script may be silent, and what is shown of that. */
function createLease({ leaseS, clock, knownDevices, startTimer, log, isCalling, onLapse }: LeaseDeps) {
  let run: DeviceSink | undefined;
  /** `new` until the first call of this run. */
  let state: 'new' | 'held' | 'lapsed' = 'new';
  let stopTimer: (() => void) | undefined;
  /** Devices of which the script spoke since the lease is as it is. */
  const heard = new Set<string>();
  const silence = `The script has made no call for ${leaseS} s.`;

  /** Shows all devices that the script did not speak of, unless the lease changes meanwhile. */
  const showAll = (sink: DeviceSink, [availability, reason]: readonly [AvailabilityState, string]): void => {
    const during = state;
    const show = (externalId: string): void => {
      if (run === sink && state === during && !heard.has(externalId))
        sink.reportAvailability(externalId, availability, reason);
    };
    eachInSlices(knownDevices(), clock.monotonicMs, show).catch((cause: unknown) => {
      log.error('showing the devices failed', { cause });
    });
  };
  const begin = (): void => {
    stopTimer?.();
    stopTimer = startTimer(leaseS * 1_000, lapse);
  };
  const lapse = (): void => {
    if (isCalling()) return begin();
    if (run === undefined) return;
    state = 'lapsed';
    heard.clear();
    log.warn(`${silence} Its devices are offline until it calls again`);
    onLapse(silence);
    run.reportStatus('error', { code: 'INTEGRATION_DOWN', message: silence });
    showAll(run, ['offline', 'integration_down']);
  };
  return {
    start: (sink: DeviceSink): void => {
      run = sink;
      state = 'new';
      heard.clear();
      sink.reportStatus('connecting', null);
      begin();
    },
    stop: (): void => {
      run = undefined;
      stopTimer?.();
    },
    renew: (): void => {
      begin();
      if (state === 'held' || run === undefined) return;
      const wasLapsed = state === 'lapsed';
      state = 'held';
      run.reportStatus('connected', null);
      if (!wasLapsed) return;
      log.info('the script calls again');
      showAll(run, ['unknown', 'no_report']);
    },
    hear: (externalId: string): void => void heard.add(externalId),
    forget: (externalId: string): void => void heard.delete(externalId),
    refuseSilent: (): void => {
      if (state !== 'held') throw new HubError('INTEGRATION_DOWN', silence);
    },
  };
}
