import { HubError } from '#base/hub-error.ts';
import type { Instance } from '#core/integration/instance.ts';
import { bridgeFault } from '#integrations/hue/clip/bridge.ts';
import type { Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { runBridge, type Up } from './bridge-run.ts';
import type { HueSettings } from './hue-settings.ts';
import { setUpHue } from './set-up.ts';

export const hueCode: IntegrationCode<HueSettings> = { create: createHue, setUp: setUpHue };

/** The devices of one bridge. */
export function createHue(instance: Instance<HueSettings>, ports: InstancePorts): Integration {
  let up: Up | null = null;
  const upParts = (): Up => {
    if (up === null) throw new HubError('INTEGRATION_DOWN', 'The bridge is not connected.');
    return up;
  };
  return {
    run: async (sink, signal) => {
      sink.reportStatus('connecting', null);
      const key = await ports.secrets.read('key');
      const setUp = (next: Up | null): void => {
        up = next;
      };
      if (key !== null) return runBridge({ instance, ports, key, sink, signal, setUp });
      const { code, message } = bridgeFault('KEY_REFUSED');
      sink.reportStatus('needs_action', { code, message });
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    sendCommand: async (command) => upParts().commands.send(command),
    sendGroup: (commands) => upParts().commands.sendGroup(commands),
    removeDevice: async (externalId) => upParts().commands.removeDevice(externalId),
    openPairing: async (seconds) => {
      const { commands, pairing } = upParts();
      if (seconds === 0) throw new HubError('NOT_SUPPORTED', 'The bridge ends its search by itself after a minute.');
      await commands.search();
      pairing.opened();
    },
  };
}
