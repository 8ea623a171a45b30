import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/de/grammar.ts';

export const welcome: Dictionary['welcome'] = {
  home: {
    title: 'Dein Zuhause',
    intro: 'All das kannst du später in den Einstellungen ändern.',
    name: 'Name dieses Zuhauses',
    nameDefault: 'Zuhause',
    language: 'Sprache',
    zone: 'Zeitzone',
    zoneHint: 'Wie dieses Gerät sie hat.',
    clock: 'Die Uhr des Hubs ist noch nicht gestellt: Er übernimmt die Zeit dieses Geräts.',
    place: 'Wo das Zuhause ist',
    placeText: 'Für Sonnenaufgang und Sonnenuntergang. Es bleibt auf dem Hub, und nur Eigentümer und Admins sehen es.',
    near: (city) => `In der Nähe von ${city}`,
    nearNote: 'Die größte Stadt deiner Zeitzone. Die Sonne kann ein paar Minuten früher oder später dran sein.',
    otherCity: 'In der Nähe einer anderen Stadt',
    city: 'Stadt',
    exact: 'Koordinaten eingeben',
    later: 'Später',
    laterNote: 'Bis dahin kann bei Sonnenuntergang nichts geschehen.',
    submit: 'Weiter',
    busy: 'Speichert …',
  },
  devices: {
    title: 'Geräte',
    intro: 'Was dein Hub im Netz findet, erscheint hier von selbst.',
    searching: 'Sucht …',
    present: (count) => `${counted(count, 'Gerät ist', 'Geräte sind')} schon in deinem Zuhause.`,
    other: 'Etwas anderes',
    otherNote: 'Zigbee, Z-Wave, Matter und alles, was sich nicht von selbst meldet',
    later: 'Später',
    toHome: 'Zum Zuhause',
  },
};
