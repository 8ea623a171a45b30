import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';
import { SHELLY_MAC } from '#test/support/shelly/shelly-dumps.ts';
import { createShellyWorld } from '#test/support/shelly/shelly-world.ts';

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const device = await startShellyDevice();
  const world = createShellyWorld(device.host, time);
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: device.unplug,
    healLink: device.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const text = payload.toString();
        device.says(payload);
        device.says(`{"method":"NotifyStatus","params":{"switch:0":${text},"sys":{"available_updates":${text}}}}`);
        device.says(`{"method":"NotifyEvent","params":{"events":${text}}}`);
        device.says(`{"id":${text},"result":${text}}`);
      }
      device.says('{"method":"NotifyStatus","params":{"switch:0":{"output":"yes","apower":1e999},"switch:9":{}}}');
      device.says('{"method":"NotifyEvent","params":{"events":[{"component":"switch:0","event":"toString"},null]}}');
    },
    wire: () => device.wire,
    command: { externalId: SHELLY_MAC, key: 'on', value: true },
    openEnds: world.open,
    close: async () => {
      world.close();
      await device.close();
    },
  };
}

describeIntegrationContract('shelly', openWorld);
