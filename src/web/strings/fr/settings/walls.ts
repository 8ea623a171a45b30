import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const walls: Dictionary['walls'] = {
  title: 'Tablettes murales',
  menuText: 'Des écrans qui montrent la maison à tous',
  add: 'Ajouter une tablette murale',
  digits: 'Les six chiffres de la tablette',
  digitsHint: (address) =>
    `Ouvrez ${address} sur la tablette. Elle affiche six chiffres et un QR code pour l’appareil photo de votre téléphone.`,
  notDigits: 'Saisissez les six chiffres affichés par la tablette.',
  next: 'Suivant',
  question: (name, address, digits) =>
    `« ${name} » (${address}) demande à afficher votre maison. N’autorisez que si la tablette devant vous affiche ${digits}.`,
  may: 'Chacun peut, sur cette tablette',
  control: 'Commander',
  controlNote: 'Lumières, chauffage, volets et scènes',
  see: 'Seulement voir',
  doors: (names) => `Aussi ${names.join(', ')}`,
  doorsNote: 'Quiconque est devant la tablette peut les ouvrir, y compris ceux que vous ajouterez plus tard',
  allRooms: 'Dans toutes les pièces',
  someRooms: (count) => (count === 1 ? 'Dans une pièce' : `Dans ${count} pièces`),
  allow: 'Autoriser',
  allowing: 'Autorisation…',
  allowed: (name) => `${name} affichera votre maison dans quelques secondes.`,
  refuse: 'Ce n’est pas ma tablette',
  refused: 'La tablette a été refusée.',
  gone: 'Aucune tablette n’affiche ces chiffres. Une tablette en reçoit de nouveaux toutes les cinq minutes.',
};
