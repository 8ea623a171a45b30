import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

const OFFER = {
  write: {
    title: 'Der Hub soll das einstellen',
    detail: 'Das Gerät startet neu. Es muss wach sein: Drücke seine Taste.',
  },
  leave: { title: 'Ich stelle das selbst ein', detail: 'Auf der Seite des Geräts, unter Outbound WebSocket.' },
};

export const words: Translation<typeof en> = {
  kind: {
    name: 'Shelly',
    about: 'Relais, Dimmer, Rollläden, Zähler und Sensoren von Shelly, ab den Reihen Plus und Pro.',
    help: [
      'Verbinde das Gerät mit der Shelly-App oder über seine eigene Seite mit deinem Netz.',
      'Der Hub findet es oder nimmt seine Adresse. Jedes Gerät wird für sich eingerichtet; Sensoren der Reihe BLU kommen mit ihrem Gateway.',
      'Eines mit Batterie wird nur gefunden, solange es wach ist: Drücke seine Taste.',
      'Seine Adresse steht in der Shelly-App, in den Einstellungen des Geräts.',
    ],
  },
  settings: {
    host: { label: 'Adresse des Geräts', hint: 'Zum Beispiel 192.168.1.40.' },
    password: { label: 'Passwort des Geräts', hint: 'Nur wenn am Gerät selbst eines gesetzt ist.' },
    sleeps: {
      label: 'Schläft und ruft den Hub an',
      hint: 'Ein Gerät mit Batterie. Sein Outbound WebSocket führt zum Hub.',
    },
  },
  forms: { password: { password: { hint: 'Wie es am Gerät selbst gesetzt wurde.' } } },
  steps: { ...frame.steps, trying_password: 'Probiert das Passwort …', writing: 'Schreibt auf das Gerät …' },
  choices: {
    offer_call: {
      text: 'Dieses Gerät schläft und ruft den Hub an, wenn es aufwacht: Seine Einstellung „Outbound WebSocket“ muss zu {url} führen.',
      options: OFFER,
    },
    offer_call_instead: {
      text: 'Dieses Gerät schläft und ruft den Hub an, wenn es aufwacht: Seine Einstellung „Outbound WebSocket“ muss zu {url} führen. Jetzt ruft es {other} an, wo dann nichts mehr von ihm ankommt.',
      options: OFFER,
    },
  },
  faults: {
    ...frame.faults,
    no_shelly: 'Ist nicht die Adresse eines Shelly-Geräts',
    first_generation: 'Ist ein Shelly der ersten Generation, mit dem der Hub nichts anfangen kann',
    other_device: 'Ist die Adresse eines anderen Geräts als des gefundenen',
    wrong_password: 'Ist nicht das Passwort des Geräts',
  },
  failures: {
    no_address: 'Der Hub hat keine Adresse, unter der dieses Gerät ihn anrufen könnte.',
    not_taken: 'Das Gerät hat die Einstellung nicht angenommen.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  DEVICE_UNREACHABLE: 'Das Gerät ist nicht erreichbar',
  DEVICE_SILENT: 'Das Gerät meldet sich nicht',
  BAD_ANSWER: 'Die Antwort von dort ist nicht zu verstehen',
  DEVICE_OVERDUE: 'Das Gerät hat sich länger nicht gemeldet, als es sonst schläft',
  OTHER_DEVICE: 'Dort antwortet ein anderes Gerät',
  PASSWORD_NEEDED: 'Es braucht ein Passwort',
  PASSWORD_REFUSED: 'Das Passwort wird nicht angenommen',
  PASSWORD_NOT_ASKED:
    'Was sich als dieses Gerät meldet, fragt nach keinem Passwort, obwohl eines gesetzt ist: Es ist ein anderes, oder das Passwort wurde entfernt',
  OTHER_ADDRESS: 'Dort ist eine andere Adresse eingestellt',
};
