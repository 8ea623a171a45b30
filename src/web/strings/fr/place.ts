import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { listed } from './grammar.ts';

export const place: Dictionary['place'] = {
  title: 'Lieu et heure',
  text: 'Les heures des automatisations suivent l’horloge du hub, le soleil au-dessus de votre maison et vos calendriers.',
  clock: 'Horloge',
  now: 'Pour le hub, il est',
  source: 'Réglée par',
  sources: {
    synced: 'un serveur de temps',
    owner: 'une personne, depuis qu’il est allumé',
    none: 'personne : c’est une estimation',
  },
  unset:
    'Aucun serveur de temps n’a répondu depuis l’allumage du hub. Les heures des automatisations attendent que l’horloge soit réglée.',
  takeTime: 'Prendre l’heure de cet appareil',
  clockSet: (time) => `L’horloge du hub est réglée : ${time}.`,
  zone: 'Fuseau horaire',
  zoneHint: 'Une heure comme 07:00 dans une automatisation veut dire 07:00 là-bas.',
  zoneSaved: (zone) => `Le fuseau horaire est ${zone.replaceAll('_', ' ')}.`,
  place: 'Où se trouve la maison',
  placeText:
    'Pour le lever et le coucher du soleil. Le hub arrondit le lieu à un kilomètre environ, et seuls propriétaires et admins le voient.',
  latitude: 'Latitude',
  latitudeHint: 'Degrés nord, par exemple 48,14 ; le sud est négatif. Les cartes montrent les deux nombres d’un lieu.',
  longitude: 'Longitude',
  longitudeHint: 'Degrés est, par exemple 11,58 ; l’ouest est négatif.',
  placeSaved: 'Le hub sait où est le soleil.',
  sunToday: (rise, set) =>
    `Aujourd’hui, le soleil ${rise === null ? 'ne se lève pas' : `se lève à ${rise}`} et ${set === null ? 'ne se couche pas' : `se couche à ${set}`}.`,
  forget: 'Oublier le lieu',
  calendars: 'Calendriers',
  calendarsText: 'Des dates sous un nom. Un jour ouvré va du lundi au vendredi, sans les jours libres des calendriers.',
  add: 'Nouveau calendrier',
  addIt: 'Ajouter le calendrier',
  name: 'Nom',
  dates: 'Dates',
  datesHint: 'Une par ligne : 12-24 pour chaque année, 2026-05-01 pour une année, 12-24..01-06 pour plusieurs jours.',
  free: 'Jours libres',
  freeNote: 'Ces jours ne sont pas ouvrés.',
  saved: (name) => `${name} est enregistré.`,
  remove: 'Retirer le calendrier',
  removeQuestion: (name) => `Retirer ${name} ?`,
  removeText: 'Ses dates seront des jours ouvrés ou non comme toute autre semaine.',
  upcoming: 'Prochains jours',
  day: (names, isWorkday) => `${listed(names)} · ${isWorkday ? 'un jour ouvré' : 'pas un jour ouvré'}`,
};
