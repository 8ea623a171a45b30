import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/de/grammar.ts';

export const ruleTransfer: Dictionary['ruleTransfer'] = {
  title: 'Automationen importieren',
  link: 'Aus einer Datei importieren',
  text: 'Eine Datei mit Automationen oder mit einer Vorlage, wie dieser oder ein anderer Hub sie exportiert hat. Du siehst, was darin steht, bevor etwas gespeichert wird.',
  file: 'Datei',
  fileFaults: {
    large: 'Die Datei ist größer als 4 MiB: So viel nimmt kein Hub auf einmal.',
    no_json: 'Die Datei ist kein JSON.',
    unknown: 'In der Datei stehen weder Automationen noch eine Vorlage.',
  },
  faults: 'Der Hub nimmt diese Datei nicht an. Was falsch ist, und wo in der Datei:',
  inFile: (count) => `${counted(count, 'Automation', 'Automationen')} in der Datei`,
  insteadOf: (name) => `Nicht in diesem Zuhause: ${name}. Stattdessen`,
  notChosen: 'Noch nicht gewählt',
  matched: 'In diesem Zuhause gefunden:',
  offAtFirst: 'Sie sind aus, bis du sie einschaltest. Dann dürfen sie, was du darfst.',
  take: 'Importieren',
  taking: 'Wird importiert …',
  taken: (count) => `${counted(count, 'Automation', 'Automationen')} importiert, vorerst aus.`,
  templateDoes: (steps) => `Was sie tun darf: ${steps}.`,
  templateAsks: (inputs) => `Wonach sie fragt: ${inputs}.`,
  takeTemplate: 'Zu den Vorlagen hinzufügen',
  templateTaken: (name) => `${name} ist jetzt unter den Vorlagen.`,
  exportOne: 'Als Datei exportieren',
  exportAll: 'Alle exportieren',
  exporting: 'Datei wird erstellt …',
};
