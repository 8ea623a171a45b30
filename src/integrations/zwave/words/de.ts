import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Z-Wave JS',
    about: 'Z-Wave-Geräte über einen Z-Wave-JS-Server, an dem der Funkstick steckt.',
    help: [
      'Starte Z-Wave JS UI oder den einfachen Z-Wave-JS-Server auf dem Rechner mit dem Funkstick und schalte seinen WebSocket-Server ein.',
      'Dieser Server hat kein Passwort: Wer seinen Port erreicht, kann deine Schlösser öffnen. Lass nur den Hub an ihn heran, mit einer Firewall oder indem er auf dem Rechner des Hubs läuft.',
      'Der Hub findet den Server oder nimmt seine Adresse.',
    ],
  },
  settings: {
    host: { label: 'Adresse des Servers', hint: 'Zum Beispiel 192.168.1.30:3000.' },
    take_rooms: { label: 'Neue Geräte in die Räume legen, die der Server als Orte hat' },
  },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_server: 'Ist nicht die Adresse eines Z-Wave-JS-Servers',
    other_network: 'Ist die Adresse eines anderen Z-Wave-Netzes als des gefundenen',
    too_old: 'Ist die eines Servers, der zu alt ist: Aktualisiere ihn',
    too_new: 'Ist die eines Servers, der für diesen Hub zu neu ist: Aktualisiere den Hub',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  SERVER_UNREACHABLE: 'Der Server ist nicht erreichbar',
  SERVER_SILENT: 'Der Server meldet sich nicht',
  SERVER_RESTARTED: 'Der Server wurde neu gestartet',
  BAD_ANSWER: 'Die Antwort von dort ist nicht zu verstehen',
  OTHER_NETWORK: 'Dort ist ein anderes Netz',
  SERVER_TOO_OLD: 'Der Server ist zu alt',
  SERVER_TOO_NEW: 'Der Server ist neuer, als der Hub ihn kennt',
};
