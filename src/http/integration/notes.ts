import type { Note } from '#http/reference/note.ts';

const integrationExample = () => ({
  id: 'zigbee2mqtt',
  name: 'Zigbee2MQTT',
  status: 'connected',
  since: '2026-11-21T04:06:22.000Z',
  error: null,
  devices: 12,
  can_pair: true,
  is_set_up: true,
  settings: {
    enabled: { value: true, fixed: false, fixed_by: null },
    address: { value: 'mqtt://192.168.1.2:1883', fixed: false, fixed_by: null },
    user: { value: 'hearthd', fixed: false, fixed_by: null },
    password: { is_set: true, fixed: false, fixed_by: null },
    base_topic: { value: 'zigbee2mqtt', fixed: true, fixed_by: 'mqtt.base_topic in the configuration file' },
  },
});

export const listIntegrations: Note = () => ({
  description:
    '`is_set_up` is false where nobody has said how the integration is reached and nothing has answered at the address that it came with: its `error` is then no fault of anything. `error` may stand beside `connected`: `TOO_MANY_DEVICES` and `DEVICES_TOO_LARGE` where a list of devices was refused whole (5,000 devices of an integration, 10,000 in all) and those known before are kept, `DEVICE_TOO_LARGE` where a device is shown without new features. `SAFE_MODE`: the hub died twice after it took something of the integration, which stands still until it is started again.',
  answerExample: [integrationExample()],
});

export const getIntegration: Note = () => ({ wordedId: true, answerExample: integrationExample() });

export const updateIntegration: Note = () => ({
  wordedId: true,
  description:
    'In use at once: what ran ends, and starts anew with the new settings. Whether they lead anywhere, `status` and `error` tell, also as `integration.changed`. What the configuration file or the environment sets is fixed. `null` takes `user` or `password` away; with another address a password that there is has to be given again. `enabled: true` starts an integration again that is in safe mode, also one without settings.',
  problems: ['SETTING_FIXED', 'NOT_SUPPORTED'],
  bodyExample: { address: 'mqtt://192.168.1.2:1883', user: 'hearthd', password: 'a long and quiet evening' },
  answerExample: integrationExample(),
});

export const openPairing: Note = () => ({
  wordedId: true,
  description: 'How it goes comes as `pairing.changed` events.',
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
  bodyExample: { seconds: 120 },
  answerExample: { seconds: 120 },
});

export const closePairing: Note = () => ({
  wordedId: true,
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
});
