import type { Integration } from '#integrations/integration.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createBrokeredDiscovery } from '#test/support/kinds/discovery-instance.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';

const DEVICE = { ids: ['relay-1'], name: 'Relay', mf: 'Maker', mdl: 'R1' };
const SWITCH = { '~': 'relay', name: null, uniq_id: 'relay-1-on', dev: DEVICE, cmd_t: '~/set', stat_t: '~/state' };
const SENSOR = {
  name: 'Temperature',
  uniq_id: 'relay-1-t',
  dev: DEVICE,
  stat_t: 'relay/t',
  dev_cla: 'temperature',
  unit_of_meas: '°C',
  val_tpl: '{{ value_json.t }}',
};

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const broker = await startBroker();
  const announce = async (): Promise<void> => {
    await broker.publish('homeassistant/switch/relay/on/config', JSON.stringify(SWITCH), true);
    await broker.publish('homeassistant/sensor/relay/t/config', JSON.stringify(SENSOR), true);
  };
  await announce();
  broker.onPublish(({ topic, payload }) => {
    if (topic === 'relay/set') void broker.publish('relay/state', payload);
    // A publisher answers the birth message, as it must when the broker has lost what it kept.
    if (topic === 'homeassistant/status') void announce();
  });
  const { log, lines } = createRecordingLog();
  const create = (): Integration => createBrokeredDiscovery({ url: broker.url }, { log, ...time });
  return {
    integration: create(),
    reopen: create,
    logLines: lines,
    breakLink: broker.stop,
    healLink: broker.start,
    sendGarbage: async () => {
      const all = hostilePayloads();
      for (const topic of ['switch/other', 'device/other', 'x/y/z']) {
        for (const payload of all.filter((one) => !isObject(one))) {
          await broker.publish(`homeassistant/${topic}/config`, payload);
        }
      }
      for (const topic of ['relay/state', 'relay/t']) for (const payload of all) await broker.publish(topic, payload);
    },
    wire: () => broker.received.filter(({ topic }) => topic === 'relay/set'),
    command: { externalId: 'relay-1', key: 'on', value: true },
    openEnds: () => broker.connections() + broker.subscriptions().size,
    close: broker.close,
  };
}

/** Any object announces something, which is shown as not understood. */
function isObject(payload: string | Buffer): boolean {
  try {
    const value: unknown = JSON.parse(payload.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describeIntegrationContract('home_assistant_discovery', openWorld);
