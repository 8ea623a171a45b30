import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted, lengthWords } from '#web/strings/fr/grammar.ts';

export const ruleDry: Dictionary['ruleDry'] = {
  title: 'Ce qu’elle ferait maintenant',
  text: 'Telle qu’enregistrée, avec votre maison comme elle est en ce moment. Rien n’a été fait.',
  refused: 'Elle ne démarrerait pas maintenant, car elle est désactivée. Si elle était activée :',
  refusedFor: (why) => `Elle ne démarrerait pas maintenant. ${why} Si elle pouvait :`,
  would: 'Elle ferait tout.',
  nothing: 'Elle finirait sans rien faire.',
  notAll: (count) => `Elle le ferait, sauf ${counted(count, 'chose', 'choses')} :`,
  outcomes: {
    not_met: 'Elle ne ferait rien : une condition n’est pas remplie.',
    skipped: 'Elle ne démarrerait pas.',
    failed: 'Elle échouerait.',
    stopped: 'Elle s’arrêterait.',
  },
  because: (what, why) => `${what.slice(0, -1)} : ${why}.`,
  waits: 'Elle attendrait quelque chose qui n’est pas arrivé.',
  atOnce: 'aussitôt',
  after: (ms) => `après ${lengthWords(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000))}`,
  target: (device, what) => (what === '' ? device : `${device} : ${what}`),
  notNow: (device, why) => `${device} : pas maintenant. ${why}`,
  notSent: (why) => `Rien de cela ne serait envoyé. ${why}`,
  kinds: {
    notify: 'un message partirait',
    request: 'l’autre programme serait appelé',
    set_mode: 'le mode serait réglé',
    set_variable: 'la variable serait réglée',
    note_presence: 'ce serait noté',
    enable: 'elle serait activée',
    disable: 'elle serait désactivée',
  },
  notDone: (why) => `Cela ne serait pas fait. ${why}`,
  leftOut: 'serait omis',
  reason: (what, why) => `${what} : ${why}`,
};
