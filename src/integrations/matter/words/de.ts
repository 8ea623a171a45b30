import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Matter-Geräte',
    about: 'Geräte mit Matter-Code, über dein eigenes Netz und ohne die Cloud ihrer Hersteller.',
    pairingHint:
      'Tippe die Nummer ein, die auf dem Gerät oder in der Anleitung steht, oder den Text seines QR-Codes. Ein Gerät, das schon in einer anderen App ist, braucht einen neuen Code von dort: Teile es in dieser App.',
    removalHint:
      'Zuerst erfährt jedes seiner Geräte, dass es dieses Zuhause vergessen soll. Eines, das nicht antwortet, behält seine Schlüssel und gehorcht keinem anderen Zuhause, bis du es zurücksetzt.',
    help: [
      'Bringe das Gerät zuerst in dein Netz: per Kabel, oder für WLAN und Thread mit der App des Herstellers oder deinem Handy.',
      'Wenn es schon in einer App ist, teile es dort: Das gibt einen Code für den Hub.',
      'Gib dann hier den Code ein, und die weiterer Geräte unter Geräte hinzufügen.',
    ],
  },
  settings: {
    port: frame.udpPort,
    code: {
      label: 'Code des ersten Geräts',
      hint: 'Die Nummer, die darauf steht, oder der Text seines QR-Codes. Ohne kommen Geräte später hinzu',
    },
  },
  steps: {
    starting: 'Matter wird gestartet …',
    searching: 'Gerät wird gesucht …',
    found: 'Gerät gefunden …',
    attesting: 'Gerät wird geprüft …',
    joining: 'Gerät kommt in dein Zuhause …',
    reading: 'Das Gerät wird gefragt, was es kann …',
  },
  faults: {
    empty_code: 'Ist leer',
    not_a_code: 'Ist weder die Nummer eines Matter-Geräts noch der Text seines QR-Codes, der mit MT: beginnt',
    wrong_length: 'Hat nicht die Länge eines Codes: Die Nummer hat 11 oder 21 Ziffern',
    mistyped: 'Ist vertippt: Die letzte Ziffer passt nicht zu den anderen',
    several_devices: 'Ist der Code mehrerer Geräte: Nimm den jedes einzelnen',
    newer_version: 'Ist von einer neueren Art, als der Hub kennt',
    forbidden_code: 'Ist einer, den kein Gerät haben darf',
    not_found:
      'Kein Gerät mit diesem Code antwortet. Ist es an und bereit? Wenn es schon in einer anderen App ist, teile es dort und nimm den neuen Code.',
    wrong_code: 'Das Gerät ist da, aber das ist nicht sein Code.',
    no_answer: 'Das Gerät war da, antwortet aber nicht mehr. Versuche es noch einmal.',
    already_here: 'Das Gerät ist schon in diesem Zuhause.',
    in_another_home:
      'Das Gerät ist in einem anderen Zuhause, das es nicht geöffnet hat. Teile es in der App, die es hat, und nimm den Code, den sie zeigt.',
    too_many_homes: 'Das Gerät ist in so vielen Apps, wie es kann. Entferne es aus einer davon.',
    not_genuine: 'Das Gerät konnte nicht beweisen, was es zu sein behauptet. Es wurde nicht hinzugefügt.',
    no_network:
      'Füge das Gerät zuerst mit deinem Handy hinzu, damit es in dein Netz kommt. Teile es dann dort und nimm den neuen Code.',
    cancelled: 'Angehalten.',
    timed_out: 'Das Gerät hat zu lange gebraucht. Versuche es noch einmal.',
    no_disk: 'Der Speicher des Hubs nimmt nichts mehr an.',
    failed: 'Das Gerät konnte nicht hinzugefügt werden.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  MATTER_KEYS_LOST: 'Die Schlüssel dieses Zuhauses fehlen: Setze jedes Gerät zurück und füge es neu hinzu',
  MATTER_NOT_KEPT: 'Der Speicher nimmt nicht an, was Matter sich merken muss',
};
