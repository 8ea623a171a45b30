import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/tasmota/words/en.ts';

/** Devices with the Tasmota firmware, as they announce themselves at a broker. */
export const tasmota = defineKind({
  id: 'tasmota',
  ...words.kind,
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', ...words.settings.broker },
    discovery_topic: {
      type: 'text',
      ...words.settings.discovery_topic,
      advanced: true,
      maxLength: 128,
      // Without wildcards, and no topic of the broker itself.
      pattern: String.raw`(?![$\/])[^+#\p{Cc}]*[^+#\/\p{Cc}]`,
      default: 'tasmota/discovery',
    },
  },
  load: () => import('./tasmota.ts').then(({ createTasmota }) => ({ create: createTasmota })),
});
