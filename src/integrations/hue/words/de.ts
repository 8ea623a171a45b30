import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Philips Hue',
    about: 'Lampen, Steckdosen, Schalter und Sensoren einer Hue Bridge (der eckigen oder einer neueren).',
    help: [
      'Stecke die Bridge an den Strom und mit ihrem Kabel an deinen Router.',
      'Ihre Adresse steht in der Hue-App, in den Einstellungen der Bridge.',
    ],
    pairingHint:
      'Schalte eine neue Lampe ein, oder halte die Taste eines Schalters oder Sensors zehn Sekunden lang. Die Bridge sucht etwa eine Minute.',
  },
  settings: {
    host: { label: 'Adresse der Bridge', hint: 'Zum Beispiel 192.168.1.20.' },
    take_rooms: { label: 'Neue Geräte in die Räume legen, in denen die Bridge sie hat' },
    fingerprint: {
      label: 'Zertifikat',
      hint: 'SHA-256-Fingerabdruck des Zertifikats, das die Bridge beim Einrichten gezeigt hat.',
    },
    key: { label: 'Schlüssel' },
  },
  steps: { ...frame.steps, press_button: 'Drücke die runde Taste an der Bridge.' },
  choices: {
    not_pressed: {
      text: 'Niemand hat innerhalb einer Minute die Taste gedrückt.',
      options: { again: { title: 'Noch einmal versuchen', detail: 'Wartet noch eine Minute auf die Taste.' } },
    },
  },
  faults: {
    ...frame.faults,
    no_bridge: 'Ist nicht die Adresse einer Hue Bridge',
    round_bridge: 'Ist eine Bridge der ersten Generation (die runde), mit der der Hub nichts anfangen kann',
    other_bridge: 'Ist die Adresse einer anderen Bridge als der gefundenen',
  },
  failures: {
    bridge_refused: 'Die Bridge gibt dem Hub keinen Schlüssel. Starte die Bridge neu und versuche es noch einmal.',
    bridge_too_old: 'Die Software der Bridge ist zu alt. Aktualisiere sie zuerst in der Hue-App.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  BRIDGE_UNREACHABLE: 'Die Bridge ist nicht erreichbar',
  BRIDGE_BUSY: 'Die Bridge ist beschäftigt',
  BRIDGE_SILENT: 'Die Bridge meldet sich nicht',
  BAD_ANSWER: 'Die Antwort von dort ist nicht zu verstehen',
  KEY_REFUSED: 'Der Schlüssel wird nicht angenommen',
  CERTIFICATE_CHANGED: 'Das Zertifikat ist nicht mehr dasselbe',
  BRIDGE_REPLACED: 'Dort ist jetzt eine andere Bridge',
  BRIDGE_TOO_OLD: 'Die Software der Bridge ist zu alt',
};
