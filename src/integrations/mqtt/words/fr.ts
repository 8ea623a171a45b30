import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Broker MQTT',
    about: 'Un broker comme Mosquitto, par lequel d’autres intégrations atteignent leurs appareils.',
    help: [
      'Installez un broker MQTT sur cet ordinateur ou un autre de la maison. Mosquitto est petit et vient avec Debian : sudo apt install mosquitto',
      'Faites connecter à ce broker les appareils ou programmes que le hub doit atteindre, comme Zigbee2MQTT.',
      'Donnez ici l’adresse de ce broker.',
    ],
  },
  settings: {
    address: { label: 'Adresse du broker', hint: 'mqtt://nom:port, ou mqtts://nom:port avec TLS' },
    user: { label: 'Nom d’utilisateur' },
    password: { label: 'Mot de passe' },
  },
};
