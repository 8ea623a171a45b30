import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { lengthWords } from '#web/strings/de/grammar.ts';

/** Words that are written small in the middle of a sentence. Nouns stay as they are. */
const SMALL =
  /^(?:An|Aus|Ja|Nein|Offen|Geschlossen|Verriegelt|Nicht|Jemand|Niemand|Trocken|Keine|Einmal|Zweimal|Dreimal|Gehalten|Losgelassen)(?= |$)/;

export const rule: Dictionary['rule'] = {
  parts: { triggers: 'Wenn', conditions: 'Falls', steps: 'Dann' },
  empty: '…',
  gone: (reference) => `${reference} (nicht mehr da)`,
  anyValue: 'irgendein Wert',
  skip: 'gar nicht',
  at: (clock) => `um ${clock}`,
  inside: (name) => (SMALL.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name),
  offset: (seconds) => `${lengthWords(Math.abs(seconds))} ${seconds < 0 ? 'vor' : 'nach'}`,
  modeValues: { home: 'Zuhause', away: 'Abwesend', night: 'Nacht', vacation: 'Urlaub' },
  roles: { owner: 'Eigentümer', admin: 'Admins', resident: 'Bewohner', guest: 'Gäste' },
  does: {
    on: ['einschalten', 'ausschalten'],
    locked: ['verriegeln', 'entriegeln'],
    valve_open: ['öffnen', 'schließen'],
    position: ['öffnen', 'schließen'],
  },
  setting: (name, value) => `${name} ${value}`,
  modeIs: (mode, value) => `${mode} auf ${value} steht`,
  homeModeIs: (value) => `der Modus ${value} ist`,
  unknownPart: (name) => `ein Teil, den diese Seite nicht kennt (${name})`,
  and: 'und',
  or: 'oder',
  notThat: (condition) => `nicht: ${condition}`,
  allOf: 'all das zutrifft',
  oneOf: 'mindestens eines davon zutrifft',
  noneOf: 'das nicht zutrifft',
  groups: {
    until: 'Bis',
    whileIt: 'Solange',
    untilIt: 'Bis',
    each: 'In jeder Runde',
    if: 'Falls',
    then: 'Dann',
    else: 'Sonst',
    branch: (count) => `Zweig ${count}`,
  },
  facts: {
    value: 'der Wert, der es gestartet hat',
    from: 'der Wert davor',
    device: 'das Gerät, das es gestartet hat',
    key: 'was es gestartet hat',
    at: 'die Zeit des Starts',
    action: 'was gedrückt wurde',
    late_s: 'wie spät es dran ist',
  },
  fromBody: (path) => `${path} aus dem Aufruf`,
  sunMoments: {
    sunrise: 'die Sonne aufgeht',
    sunset: 'die Sonne untergeht',
    dawn: 'der Morgen dämmert',
    dusk: 'der Abend dämmert',
    noon: 'die Sonne am höchsten steht',
  },
  sunHeight: 'die Höhe der Sonne',
  ownVariable: (name) => `der Wert ${name}`,
  whole: (triggers, conditions, steps) =>
    conditions === '' ? `Wenn ${triggers}: ${steps}.` : `Wenn ${triggers}, und falls ${conditions}: ${steps}.`,
  nothing: 'nichts',
};
