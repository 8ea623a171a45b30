import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/fr/grammar.ts';

export const welcome: Dictionary['welcome'] = {
  home: {
    title: 'Votre maison',
    intro: 'Vous pourrez changer tout cela plus tard dans les réglages.',
    name: 'Nom de cette maison',
    nameDefault: 'Maison',
    language: 'Langue',
    zone: 'Fuseau horaire',
    zoneHint: 'Celui de cet appareil.',
    clock: 'L’horloge du hub n’est pas à l’heure : il prend celle de cet appareil.',
    place: 'Où se trouve la maison',
    placeText:
      'Pour le lever et le coucher du soleil. Cela reste sur le hub, et seuls les propriétaires et les admins le voient.',
    near: (city) => `Près de ${city}`,
    nearNote:
      'La plus grande ville de votre fuseau horaire. Le soleil peut avoir quelques minutes d’avance ou de retard.',
    otherCity: 'Près d’une autre ville',
    city: 'Ville',
    exact: 'Saisir les coordonnées',
    later: 'Plus tard',
    laterNote: 'D’ici là, rien ne peut se passer au coucher du soleil.',
    submit: 'Continuer',
    busy: 'Enregistrement…',
  },
  devices: {
    title: 'Appareils',
    intro: 'Ce que votre hub trouve sur le réseau apparaît ici de lui-même.',
    searching: 'Recherche…',
    present: (count) => `Déjà ${counted(count, 'appareil', 'appareils')} dans votre maison.`,
    other: 'Autre chose',
    otherNote: 'Zigbee, Z-Wave, Matter et tout ce qui ne s’annonce pas de soi-même',
    later: 'Plus tard',
    toHome: 'Aller à la maison',
  },
};
