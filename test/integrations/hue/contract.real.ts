import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { createHueWorld } from '#test/support/hue/hue-world.ts';

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const bridge = await startHueBridge();
  const world = createHueWorld(bridge, time);
  const lamp = await bridge.idOf('Desk');
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: () => bridge.act('stop'),
    healLink: () => bridge.act('start'),
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const text = payload.toString().replaceAll(/[\r\n]/g, ' ');
        await bridge.act('says', { text: `data: ${text}\n\n` });
        await bridge.act('says', { text: `data: [{"type":"update","data":[${text}]}]\n\n` });
      }
      const wrong = { id: await bridge.idOf('Desk'), type: 'light', on: { on: 'yes' }, dimming: { brightness: null } };
      await bridge.act('says', { text: `data: ${JSON.stringify([{ type: 'update', data: [wrong] }])}\n\n` });
    },
    wire: () => world.sent,
    command: { externalId: lamp, key: 'on', value: true },
    openEnds: world.open,
    close: async () => {
      world.close();
      await bridge.close();
    },
  };
}

describeIntegrationContract('hue', openWorld);
