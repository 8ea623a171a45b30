import { NO_PLACES } from '#core/integration/settings-shape.ts';
import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/home-assistant-discovery/words/en.ts';

/** Without wildcards, and no topic of the broker itself. */
const TOPIC = String.raw`(?![$\/])[^+#\p{Cc}]*[^+#\/\p{Cc}]`;

export const homeAssistantDiscovery = defineKind({
  id: 'home_assistant_discovery',
  ...words.kind,
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', ...words.settings.broker },
    prefix: {
      type: 'text',
      ...words.settings.prefix,
      maxLength: 200,
      pattern: TOPIC,
      default: 'homeassistant',
    },
    birth_topic: {
      type: 'text',
      ...words.settings.birth_topic,
      advanced: true,
      maxLength: 200,
      pattern: TOPIC,
      default: 'homeassistant/status',
    },
    expose: {
      type: 'places',
      ...words.settings.expose,
      default: NO_PLACES,
    },
    token: {
      type: 'api_token',
      ...words.settings.token,
      optional: true,
    },
    with_zigbee2mqtt: {
      type: 'boolean',
      ...words.settings.with_zigbee2mqtt,
      advanced: true,
      default: false,
    },
  },
  load: () =>
    import('./home-assistant-discovery.ts').then(({ createHomeAssistantDiscovery }) => ({
      create: createHomeAssistantDiscovery,
    })),
});
