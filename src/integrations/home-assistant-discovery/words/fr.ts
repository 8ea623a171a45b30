import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Découverte Home Assistant',
    about: 'Appareils et programmes qui s’annoncent par MQTT, comme pour Home Assistant.',
    help: [
      'Activez la découverte Home Assistant dans l’appareil ou le programme, et donnez-lui l’adresse de votre broker MQTT.',
      'Donnez au hub le même broker. Ce qui s’y annonce apparaît de soi-même.',
    ],
  },
  settings: {
    broker: frame.broker,
    prefix: { label: 'Préfixe de découverte', hint: 'Comme dans les réglages des appareils' },
    birth_topic: {
      label: 'Topic de naissance',
      hint: 'Ici le hub dit « online », pour que les appareils s’annoncent de nouveau',
    },
    expose: { label: 'Proposer à Home Assistant', hint: frame.exposeHint },
    token: frame.token,
    with_zigbee2mqtt: {
      label: 'Prendre aussi les appareils de Zigbee2MQTT',
      hint: 'Seulement sans sa propre intégration : avec les deux, chaque appareil serait là deux fois',
    },
  },
};
