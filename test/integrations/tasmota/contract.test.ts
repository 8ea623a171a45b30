import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { startTasmotaDevice, TASMOTA_MAC } from '#test/support/tasmota/tasmota-device.ts';
import { createTasmotaWorld } from '#test/support/tasmota/tasmota-world.ts';

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const broker = await startBroker();
  const device = await startTasmotaDevice(broker);
  const world = createTasmotaWorld(broker.url, time);
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: broker.stop,
    healLink: broker.start,
    sendGarbage: async () => {
      const own = ['tele/STATE', 'tele/SENSOR', 'tele/LWT', 'stat/RESULT', 'stat/STATUS10', 'stat/POWER'];
      const topics = [
        ...own.map((name) => name.replace('/', `/${device.topic()}/`)),
        `tasmota/discovery/${TASMOTA_MAC}/sensors/x`,
        'tasmota/discovery/FFFFFFFFFFFF/config',
        'tasmota/discovery/nothing/config',
      ];
      for (const topic of topics) {
        for (const payload of hostilePayloads()) if (payload.length > 0) await broker.publish(topic, payload);
      }
      await device.publish('stat/RESULT', { POWER: 7, ENERGY: { Power: 'much' }, Wifi: null, __proto__: null });
    },
    wire: () => device.wire,
    command: { externalId: TASMOTA_MAC, key: 'on', value: true },
    openEnds: () => broker.connections() + broker.subscriptions().size,
    close: broker.close,
  };
}

describeIntegrationContract('tasmota', openWorld);
