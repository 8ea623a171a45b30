import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'MQTT-Broker',
    about: 'Ein Broker wie Mosquitto, über den andere Integrationen ihre Geräte erreichen.',
    help: [
      'Installiere einen MQTT-Broker auf diesem oder einem anderen Rechner im Zuhause. Mosquitto ist klein und gehört zu Debian: sudo apt install mosquitto',
      'Verbinde die Geräte oder Programme, die der Hub erreichen soll, mit diesem Broker, zum Beispiel Zigbee2MQTT.',
      'Gib hier die Adresse dieses Brokers ein.',
    ],
  },
  settings: {
    address: { label: 'Adresse des Brokers', hint: 'mqtt://name:port, oder mqtts://name:port mit TLS' },
    user: { label: 'Benutzername' },
    password: { label: 'Passwort' },
  },
};
