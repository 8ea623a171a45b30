import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const device: Dictionary['device'] = {
  usedIn: 'Utilisé dans',
  details: 'Détails',
  now: 'Maintenant',
  nouns: { light: 'Lumière', plug: 'Prise', lock: 'Serrure', cover: 'Store' },
  since: (state, time, by) => `${state} depuis ${time}${by === '' ? '' : `, ${by}`}`,
  heating: (percent) => (percent === '' ? 'Chauffe' : `Chauffe, ${percent}`),
  cooling: 'Refroidit',
  idle: 'Ne chauffe pas',
  presets: 'Couleurs',
  colors: {
    red: 'Rouge',
    orange: 'Orange',
    yellow: 'Jaune',
    green: 'Vert',
    turquoise: 'Turquoise',
    blue: 'Bleu',
    violet: 'Violet',
    pink: 'Rose',
  },
  advice: {
    battery: 'Sa pile est peut-être vide. Changez-la, puis appuyez sur un bouton de l’appareil.',
    mains: 'Vérifiez qu’il est alimenté : un interrupteur mural est peut-être coupé.',
  },
};
