import { NO_PLACES } from '#core/integration/settings-shape.ts';
import { defineKind } from '#integrations/kind.ts';

export const matterBridge = defineKind({
  id: 'matter_bridge',
  name: 'Matter bridge',
  about: 'Your devices in Apple Home, Google Home, Alexa and SmartThings, over your own network alone.',
  instances: 'one',
  settingsVersion: 1,
  settings: {
    expose: {
      type: 'places',
      label: 'Offer to other homes',
      hint: 'Devices in these rooms, and these devices, appear there. What opens the home only if it is chosen by itself',
      default: NO_PLACES,
    },
    token: {
      type: 'api_token',
      label: 'API token for commands from there',
      hint: 'What is offered can be used from there as far as this token may use it; without one it is only shown',
      optional: true,
    },
    port: {
      type: 'integer',
      label: 'UDP port',
      hint: 'Another one needs SocketBindAllow=udp: with its number in the unit of the service',
      advanced: true,
      min: 1024,
      max: 65_535,
      default: 5540,
    },
  },
  isBridge: true,
  file: 'matter/node.json',
  help: [
    'Choose the rooms and devices, and an API token for the commands from there.',
    'Open the bridge for pairing. Scan its code with the app of the other home, or type the number.',
    'For a second app, open it again: several may have the bridge at once.',
  ],
  load: () => import('./matter-bridge.ts').then(({ createMatterBridge }) => ({ create: createMatterBridge })),
});
