import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted, lengthWords } from '#web/strings/es/grammar.ts';

export const ruleDry: Dictionary['ruleDry'] = {
  title: 'Qué haría ahora',
  text: 'Como está guardada, con tu casa como está en este momento. No se ha hecho nada.',
  refused: 'Ahora no se iniciaría, porque está desactivada. Si estuviera activada:',
  refusedFor: (why) => `Ahora no se iniciaría. ${why} Si pudiera:`,
  would: 'Lo haría todo.',
  nothing: 'Terminaría sin hacer nada.',
  notAll: (count) => `Lo haría, salvo ${counted(count, 'cosa', 'cosas')}:`,
  outcomes: {
    not_met: 'No haría nada: una condición no se cumple ahora.',
    skipped: 'No se iniciaría.',
    failed: 'Fallaría.',
    stopped: 'Se pararía.',
  },
  because: (what, why) => `${what.slice(0, -1)}: ${why}.`,
  waits: 'Esperaría algo que aún no ha pasado.',
  atOnce: 'al momento',
  after: (ms) => `después de ${lengthWords(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000))}`,
  target: (device, what) => (what === '' ? device : `${device}: ${what}`),
  notNow: (device, why) => `${device}: ahora no. ${why}`,
  notSent: (why) => `Nada de esto se enviaría. ${why}`,
  kinds: {
    notify: 'saldría un mensaje',
    request: 'se llamaría al otro programa',
    set_mode: 'se pondría el modo',
    set_variable: 'se pondría la variable',
    note_presence: 'se anotaría',
    enable: 'se activaría',
    disable: 'se desactivaría',
  },
  notDone: (why) => `Esto no se haría. ${why}`,
  leftOut: 'se omitiría',
  reason: (what, why) => `${what}: ${why}`,
};
