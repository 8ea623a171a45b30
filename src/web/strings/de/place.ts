import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { listed } from './grammar.ts';

export const place: Dictionary['place'] = {
  title: 'Ort und Zeit',
  text: 'Zeiten in Automationen richten sich nach der Uhr des Hubs, der Sonne über deinem Zuhause und deinen Kalendern.',
  clock: 'Uhr',
  now: 'Beim Hub ist es',
  source: 'Gestellt von',
  sources: {
    synced: 'einem Zeitserver',
    owner: 'einer Person, seit er eingeschaltet ist',
    none: 'noch niemandem: Das ist geschätzt',
  },
  unset:
    'Seit der Hub eingeschaltet ist, hat kein Zeitserver geantwortet. Zeiten in Automationen warten, bis die Uhr gestellt ist.',
  takeTime: 'Zeit dieses Geräts übernehmen',
  clockSet: (time) => `Die Uhr des Hubs ist gestellt: ${time}.`,
  zone: 'Zeitzone',
  zoneHint: 'Eine Zeit wie 07:00 in einer Automation meint 07:00 dort.',
  zoneSaved: (zone) => `Die Zeitzone ist ${zone.replaceAll('_', ' ')}.`,
  place: 'Wo das Zuhause ist',
  placeText:
    'Für Sonnenaufgang und Sonnenuntergang. Der Hub rundet den Ort auf etwa einen Kilometer, und nur Eigentümer und Admins sehen ihn.',
  latitude: 'Breitengrad',
  latitudeHint: 'Grad Nord, zum Beispiel 48,14; Süd ist negativ. Karten zeigen zu einem Ort beide Zahlen.',
  longitude: 'Längengrad',
  longitudeHint: 'Grad Ost, zum Beispiel 11,58; West ist negativ.',
  placeSaved: 'Der Hub weiß, wo die Sonne steht.',
  sunToday: (rise, set) =>
    `Heute geht die Sonne ${rise === null ? 'nicht auf' : `um ${rise} auf`} und ${set === null ? 'nicht unter' : `um ${set} unter`}.`,
  forget: 'Ort vergessen',
  calendars: 'Kalender',
  calendarsText: 'Tage unter einem Namen. Werktage sind Montag bis Freitag, ohne die freien Tage der Kalender.',
  add: 'Neuer Kalender',
  addIt: 'Kalender hinzufügen',
  name: 'Name',
  dates: 'Tage',
  datesHint:
    'In jeder Zeile einer: 12-24 für jedes Jahr, 2026-05-01 für ein Jahr, 12-24..01-06 für mehrere Tage hintereinander.',
  free: 'Freie Tage',
  freeNote: 'Diese Tage sind keine Werktage.',
  saved: (name) => `${name} ist gespeichert.`,
  remove: 'Kalender entfernen',
  removeQuestion: (name) => `${name} entfernen?`,
  removeText: 'Seine Tage sind dann Werktage oder nicht, wie in jeder anderen Woche.',
  upcoming: 'Nächste Tage',
  day: (names, isWorkday) => `${listed(names)} · ${isWorkday ? 'ein Werktag' : 'kein Werktag'}`,
};
