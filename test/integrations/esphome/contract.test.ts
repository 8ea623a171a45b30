import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { NODE_MAC, startEsphomeNode } from '#test/support/esphome/esphome-node.ts';
import { createEsphomeWorld } from '#test/support/esphome/esphome-world.ts';
import { echo, LISTING, STATES } from '#test/support/esphome/listing.ts';

const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const STATE_TYPES = [21, 22, 23, 24, 25, 26, 27, 47, 50, 53, 95, 101, 104, 108, 110, 113, 117, 133];

async function openWorld(time: ContractTime, key?: Buffer): Promise<IntegrationUnderTest> {
  const node = await startEsphomeNode({
    listing: LISTING,
    states: STATES,
    onCommand: echo,
    ...(key === undefined ? {} : { key }),
  });
  const world = createEsphomeWorld(node.host, { ...time, ...(key && { password: key.toString('base64') }) });
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: node.unplug,
    healLink: node.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const body = Buffer.from(payload).subarray(0, 60_000);
        for (const type of [...STATE_TYPES, 12, 16, 41, 300, 65_535]) node.says(type, body);
      }
    },
    wire: () => node.wire,
    command: { externalId: NODE_MAC, key: 'on', value: true },
    openEnds: world.open,
    close: async () => {
      world.close();
      await node.close();
    },
  };
}

describeIntegrationContract('esphome in clear', (time) => openWorld(time));
describeIntegrationContract('esphome with a key', (time) => openWorld(time, KEY));
