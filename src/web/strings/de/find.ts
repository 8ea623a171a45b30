import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const find: Dictionary['find'] = {
  label: 'Zuhause und Einstellungen durchsuchen',
  hint: 'Gib einen Teil eines Namens ein, oder was du ändern möchtest.',
  devices: 'Geräte',
  count: (count) => (count === 0 ? 'Nichts gefunden' : count === 1 ? '1 Treffer' : `${count} Treffer`),
  pages: 'Seiten und Einstellungen',
  more: (count) => `${count} weitere Treffer. Ein weiteres Wort grenzt ein.`,
};
