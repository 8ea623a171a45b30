import type { Translation } from '#words/texts.ts';
import type { frame as en } from './en.ts';

export const frame: Translation<typeof en> = {
  broker: { label: 'Broker MQTT' },
  exposeHint:
    'Les appareils de ces pièces, et ces appareils, y apparaissent. Les portes et serrures, seulement si vous les choisissez une par une',
  token: {
    label: 'Jeton d’API pour les commandes venant de là',
    hint: 'Ce qui est proposé peut être utilisé de là autant que ce jeton le permet ; sans jeton, c’est seulement montré',
  },
  udpPort: {
    label: 'Port UDP',
    hint: 'Un autre demande SocketBindAllow=udp: avec son numéro dans l’unité du service',
  },
  steps: { asking_host: 'Recherche de ce qui est à cette adresse…' },
  faults: { outside: 'N’est pas une adresse du réseau de la maison', silent: 'Ne répond pas' },
};
