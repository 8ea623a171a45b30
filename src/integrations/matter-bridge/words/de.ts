import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Matter-Bridge',
    about: 'Deine Geräte in Apple Home, Google Home, Alexa und SmartThings, allein über dein eigenes Netz.',
    help: [
      'Wähle die Räume und Geräte und was die anderen Apps damit dürfen.',
      'Öffne die Bridge zum Koppeln. Scanne ihren Code mit der anderen App, oder tippe die Nummer ein.',
      'Für eine zweite App öffne sie noch einmal: Mehrere können die Bridge zugleich haben.',
    ],
  },
  settings: {
    expose: { label: 'Freigegebene Geräte', hint: frame.exposeHint },
    may: {
      label: 'Andere Apps dürfen',
      hint: 'Schlösser, Garagen, Alarmanlagen und Ventile nur, wenn sie oben einzeln ausgewählt sind',
      options: {
        see: 'Angebotenes nur sehen',
        control: 'Angebotenes bedienen, aber nichts öffnen',
        doors: 'Angebotenes bedienen, auch Schlösser und Türen',
      },
    },
    token: {
      label: 'Eigener API-Token',
      hint: 'Befehle von dort haben dann seine Rechte, was auch immer sie oben dürfen',
    },
    port: frame.udpPort,
  },
  ends: {
    closed: 'die Zeit ist um',
    joined: 'ein anderes Zuhause hat die Bridge jetzt',
    too_many_codes: 'es kamen zu viele falsche Codes',
    busy: 'ein anderes Zuhause hat die Bridge selbst geöffnet. Schließe sie erst dort',
    no_disk: 'der Datenträger ist voll, darum kann kein Zuhause dazukommen',
    failed: 'sie ließ sich nicht öffnen',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  STATE_LOST:
    'Die Datei mit den anderen Zuhause ist beschädigt oder fehlt: Entferne die Bridge in deren Apps und kopple sie neu',
  STATE_NOT_KEPT:
    'Der Datenträger nimmt nichts mehr an: Kein Zuhause kann dazukommen oder gehen, und kein Gerät dazukommen',
};
