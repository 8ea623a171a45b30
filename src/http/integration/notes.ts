import { type Note, TAG_HEADERS } from '#http/note/note.ts';

const fixed = { fixed: false, fixed_by: null };
const zigbeeExample = {
  id: 'zigbee2mqtt',
  kind: 'zigbee2mqtt',
  name: 'Zigbee2MQTT',
  has_own_name: false,
  status: 'connected',
  since: '2026-11-21T04:06:22.000Z',
  error: null,
  devices: 12,
  can_pair: true,
  pairs_by_code: false,
  is_set_up: true,
  enabled: true,
  enabled_fixed_by: null,
  fixed_by: null,
  revision: 3,
  settings: {
    broker: { value: 'mqtt', fixed_by: null },
    base_topic: { value: 'zigbee2mqtt', fixed: true, fixed_by: 'mqtt.base_topic in the configuration file' },
    enabled: { value: true, ...fixed },
    address: { value: 'mqtt://192.168.1.2:1883', ...fixed },
    user: { value: 'hearthd', ...fixed },
    password: { is_set: true, ...fixed },
  },
};
const hueExample = {
  ...zigbeeExample,
  id: 'hue',
  kind: 'hue',
  name: 'Hue Bridge',
  status: 'needs_action',
  error: {
    code: 'KEY_REFUSED',
    message: 'The bridge does not know the hub any more: set it up again',
    reason: { id: 'KEY_REFUSED', with: {} },
  },
  devices: 31,
  can_pair: false,
  pairs_by_code: false,
  settings: { host: { value: '192.168.1.20', fixed_by: null }, key: { is_set: true, fixed_by: null } },
};

export const listIntegrations: Note = () => ({
  description:
    '`is_set_up` is false if nobody has changed the settings of the integration and nothing has ever answered at its default address; its `error` is then no fault. `needs_action`: it cannot work until a person has done what `error` says. An integration can be `connected` and still have an `error`. `TOO_MANY_DEVICES` and `DEVICES_TOO_LARGE`: the hub refused a list of devices (at most 5,000 for one integration, 10,000 in all) and kept the devices that it knew. `DEVICE_TOO_LARGE`: the hub shows a device without its new features. `SAFE_MODE`: the hub ended three times within an hour while it dealt with what the integration had sent, which stays stopped until somebody starts it again.',
  answerExample: [zigbeeExample, hueExample],
});

export const getIntegration: Note = () => ({ ...TAG_HEADERS.read, wordedId: true, answerExample: hueExample });

export const createIntegration: Note = () => ({
  ...TAG_HEADERS.made,
  description:
    'Without a conversation: for kinds that need none, and for scripts that know all settings. The kind says which there are (`GET /integration_kind`). `status` and `error` show whether they work.',
  problems: ['NOT_FOUND', 'LIMIT_REACHED', 'NAME_TAKEN', 'NOT_SUPPORTED', 'SETTING_FIXED'],
  bodyExample: {
    kind: 'mqtt',
    settings: { address: 'mqtt://192.168.1.2:1883', user: 'hearthd', password: 'a long evening' },
  },
  answerExample: {
    ...hueExample,
    id: 'mqtt-2',
    kind: 'mqtt',
    name: 'MQTT broker',
    has_own_name: false,
    status: 'connecting',
    error: null,
    devices: 0,
    settings: {
      address: { value: 'mqtt://192.168.1.2:1883', fixed_by: null },
      user: { value: 'hearthd', fixed_by: null },
      password: { is_set: true, fixed_by: null },
    },
  },
});

export const updateIntegration: Note = () => ({
  ...TAG_HEADERS.change,
  wordedId: true,
  description:
    'The integration restarts at once with the new settings. `status` and `error` show whether they work, as does the event `integration.changed`. A setting from the configuration file or the environment is fixed. A secret is needed again when the setting to which it is bound changes: a new address needs the password again. `enabled: true` starts an integration that is in safe mode.',
  problems: ['SETTING_FIXED', 'NOT_SUPPORTED', 'LIMIT_REACHED'],
  bodyExample: { settings: { host: '192.168.1.21', key: 'a long and quiet evening' } },
  answerExample: hueExample,
});

export const removeIntegration: Note = () => ({
  ...TAG_HEADERS.remove,
  wordedId: true,
  description:
    'Its secrets are deleted. If the same thing is set up again, the integration returns with its id, and kept devices with theirs. Devices with keys of this home, such as those of Matter, give them back and are gone; where some do not answer within 15 s, or the integration does not run, it stays with these devices, and `detail` names them. With `force=true` it goes all the same: reset those devices before another home takes them in.',
  problems: ['SETTING_FIXED', 'NOT_SUPPORTED', 'DEVICE_OFFLINE', 'INTEGRATION_DOWN'],
});

export const getPairing: Note = () => ({
  wordedId: true,
  description:
    'For clients that did not hear the `pairing.changed` events: a page that was opened again shows the same. Of a bridge it needs `hub:manage`.',
  problems: ['NOT_SUPPORTED'],
  answerExample: {
    remaining_s: 212,
    progress: [
      { step: 'interview_started', external_id: null, device: null, seconds: null, detail: { step: 'attesting' } },
    ],
  },
});

export const openPairing: Note = () => ({
  wordedId: true,
  description:
    '`pairing.changed` events show the progress. Of a bridge it lets another home in, which needs `hub:manage`: the codes for its app are then in `pairing` of the integration. With `code` one device joins, and the answer says how long that may take; its steps are `device_found`, `interview_started` with `detail.step` (`attesting`, `joining`, `reading`), then `interview_done` with the device, or `interview_failed` with `detail.code` and `detail.message`.',
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
  bodyExample: { seconds: 120 },
  answerExample: { seconds: 120 },
});

export const removeFabric: Note = () => ({
  isInternal: true,
  wordedId: true,
  description:
    '`fabric` is the `id` of the home in `fabrics` of the integration. Its app says that the bridge does not answer until it is removed there too.',
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
});

export const closePairing: Note = () => ({
  wordedId: true,
  problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
});
