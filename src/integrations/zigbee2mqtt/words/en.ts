import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Zigbee2MQTT',
    about: 'Zigbee devices behind a Zigbee2MQTT, which the hub reaches through an MQTT broker.',
    pairingHint:
      'Put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.',
    help: [
      'Plug a Zigbee adapter into this computer or another one in the home.',
      'Install Zigbee2MQTT there (zigbee2mqtt.io) and give it the address of an MQTT broker.',
      'Give the hub the address of the same broker. The devices appear by themselves.',
    ],
  },
  settings: {
    broker: frame.broker,
    base_topic: { label: 'Base topic', hint: 'As in the settings of Zigbee2MQTT (mqtt.base_topic)' },
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  BRIDGE_OFFLINE: 'Zigbee2MQTT is not running',
  BRIDGE_SILENT: 'The MQTT broker has no message of Zigbee2MQTT under the topic {topic}',
  DEVICES_MISSING: 'The MQTT broker has lost the list of devices: restart Zigbee2MQTT',
  STATES_NOT_READ:
    'Values are missing: set advanced.output of Zigbee2MQTT to json or attribute_and_json, and restart it',
} as const;
