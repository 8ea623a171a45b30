import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Tasmota',
    about: 'Plugs, lamps, blinds and sensors with the Tasmota firmware, which the hub reaches through an MQTT broker.',
    help: [
      'Give each device the address of your MQTT broker, on its own page.',
      'Leave its option 19 off (SetOption19 0): then it announces itself in the way of Tasmota.',
      'Give the hub the address of the same broker. The devices appear by themselves.',
    ],
  },
  settings: {
    broker: frame.broker,
    discovery_topic: {
      label: 'Discovery topic',
      hint: 'Under which the devices announce themselves; the firmware has no other.',
    },
  },
} as const;
