import { defineKind } from '#integrations/kind.ts';

/** Devices with the Tasmota firmware, as they announce themselves at a broker. */
export const tasmota = defineKind({
  id: 'tasmota',
  name: 'Tasmota',
  about: 'Plugs, lamps, blinds and sensors with the Tasmota firmware, which the hub reaches through an MQTT broker.',
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', label: 'MQTT broker' },
    discovery_topic: {
      type: 'text',
      label: 'Discovery topic',
      hint: 'Under which the devices announce themselves; the firmware has no other.',
      advanced: true,
      maxLength: 128,
      // Without wildcards, and no topic of the broker itself.
      pattern: String.raw`(?![$\/])[^+#\p{Cc}]*[^+#\/\p{Cc}]`,
      default: 'tasmota/discovery',
    },
  },
  help: [
    'Give each device the address of your MQTT broker, on its own page.',
    'Leave its option 19 off (SetOption19 0): then it announces itself in the way of Tasmota.',
    'Give the hub the address of the same broker. The devices appear by themselves.',
  ],
  load: () => import('./tasmota.ts').then(({ createTasmota }) => ({ create: createTasmota })),
});
