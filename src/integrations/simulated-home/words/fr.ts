import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Maison simulée',
    about: 'Des appareils sans matériel, pour essayer le hub.',
    pairingHint:
      'De nouveaux appareils apparaissent quelques secondes après le début de la recherche. L’un échoue d’abord, comme parfois dans la réalité.',
  },
};
