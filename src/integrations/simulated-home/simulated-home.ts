import { HubError, requireThing } from '#base/hub-error.ts';
import { untilAborted } from '#base/time/timer.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import { refuseUnfit } from '#integrations/peer/source.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createHousehold, type Household } from './household.ts';
import { createPairing, type Pairing } from './pairing.ts';
import { offerOf } from './simulated-device.ts';

export type SimulatedHomePorts = Pick<InstancePorts, 'clock' | 'startTimer' | 'random' | 'log' | 'knownDevices'>;

/** A home without hardware, for trying out the hub and for developing frontends. */
export function createSimulatedHome(_instance: unknown, ports: SimulatedHomePorts): Integration {
  return openHousehold({ ...ports, household: createHousehold({ ...ports, joined: ports.knownDevices() }) });
}

export type OpenHouseholdDeps = Pick<SimulatedHomePorts, 'clock' | 'startTimer' | 'log'> & {
  readonly household: Household;
};

/** The same with a household that somebody else has too: a test that cuts its link. */
export function openHousehold(deps: OpenHouseholdDeps): Integration {
  const { household, log } = deps;
  let pairing: Pairing | undefined;

  const showLink = (sink: DeviceSink, isUp: boolean): void => {
    if (isUp) {
      log.info('the simulated devices are back');
      sink.reportStatus('connected', null);
      return;
    }
    log.warn('the link to the simulated devices is cut');
    sink.reportStatus('error', { code: 'LINK_DOWN', message: 'The link to the simulated devices is cut.' });
    for (const { description } of household.devices) {
      sink.reportAvailability(description.externalId, 'unknown', 'integration_down');
    }
  };

  const reachable = (): Pairing => {
    if (pairing !== undefined && household.isLinkUp()) return pairing;
    throw new HubError('INTEGRATION_DOWN', 'The simulated home cannot be reached.');
  };

  return {
    run: async (sink, signal) => {
      await sink.syncDevices(household.devices.map(offerOf));
      if (signal.aborted) return;
      sink.reportStatus('connected', null);
      const stopListening = household.listen({ ...sink, onLink: (isUp) => showLink(sink, isUp) });
      const own = createPairing({ ...deps, sink });
      pairing = own;
      await untilAborted(signal);
      stopListening();
      own.stop();
      if (pairing === own) pairing = undefined;
    },
    sendCommand: async (command) => {
      const device = requireThing(
        household.devices.find(({ description }) => description.externalId === command.externalId),
        'device in the simulated home',
      );
      refuseUnfit(device.description.features, command);
      household.perform(command);
      return 'device_ack';
    },
    removeDevice: async (externalId, force) => {
      reachable();
      household.leave(externalId, force);
    },
    openPairing: async (seconds) => reachable().open(seconds),
  };
}
