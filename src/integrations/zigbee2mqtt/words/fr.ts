import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Zigbee2MQTT',
    about: 'Appareils Zigbee derrière un Zigbee2MQTT, que le hub atteint par un broker MQTT.',
    pairingHint:
      'Mettez l’appareil en mode d’association : le plus souvent en tenant son bouton cinq secondes, ou en allumant et éteignant une lampe cinq fois. Gardez-le à quelques mètres de l’adaptateur Zigbee.',
    help: [
      'Branchez un adaptateur Zigbee sur cet ordinateur ou un autre de la maison.',
      'Installez-y Zigbee2MQTT (zigbee2mqtt.io) et donnez-lui l’adresse d’un broker MQTT.',
      'Donnez au hub l’adresse du même broker. Les appareils apparaissent d’eux-mêmes.',
    ],
  },
  settings: {
    broker: frame.broker,
    base_topic: { label: 'Topic de base', hint: 'Comme dans les réglages de Zigbee2MQTT (mqtt.base_topic)' },
  },
};
