import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Zigbee2MQTT',
    about: 'Zigbee-Geräte hinter einem Zigbee2MQTT, das der Hub über einen MQTT-Broker erreicht.',
    pairingHint:
      'Versetze das Gerät in den Verbindungsmodus: meist, indem du seine Taste fünf Sekunden lang hältst oder eine Lampe fünfmal ein- und ausschaltest. Es sollte nur wenige Meter vom Zigbee-Adapter entfernt sein.',
    help: [
      'Stecke einen Zigbee-Adapter an diesen oder einen anderen Rechner im Zuhause.',
      'Installiere dort Zigbee2MQTT (zigbee2mqtt.io) und gib ihm die Adresse eines MQTT-Brokers.',
      'Gib dem Hub die Adresse desselben Brokers. Die Geräte erscheinen von selbst.',
    ],
  },
  settings: {
    broker: frame.broker,
    base_topic: { label: 'Basis-Topic', hint: 'Wie in den Einstellungen von Zigbee2MQTT (mqtt.base_topic)' },
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  BRIDGE_OFFLINE: 'Zigbee2MQTT läuft nicht',
  BRIDGE_SILENT: 'Unter dem Topic {topic} hat der MQTT-Broker keine Nachricht von Zigbee2MQTT',
  DEVICES_MISSING: 'Der MQTT-Broker hat die Liste der Geräte verloren: Starte Zigbee2MQTT neu',
  STATES_NOT_READ:
    'Werte fehlen: Stelle advanced.output von Zigbee2MQTT auf json oder attribute_and_json und starte es neu',
};
