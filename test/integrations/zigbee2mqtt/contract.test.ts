import type { Integration } from '#integrations/integration.ts';
import { createBrokeredZigbee2mqtt } from '#test/support/kinds/mqtt-broker-instance.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const BULB: Record<string, unknown> = { ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Living room/Lamp' };
const SENSOR = { ...deviceEntry('SONOFF/SNZB-02D'), friendly_name: 'Balcony' };

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const broker = await startBroker();
  const peer = await startFakeZigbee2mqtt(broker, [BULB, SENSOR]);
  const { log, lines } = createRecordingLog();
  const create = (): Integration => createBrokeredZigbee2mqtt({ url: broker.url }, { log, ...time, random: () => 0.5 });
  return {
    integration: create(),
    reopen: create,
    logLines: lines,
    breakLink: broker.stop,
    healLink: broker.start,
    sendGarbage: async () => {
      const topics = [
        'bridge/devices',
        'bridge/state',
        'bridge/event',
        'bridge/logging',
        'bridge/response/device/remove',
      ];
      for (const topic of [...topics, 'Living room/Lamp', 'Balcony/availability']) {
        for (const payload of hostilePayloads()) await broker.publish(`zigbee2mqtt/${topic}`, payload);
      }
      await peer.publish('Balcony', { temperature: 'warm', battery: null, action: 7, humidity: [], __proto__: null });
    },
    wire: () => broker.received.filter(({ topic }) => topic.endsWith('/set')),
    command: { externalId: String(BULB['ieee_address']), key: 'on', value: true },
    openEnds: () => broker.connections() + broker.subscriptions().size,
    close: broker.close,
  };
}

describeIntegrationContract('zigbee2mqtt', openWorld);
