import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Casa simulada',
    about: 'Dispositivos sin hardware, para probar el hub.',
    pairingHint:
      'Los dispositivos nuevos aparecen unos segundos después de empezar la búsqueda. Uno falla al principio, como a veces los de verdad.',
  },
};
