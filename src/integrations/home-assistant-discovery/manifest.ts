import { NO_PLACES } from '#core/integration/settings-shape.ts';
import { defineKind } from '#integrations/kind.ts';

/** Without wildcards, and no topic of the broker itself. */
const TOPIC = String.raw`(?![$\/])[^+#\p{Cc}]*[^+#\/\p{Cc}]`;

export const homeAssistantDiscovery = defineKind({
  id: 'home_assistant_discovery',
  name: 'Home Assistant discovery',
  about: 'Devices and programs that announce themselves over MQTT, as they do for Home Assistant.',
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', label: 'MQTT broker' },
    prefix: {
      type: 'text',
      label: 'Discovery prefix',
      hint: 'As in the settings of the devices',
      maxLength: 200,
      pattern: TOPIC,
      default: 'homeassistant',
    },
    birth_topic: {
      type: 'text',
      label: 'Birth topic',
      hint: 'Here the hub says "online", so that devices announce themselves again',
      advanced: true,
      maxLength: 200,
      pattern: TOPIC,
      default: 'homeassistant/status',
    },
    expose: {
      type: 'places',
      label: 'Offer to Home Assistant',
      hint: 'Devices in these rooms, and these devices, appear there. What opens the home only if it is chosen by itself',
      default: NO_PLACES,
    },
    token: {
      type: 'api_token',
      label: 'API token for commands from there',
      hint: 'What is offered can be used from there as far as this token may use it; without one it is only shown',
      optional: true,
    },
    with_zigbee2mqtt: {
      type: 'boolean',
      label: 'Also take the devices of Zigbee2MQTT',
      hint: 'Only without its own integration: with both, each device would be there twice',
      advanced: true,
      default: false,
    },
  },
  help: [
    'Switch on Home Assistant discovery in the device or program, and give it the address of your MQTT broker.',
    'Give the hub the same broker. What announces itself there appears by itself.',
  ],
  load: () =>
    import('./home-assistant-discovery.ts').then(({ createHomeAssistantDiscovery }) => ({
      create: createHomeAssistantDiscovery,
    })),
});
