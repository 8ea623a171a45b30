import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Tasmota',
    about: 'Prises, lampes, stores et capteurs avec Tasmota, que le hub atteint par un broker MQTT.',
    help: [
      'Donnez à chaque appareil l’adresse de votre broker MQTT, sur sa propre page.',
      'Laissez son option 19 désactivée (SetOption19 0) : il s’annonce alors à la manière de Tasmota.',
      'Donnez au hub l’adresse du même broker. Les appareils apparaissent d’eux-mêmes.',
    ],
  },
  settings: {
    broker: frame.broker,
    discovery_topic: {
      label: 'Topic de découverte',
      hint: 'Celui sous lequel les appareils s’annoncent ; le micrologiciel n’en a pas d’autre.',
    },
  },
};
