import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/zigbee2mqtt/words/en.ts';

export const zigbee2mqtt = defineKind({
  id: 'zigbee2mqtt',
  ...words.kind,
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', ...words.settings.broker },
    base_topic: {
      type: 'text',
      ...words.settings.base_topic,
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
