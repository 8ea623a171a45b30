import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Skript',
    about: 'Geräte, die ein eigenes Skript über die API einbringt, mit einem API-Token auf seinen Namen.',
  },
  settings: {
    lease_s: { label: 'Sekunden Stille, bis seine Geräte offline sind', hint: 'Auch das Skript darf das einstellen' },
  },
};
