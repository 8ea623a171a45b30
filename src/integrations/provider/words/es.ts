import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Script (API)',
    about: 'Dispositivos que un script tuyo aporta por la API, con un token de API a su nombre.',
  },
  settings: {
    lease_s: {
      label: 'Segundos de silencio hasta dar sus dispositivos por desconectados',
      hint: 'El script también puede ponerlo',
    },
  },
};
