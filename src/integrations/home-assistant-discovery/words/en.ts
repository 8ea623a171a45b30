import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Home Assistant discovery',
    about: 'Devices and programs that announce themselves over MQTT, as they do for Home Assistant.',
    help: [
      'Switch on Home Assistant discovery in the device or program, and give it the address of your MQTT broker.',
      'Give the hub the same broker. What announces itself there appears by itself.',
    ],
  },
  settings: {
    broker: frame.broker,
    prefix: { label: 'Discovery prefix', hint: 'As in the settings of the devices' },
    birth_topic: {
      label: 'Birth topic',
      hint: 'Here the hub says "online", so that devices announce themselves again',
    },
    expose: { label: 'Offer to Home Assistant', hint: frame.exposeHint },
    token: frame.token,
    with_zigbee2mqtt: {
      label: 'Also take the devices of Zigbee2MQTT',
      hint: 'Only without its own integration: with both, each device would be there twice',
    },
  },
} as const;
