import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const find: Dictionary['find'] = {
  label: 'Chercher dans la maison et ses réglages',
  hint: 'Tapez une partie d’un nom, ou ce que vous voulez modifier.',
  devices: 'Appareils',
  count: (count) => (count === 0 ? 'Aucun résultat' : count === 1 ? '1 résultat' : `${count} résultats`),
  pages: 'Pages et réglages',
  more: (count) => `${count === 1 ? '1 autre résultat' : `${count} autres résultats`}. Ajoutez un mot pour préciser.`,
};
