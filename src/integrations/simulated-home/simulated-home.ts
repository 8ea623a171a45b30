import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { readWish } from '#core/wish.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { Household } from './household.ts';

export const SIMULATED_HOME = 'simulated-home';

/** A home without hardware: for trying the hub out, and for developing frontends against it. */
export function createSimulatedHome({ household, log }: { household: Household; log: Log }): Integration {
  const showLink = (sink: DeviceSink, isUp: boolean): void => {
    if (isUp) {
      log.info('the simulated devices are back');
      sink.reportStatus('connected', null);
      return;
    }
    log.warn('the way to the simulated devices is cut');
    sink.reportStatus('error', { code: 'LINK_DOWN', message: 'The way to the simulated devices is cut.' });
    for (const { description } of household.devices) {
      sink.reportAvailability(description.externalId, 'unknown', 'integration_down');
    }
  };

  return {
    id: SIMULATED_HOME,
    name: 'Simulated home',
    run: async (sink, signal) => {
      await sink.syncDevices(household.devices.map(({ description }) => description));
      if (signal.aborted) return;
      sink.reportStatus('connected', null);
      const stopListening = household.listen({ ...sink, onLink: (isUp) => showLink(sink, isUp) });
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      stopListening();
    },
    sendCommand: async (command) => {
      const device = household.devices.find(({ description }) => description.externalId === command.externalId);
      if (device === undefined) throw new HubError('NOT_FOUND', 'There is no such device in the simulated home.');
      const wish = command.action === null ? { set: Object.fromEntries(command.set) } : { do: command.action };
      const reading = readWish({ features: device.description.features, states: new Map() }, wish);
      if ('errors' in reading) {
        throw new HubError('VALIDATION_FAILED', 'The device cannot do this.', { errors: reading.errors });
      }
      household.perform(command);
      return 'device_ack';
    },
  };
}
