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
    '`is_set_up` is false if nobody has changed the settings of the integration and nothing has ever answered at its default address; its `error` is then no fault. An integration can be `connected` and still have an `error`. `TOO_MANY_DEVICES` and `DEVICES_TOO_LARGE`: the hub refused a list of devices (at most 5,000 for one integration, 10,000 in all) and kept the devices that it knew. `DEVICE_TOO_LARGE`: the hub shows a device without its new features. `SAFE_MODE`: the hub crashed twice after input from the integration, which stays stopped until somebody starts it again.',
  answerExample: [integrationExample()],
});

export const getIntegration: Note = () => ({ wordedId: true, answerExample: integrationExample() });

export const updateIntegration: Note = () => ({
  wordedId: true,
  description:
    'The integration restarts at once with the new settings. `status` and `error` show whether they work, as does the event `integration.changed`. A setting from the configuration file or the environment is fixed. `null` removes `user` or `password`. A new address needs the password again, if there is one. `enabled: true` starts an integration that is in safe mode, even one without settings.',
  problems: ['SETTING_FIXED', 'NOT_SUPPORTED'],
  bodyExample: { address: 'mqtt://192.168.1.2:1883', user: 'hearthd', password: 'a long and quiet evening' },
  answerExample: integrationExample(),
});

export const openPairing: Note = () => ({
  wordedId: true,
  description: '`pairing.changed` events show the progress.',
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
  bodyExample: { seconds: 120 },
  answerExample: { seconds: 120 },
});

export const closePairing: Note = () => ({
  wordedId: true,
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
});
