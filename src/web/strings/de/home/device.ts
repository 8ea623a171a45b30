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
  advice: {
    battery: 'Vielleicht ist die Batterie leer. Wechsle sie und drücke dann eine Taste am Gerät.',
    mains: 'Prüfe, ob es Strom hat: Vielleicht ist ein Wandschalter aus.',
  },
};
