import { defineKind } from '#integrations/kind.ts';

export const zigbee2mqtt = defineKind({
  id: 'zigbee2mqtt',
  name: 'Zigbee2MQTT',
  about: 'Zigbee devices behind a Zigbee2MQTT, which the hub reaches through an MQTT broker.',
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', label: 'MQTT broker' },
    base_topic: {
      type: 'text',
      label: 'Base topic',
      hint: 'As in the settings of Zigbee2MQTT (mqtt.base_topic)',
      maxLength: 256,
      // Without wildcards, and no topic of the broker itself.
      pattern: String.raw`(?![$\/])[^+#\p{Cc}]*[^+#\/\p{Cc}]`,
      default: 'zigbee2mqtt',
    },
  },
  canPair: true,
  config: { base_topic: 'mqtt.base_topic' },
  load: () => import('./zigbee2mqtt.ts').then(({ createZigbee2mqtt }) => ({ create: createZigbee2mqtt })),
});
