import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const device: Dictionary['device'] = {
  usedIn: 'Verwendet in',
  details: 'Einzelheiten',
  now: 'Jetzt',
  nouns: { light: 'Licht', plug: 'Steckdose', lock: 'Schloss', cover: 'Rollladen' },
  since: (state, time, by) => `${state} seit ${time}${by === '' ? '' : `, ${by}`}`,
  heating: (percent) => (percent === '' ? 'Heizt' : `Heizt, ${percent}`),
  cooling: 'Kühlt',
  idle: 'Heizt nicht',
  presets: 'Farben',
  colors: {
    red: 'Rot',
    orange: 'Orange',
    yellow: 'Gelb',
    green: 'Grün',
    turquoise: 'Türkis',
    blue: 'Blau',
    violet: 'Violett',
    pink: 'Rosa',
  },
  wheel: 'Beliebige Farbe',
  whites: { warm: 'Warm', neutral: 'Neutral', cool: 'Kalt' },
  dangers: { water_leak: 'Wasser', smoke: 'Rauch', gas_leak: 'Gas', co_alarm: 'Kohlenmonoxid' },
  whatToDo: 'Was zu tun ist',
  danger: {
    water_leak: 'Dreh das Wasser am Ventil ab. Halte dich von nassen Steckdosen und Kabeln fern.',
    smoke: 'Bring alle nach draußen und schließ die Türen hinter dir. Ruf von draußen die Feuerwehr.',
    gas_leak:
      'Keine Flamme, kein Schalter, kein Telefon. Öffne die Fenster, bring alle nach draußen und ruf von dort Hilfe.',
    co_alarm: 'Man riecht es nicht. Bring sofort alle an die frische Luft und ruf Hilfe.',
  },
  advice: {
    battery: 'Vielleicht ist die Batterie leer. Wechsle sie und drücke dann eine Taste am Gerät.',
    mains: 'Prüfe, ob es Strom hat: Vielleicht ist ein Wandschalter aus.',
  },
};
