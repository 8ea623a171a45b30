import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

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

export const errors: Translation<typeof errorsInEnglish> = {
  BRIDGE_OFFLINE: 'Zigbee2MQTT ne tourne pas',
  BRIDGE_SILENT: 'Le broker MQTT n’a aucun message de Zigbee2MQTT sous le topic {topic}',
  DEVICES_MISSING: 'Le broker MQTT a perdu la liste des appareils : redémarrez Zigbee2MQTT',
  STATES_NOT_READ:
    'Des valeurs manquent : réglez advanced.output de Zigbee2MQTT sur json ou attribute_and_json, puis redémarrez-le',
};
