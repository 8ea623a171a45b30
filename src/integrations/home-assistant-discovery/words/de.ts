import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Home-Assistant-Erkennung',
    about: 'Geräte und Programme, die sich über MQTT anmelden, wie sie es für Home Assistant tun.',
    help: [
      'Schalte im Gerät oder Programm die Home-Assistant-Erkennung ein und gib ihm die Adresse deines MQTT-Brokers.',
      'Gib dem Hub denselben Broker. Was sich dort anmeldet, erscheint von selbst.',
    ],
  },
  settings: {
    broker: frame.broker,
    prefix: { label: 'Präfix der Erkennung', hint: 'Wie in den Einstellungen der Geräte' },
    birth_topic: {
      label: 'Birth-Topic',
      hint: 'Hier sagt der Hub „online“, damit Geräte sich neu anmelden',
    },
    expose: { label: 'Für Home Assistant anbieten', hint: frame.exposeHint },
    token: frame.token,
    with_zigbee2mqtt: {
      label: 'Auch die Geräte von Zigbee2MQTT nehmen',
      hint: 'Nur ohne die eigene Integration: Mit beiden wäre jedes Gerät doppelt da',
    },
  },
};
