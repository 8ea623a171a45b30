import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createHomeAssistantDiscovery } from '#integrations/home-assistant-discovery/home-assistant-discovery.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Integration } from '#integrations/integration.ts';
import { createInlineTemplates } from '#test/support/discovery/inline-templates.ts';
import { NO_HOME } from './no-home.ts';
import { createBrokerInstance, type InstanceSurroundings } from './mqtt-broker-instance.ts';

/** Home Assistant discovery together with the instance that is connected to its broker: they run as one. */
export function createBrokeredDiscovery(
  {
    url,
    withZigbee2mqtt = false,
    knownFeatures = () => [],
  }: {
    readonly url: string;
    readonly withZigbee2mqtt?: boolean;
    readonly knownFeatures?: (externalId: string) => readonly Feature[];
  },
  surroundings: InstanceSurroundings,
): Integration {
  const { log, clock = systemClock, startTimer = startSystemTimer } = surroundings;
  const broker = createBrokerInstance({ url }, surroundings);
  const settings = {
    broker: 'mqtt',
    prefix: 'homeassistant',
    birth_topic: 'homeassistant/status',
    with_zigbee2mqtt: withZigbee2mqtt,
    expose: { rooms: [], devices: [] },
    token: null,
  };
  const discovery = createHomeAssistantDiscovery(
    { id: 'home_assistant_discovery', settings },
    {
      log,
      clock,
      startTimer,
      random: () => 0.5,
      mqtt: broker.link,
      knownFeatures,
      home: NO_HOME,
      knownDevices: () => [],
      isStaying: () => true,
      state: { load: async () => ({}), save: async () => undefined },
    },
    createInlineTemplates(),
  );
  return {
    ...discovery,
    run: async (sink, signal) => {
      const ignored = { ...sink, reportStatus: () => undefined };
      await Promise.all([broker.integration.run(ignored, signal), discovery.run(sink, signal)]);
    },
  };
}
