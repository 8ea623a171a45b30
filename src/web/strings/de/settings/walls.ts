import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const walls: Dictionary['walls'] = {
  title: 'Wand-Tablets',
  menuText: 'Bildschirme, die allen das Zuhause zeigen',
  add: 'Wand-Tablet hinzufügen',
  digits: 'Die sechs Ziffern auf dem Tablet',
  digitsHint: (address) =>
    `Öffne auf dem Tablet ${address}. Es zeigt sechs Ziffern und einen QR-Code für die Kamera deines Handys.`,
  notDigits: 'Gib die sechs Ziffern ein, die das Tablet zeigt.',
  next: 'Weiter',
  question: (name, address, digits) =>
    `„${name}“ unter ${address} möchte dein Zuhause anzeigen. Erlaube es nur, wenn das Tablet vor dir ${digits} zeigt.`,
  may: 'Alle an diesem Tablet dürfen',
  control: 'Bedienen',
  controlNote: 'Licht, Heizung, Rollläden und Szenen',
  see: 'Nur ansehen',
  doors: (names) => `Auch ${names.join(', ')}`,
  doorsNote: 'Jeder am Tablet kann sie öffnen, auch solche, die du später hinzufügst',
  allRooms: 'In allen Räumen',
  someRooms: (count) => (count === 1 ? 'In einem Raum' : `In ${count} Räumen`),
  allow: 'Erlauben',
  allowing: 'Wird erlaubt …',
  allowed: (name) => `${name} zeigt in wenigen Sekunden dein Zuhause.`,
  refuse: 'Das ist nicht mein Tablet',
  refused: 'Das Tablet wurde abgelehnt.',
  gone: 'Diese Ziffern zeigt gerade kein Tablet. Ein Tablet bekommt alle fünf Minuten neue.',
};
