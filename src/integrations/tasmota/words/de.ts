import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Tasmota',
    about:
      'Steckdosen, Lampen, Rollläden und Sensoren mit der Firmware Tasmota, die der Hub über einen MQTT-Broker erreicht.',
    help: [
      'Gib jedem Gerät auf seiner eigenen Seite die Adresse deines MQTT-Brokers.',
      'Lass die Option 19 aus (SetOption19 0): Dann meldet es sich auf die Art von Tasmota an.',
      'Gib dem Hub die Adresse desselben Brokers. Die Geräte erscheinen von selbst.',
    ],
  },
  settings: {
    broker: frame.broker,
    discovery_topic: {
      label: 'Topic der Erkennung',
      hint: 'Darunter melden sich die Geräte an; die Firmware kennt kein anderes.',
    },
  },
};
