import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const find: Dictionary['find'] = {
  label: 'Chercher dans la maison et ses réglages',
  hint: 'Tapez une partie d’un nom, ou ce que vous voulez modifier.',
  devices: 'Appareils',
  count: (count) => (count === 0 ? 'Aucun résultat' : count === 1 ? '1 résultat' : `${count} résultats`),
  most: (count) => `Voici les ${count} meilleurs. Un mot de plus trouvera les autres.`,
};
