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
  wheel: 'Autre couleur',
  whites: { warm: 'Chaud', neutral: 'Neutre', cool: 'Froid' },
  dangers: { water_leak: 'Eau', smoke: 'Fumée', gas_leak: 'Gaz', co_alarm: 'Monoxyde de carbone' },
  whatToDo: 'Que faire',
  danger: {
    water_leak: 'Coupez l’eau à la vanne. Restez loin des prises et des câbles mouillés.',
    smoke: 'Faites sortir tout le monde et fermez les portes derrière vous. Appelez les pompiers depuis l’extérieur.',
    gas_leak:
      'Ni flamme, ni interrupteur, ni téléphone. Ouvrez les fenêtres, faites sortir tout le monde et appelez les secours depuis l’extérieur.',
    co_alarm: 'Il n’a pas d’odeur. Faites sortir tout le monde à l’air libre tout de suite et appelez les secours.',
  },
  advice: {
    battery: 'Sa pile est peut-être vide. Changez-la, puis appuyez sur un bouton de l’appareil.',
    mains: 'Vérifiez qu’il est alimenté : un interrupteur mural est peut-être coupé.',
  },
};
