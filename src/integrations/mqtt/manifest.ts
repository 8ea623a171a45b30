import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/mqtt/words/en.ts';

export const mqtt = defineKind({
  id: 'mqtt',
  ...words.kind,
  instances: 'many',
  isBroker: true,
  settingsVersion: 1,
  settings: {
    address: {
      type: 'url',
      schemes: ['mqtt', 'mqtts'],
      originOnly: true,
      isAnywhere: true,
      ...words.settings.address,
      default: 'mqtt://127.0.0.1:1883',
    },
    user: { type: 'text', ...words.settings.user, optional: true, maxLength: 256 },
    password: { type: 'secret', ...words.settings.password, boundTo: 'address', optional: true },
  },
  config: { address: 'mqtt.url', user: 'mqtt.user', password: 'mqtt.password_file' },
  load: () => import('./mqtt.ts').then(({ createMqtt }) => ({ create: createMqtt })),
});
