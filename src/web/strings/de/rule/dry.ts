import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted, lengthWords } from '#web/strings/de/grammar.ts';

export const ruleDry: Dictionary['ruleDry'] = {
  title: 'Was sie jetzt tun würde',
  text: 'Wie sie gespeichert ist, mit deinem Zuhause, wie es in diesem Moment ist. Nichts davon ist geschehen.',
  refused: 'Sie würde gerade nicht starten, weil sie ausgeschaltet ist. Wäre sie an:',
  refusedFor: (why) => `Sie würde gerade nicht starten. ${why} Wenn sie könnte:`,
  would: 'Sie würde alles tun.',
  nothing: 'Sie würde enden, ohne etwas zu tun.',
  notAll: (count) => `Sie würde es tun, aber ${counted(count, 'etwas', 'Dinge')} nicht:`,
  outcomes: {
    not_met: 'Sie würde nichts tun: Eine Bedingung ist gerade nicht erfüllt.',
    skipped: 'Sie würde nicht starten.',
    failed: 'Sie würde fehlschlagen.',
    stopped: 'Sie würde anhalten.',
  },
  because: (what, why) => `${what.slice(0, -1)}: ${why}.`,
  waits: 'Sie würde auf etwas warten, das noch nicht geschehen ist.',
  atOnce: 'sofort',
  after: (ms) => `${lengthWords(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000))} später`,
  target: (device, what) => (what === '' ? device : `${device}: ${what}`),
  notNow: (device, why) => `${device}: jetzt nicht. ${why}`,
  notSent: (why) => `Nichts davon würde gesendet. ${why}`,
  kinds: {
    notify: 'eine Mitteilung ginge hinaus',
    request: 'das andere Programm würde aufgerufen',
    set_mode: 'der Modus würde gestellt',
    set_variable: 'die Variable würde gesetzt',
    note_presence: 'es würde vermerkt',
    enable: 'sie würde eingeschaltet',
    disable: 'sie würde ausgeschaltet',
  },
  notDone: (why) => `Das würde nicht getan. ${why}`,
  leftOut: 'würde ausgelassen',
  reason: (what, why) => `${what}: ${why}`,
};
