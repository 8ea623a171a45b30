import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'ESPHome',
    about:
      'Platinen mit der Firmware ESPHome: Lampen, Relais, Sensoren, Rollläden, Thermostate und was sie sonst noch steuern.',
    help: [
      'Gib dem Knoten die native API: api: in seiner Konfiguration, am besten mit encryption: und einem Schlüssel.',
      'Der Hub findet ihn oder nimmt seine Adresse und fragt nach dem Schlüssel, wenn es einen gibt. Jeder Knoten wird für sich eingerichtet.',
      'Seine Adresse steht im Protokoll des Knotens und in der Geräteliste deines Routers.',
    ],
  },
  settings: {
    host: { label: 'Adresse des Knotens', hint: 'Zum Beispiel 192.168.1.50.' },
    take_rooms: { label: 'Neue Geräte in die Räume legen, in denen der Knoten sie hat' },
    mac: { label: 'MAC-Adresse des Knotens', hint: 'Zwölf Stellen, wie der Knoten sie beim Einrichten genannt hat.' },
    key: {
      label: 'Schlüssel',
      hint: 'Der Schlüssel unter api: encryption: in der Konfiguration des Knotens.',
    },
  },
  steps: {
    ...frame.steps,
    trying_key: 'Probiert den Schlüssel …',
    write_down:
      'Schreibe diesen Schlüssel auf: Andere Programme brauchen ihn, und der Knoten behält ihn, bis er gelöscht wird. Dann geht es weiter.',
    setting_key: 'Setzt den Schlüssel …',
  },
  choices: {
    offer_key: {
      text: 'Dieser Knoten hat keinen Schlüssel: Jeder im Netz kann ihm Befehle geben und einen Schlüssel setzen, den du nicht kennst.',
      options: {
        set: { title: 'Schlüssel setzen', detail: 'Der Hub erzeugt einen und zeigt ihn dir.' },
        leave: { title: 'Offen lassen', detail: 'Der Hub spricht unverschlüsselt mit dem Knoten.' },
      },
    },
  },
  faults: {
    ...frame.faults,
    no_node: 'Ist nicht die Adresse eines ESPHome-Knotens',
    other_node: 'Ist die Adresse eines anderen Knotens als des gefundenen',
    has_password: 'Ist die eines Knotens mit Passwort: Gib ihm stattdessen einen Schlüssel',
    no_key: 'Ist kein Schlüssel: Er hat 44 Buchstaben, Ziffern und Zeichen',
    wrong_key: 'Ist nicht der Schlüssel des Knotens',
  },
  failures: {
    node_lost: 'Der Knoten antwortet nicht mehr.',
    key_not_taken: 'Der Knoten hat den Schlüssel nicht angenommen.',
    key_not_used:
      'Der Knoten hat den Schlüssel angenommen, antwortet aber nicht damit. Richte ihn noch einmal mit dem Schlüssel ein, den du aufgeschrieben hast.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  NODE_UNREACHABLE: 'Der Knoten ist nicht erreichbar',
  NODE_SILENT: 'Der Knoten meldet sich nicht',
  BAD_ANSWER: 'Die Antwort von dort ist nicht zu verstehen',
  OTHER_NODE: 'Dort antwortet ein anderer Knoten',
  KEY_NEEDED: 'Es braucht einen Schlüssel',
  KEY_REFUSED: 'Der Schlüssel wird nicht angenommen',
  NOT_ENCRYPTED: 'Die Verbindung ist nicht verschlüsselt',
  PASSWORD_NEEDED: 'Es braucht ein Passwort',
};
