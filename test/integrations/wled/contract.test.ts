import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startWledLight, WLED_MAC } from '#test/support/wled/wled-light.ts';
import { createWledWorld } from '#test/support/wled/wled-world.ts';

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const light = await startWledLight();
  const world = createWledWorld(light.host, time);
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: light.unplug,
    healLink: light.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        light.says(payload);
        light.says(`{"state":${payload.toString()},"info":${payload.toString()}}`);
      }
      light.says('{"state":{"on":"yes","bri":1e999,"seg":[{"id":-1},{"id":"0"},null]},"info":{"mac":7}}');
    },
    wire: () => light.wire,
    command: { externalId: WLED_MAC, key: 'on', value: true },
    openEnds: world.open,
    close: async () => {
      world.close();
      await light.close();
    },
  };
}

describeIntegrationContract('wled', openWorld);
