import { defineKind } from '#integrations/kind.ts';

export const mqtt = defineKind({
  id: 'mqtt',
  name: 'MQTT broker',
  about: 'A broker such as Mosquitto, through which other integrations reach their devices.',
  instances: 'many',
  isBroker: true,
  settingsVersion: 1,
  settings: {
    address: {
      type: 'url',
      schemes: ['mqtt', 'mqtts'],
      originOnly: true,
      isAnywhere: true,
      label: 'Address of the broker',
      hint: 'mqtt://host:port, or mqtts://host:port with TLS',
      default: 'mqtt://127.0.0.1:1883',
    },
    user: { type: 'text', label: 'User name', optional: true, maxLength: 256 },
    password: { type: 'secret', label: 'Password', boundTo: 'address', optional: true },
  },
  help: [
    'Install an MQTT broker on this computer or another one in the home. Mosquitto is small and comes with Debian: sudo apt install mosquitto',
    'Have the devices or programs that the hub should reach, such as Zigbee2MQTT, connect to that broker.',
    'Enter the address of that broker here.',
  ],
  config: { address: 'mqtt.url', user: 'mqtt.user', password: 'mqtt.password_file' },
  load: () => import('./mqtt.ts').then(({ createMqtt }) => ({ create: createMqtt })),
});
