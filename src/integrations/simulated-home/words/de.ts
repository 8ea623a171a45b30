import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Simuliertes Zuhause',
    about: 'Geräte ohne Hardware, um den Hub auszuprobieren.',
    pairingHint:
      'Neue Geräte erscheinen einige Sekunden nach Beginn der Suche. Eines klappt erst beim zweiten Mal, wie manchmal in Wirklichkeit.',
  },
};
