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
  pairingHint:
    'Put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.',
  help: [
    'Plug a Zigbee adapter into this computer or another one in the home.',
    'Install Zigbee2MQTT there (zigbee2mqtt.io) and give it the address of an MQTT broker.',
    'Give the hub the address of the same broker. The devices appear by themselves.',
  ],
  config: { base_topic: 'mqtt.base_topic' },
  load: () => import('./zigbee2mqtt.ts').then(({ createZigbee2mqtt }) => ({ create: createZigbee2mqtt })),
});
