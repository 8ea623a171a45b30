import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

const OFFER = {
  write: {
    title: 'Laisser le hub le régler',
    detail: 'L’appareil redémarre. Il doit être éveillé : appuyez sur son bouton.',
  },
  leave: { title: 'Je le règle moi-même', detail: 'Sur la page de l’appareil, sous Outbound WebSocket.' },
};

export const words: Translation<typeof en> = {
  kind: {
    name: 'Shelly',
    about: 'Relais, variateurs, stores, compteurs et capteurs Shelly, à partir des séries Plus et Pro.',
    help: [
      'Reliez l’appareil à votre réseau avec l’application Shelly ou sa propre page.',
      'Le hub le trouve, ou prend son adresse. Chaque appareil s’installe à part ; les capteurs de la série BLU viennent avec leur passerelle.',
      'S’il est à pile, on ne le trouve que pendant qu’il est éveillé : appuyez sur son bouton.',
      'Son adresse se trouve dans l’application Shelly, dans les réglages de l’appareil.',
    ],
  },
  settings: {
    host: { label: 'Adresse de l’appareil', hint: 'Par exemple 192.168.1.40.' },
    password: { label: 'Mot de passe de l’appareil', hint: 'Seulement s’il y en a un sur l’appareil lui-même.' },
    sleeps: {
      label: 'Dort et appelle le hub',
      hint: 'Un appareil à pile. Son Outbound WebSocket mène au hub.',
    },
  },
  forms: { password: { password: { hint: 'Tel qu’il est réglé sur l’appareil lui-même.' } } },
  steps: { ...frame.steps, trying_password: 'Essai du mot de passe…', writing: 'Écriture sur l’appareil…' },
  choices: {
    offer_call: {
      text: 'Cet appareil dort et appelle le hub à son réveil : son réglage « Outbound WebSocket » doit mener à {url}.',
      options: OFFER,
    },
    offer_call_instead: {
      text: 'Cet appareil dort et appelle le hub à son réveil : son réglage « Outbound WebSocket » doit mener à {url}. Il appelle maintenant {other}, qui n’aurait plus de ses nouvelles.',
      options: OFFER,
    },
  },
  faults: {
    ...frame.faults,
    no_shelly: 'N’est pas l’adresse d’un appareil Shelly',
    first_generation: 'Est un Shelly de la première génération, que le hub ne peut pas utiliser',
    other_device: 'Est l’adresse d’un autre appareil que celui trouvé',
    wrong_password: 'N’est pas le mot de passe de l’appareil',
  },
  failures: {
    no_address: 'Le hub n’a pas d’adresse à laquelle cet appareil pourrait l’appeler.',
    not_taken: 'L’appareil n’a pas accepté le réglage.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  DEVICE_UNREACHABLE: 'L’appareil est injoignable',
  DEVICE_SILENT: 'L’appareil ne donne pas signe',
  BAD_ANSWER: 'La réponse n’est pas compréhensible',
  DEVICE_OVERDUE: 'L’appareil ne s’est pas manifesté depuis plus longtemps qu’il ne dort d’habitude',
  OTHER_DEVICE: 'Un autre appareil y répond',
  PASSWORD_NEEDED: 'Il faut un mot de passe',
  PASSWORD_REFUSED: 'Le mot de passe n’est pas accepté',
  PASSWORD_NOT_ASKED:
    'Ce qui appelle comme cet appareil ne demande pas de mot de passe, alors qu’il y en a un : c’est un autre, ou le mot de passe a été retiré',
  OTHER_ADDRESS: 'Une autre adresse y est réglée',
};
