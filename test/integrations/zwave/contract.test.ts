import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startZwaveServer, SWITCH } from '#test/support/zwave/zwave-server.ts';
import { createZwaveWorld } from '#test/support/zwave/zwave-world.ts';

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const server = await startZwaveServer();
  const world = createZwaveWorld(server.host, time);
  const id = '"commandClass":37,"endpoint":0,"property":"currentValue"';
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: server.unplug,
    healLink: server.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const text = payload.toString();
        server.saysRaw(payload);
        server.saysRaw(`{"type":"event","event":${text}}`);
        server.saysRaw(
          `{"type":"event","event":{"source":"node","event":"notification","nodeId":6,"ccId":113,"args":${text}}}`,
        );
        server.saysRaw(`{"type":"event","event":{"source":"node","event":"value updated","nodeId":${text},"args":{}}}`);
        server.saysRaw(
          `{"type":"event","event":{"source":"node","event":"value notification","nodeId":3,"args":${text}}}`,
        );
        server.saysRaw(`{"type":"event","event":{"source":"controller","event":"node removed","node":${text}}}`);
        server.saysRaw(`{"type":"result","success":${text},"messageId":${text},"result":${text}}`);
      }
      server.saysRaw(
        `{"type":"event","event":{"source":"node","event":"value updated","nodeId":2,"args":{${id},"newValue":"yes"}}}`,
      );
      server.saysRaw('{"type":"event","event":{"source":"node","event":"toString","nodeId":2,"args":{"__proto__":1}}}');
    },
    wire: () => server.wire,
    command: { externalId: SWITCH, key: 'on', value: true },
    openEnds: world.open,
    close: async () => {
      world.close();
      await server.close();
    },
  };
}

describeIntegrationContract('zwave', openWorld);
