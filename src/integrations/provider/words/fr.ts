import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Script (API)',
    about: 'Appareils qu’un script à vous apporte par l’API, avec un jeton d’API à son nom.',
  },
  settings: {
    lease_s: {
      label: 'Secondes de silence avant que ses appareils soient hors ligne',
      hint: 'Le script peut le régler aussi',
    },
  },
};
