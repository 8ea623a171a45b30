import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Philips Hue',
    about: 'Lampes, prises, interrupteurs et capteurs d’un pont Hue (le carré, ou plus récent).',
    help: [
      'Branchez le pont au courant, et avec son câble à votre box.',
      'Son adresse se trouve dans l’application Hue, dans les réglages du pont.',
    ],
    pairingHint:
      'Allumez une lampe neuve, ou tenez dix secondes le bouton d’un interrupteur ou d’un capteur. Le pont cherche pendant une minute environ.',
  },
  settings: {
    host: { label: 'Adresse du pont', hint: 'Par exemple 192.168.1.20.' },
    take_rooms: { label: 'Mettre les nouveaux appareils dans les pièces où le pont les a' },
    fingerprint: {
      label: 'Certificat',
      hint: 'Empreinte SHA-256 du certificat que le pont a montré à l’installation.',
    },
    key: { label: 'Clé' },
  },
  steps: { ...frame.steps, press_button: 'Appuyez sur le bouton rond du pont.' },
  choices: {
    not_pressed: {
      text: 'Personne n’a appuyé sur le bouton en une minute.',
      options: { again: { title: 'Réessayer', detail: 'Attend le bouton une minute de plus.' } },
    },
  },
  faults: {
    ...frame.faults,
    no_bridge: 'N’est pas l’adresse d’un pont Hue',
    round_bridge: 'Est un pont de la première génération (le rond), que le hub ne peut pas utiliser',
    other_bridge: 'Est l’adresse d’un autre pont que celui trouvé',
  },
  failures: {
    bridge_refused: 'Le pont ne donne pas de clé au hub. Redémarrez le pont et réessayez.',
    bridge_too_old: 'Le logiciel du pont est trop ancien. Mettez-le d’abord à jour dans l’app Hue.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  BRIDGE_UNREACHABLE: 'Le pont est injoignable',
  BRIDGE_BUSY: 'Le pont est occupé',
  BRIDGE_SILENT: 'Le pont ne donne pas signe',
  BAD_ANSWER: 'La réponse n’est pas compréhensible',
  KEY_REFUSED: 'La clé n’est pas acceptée',
  CERTIFICATE_CHANGED: 'Le certificat n’est plus le même',
  BRIDGE_REPLACED: 'Un autre pont est là maintenant',
  BRIDGE_TOO_OLD: 'Le logiciel du pont est trop ancien',
};
