import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'ESPHome',
    about:
      'Cartes avec le micrologiciel ESPHome : lampes, relais, capteurs, stores, thermostats et tout ce qu’elles pilotent.',
    help: [
      'Donnez au nœud l’API native : api: dans sa configuration, au mieux avec encryption: et une clé.',
      'Le hub le trouve, ou prend son adresse, et demande la clé s’il y en a une. Chaque nœud s’installe à part.',
      'Son adresse se trouve dans le journal du nœud, et dans la liste des appareils de votre box.',
    ],
  },
  settings: {
    host: { label: 'Adresse du nœud', hint: 'Par exemple 192.168.1.50.' },
    take_rooms: { label: 'Mettre les nouveaux appareils dans les pièces où le nœud les a' },
    mac: { label: 'Adresse MAC du nœud', hint: 'Douze chiffres, comme le nœud les a dits à l’installation.' },
    key: {
      label: 'Clé de chiffrement',
      hint: 'La clé sous api: encryption: dans la configuration du nœud.',
    },
  },
  steps: {
    ...frame.steps,
    trying_key: 'Essai de la clé…',
    write_down:
      'Notez cette clé : d’autres programmes en ont besoin, et le nœud la garde jusqu’à son effacement. Puis continuez.',
    setting_key: 'Pose de la clé…',
  },
  choices: {
    offer_key: {
      text: 'Ce nœud n’a pas de clé : n’importe qui sur le réseau peut le commander, et poser une clé que vous ne connaissez pas.',
      options: {
        set: { title: 'Poser une clé', detail: 'Le hub en crée une et vous la montre.' },
        leave: { title: 'Le laisser ouvert', detail: 'Le hub parle au nœud sans chiffrement.' },
      },
    },
  },
  faults: {
    ...frame.faults,
    no_node: 'N’est pas l’adresse d’un nœud ESPHome',
    other_node: 'Est l’adresse d’un autre nœud que celui trouvé',
    has_password: 'Est celle d’un nœud avec mot de passe : donnez-lui plutôt une clé',
    no_key: 'N’est pas une clé : elle a 44 lettres, chiffres et signes',
    wrong_key: 'N’est pas la clé du nœud',
  },
  failures: {
    node_lost: 'Le nœud ne répond plus.',
    key_not_taken: 'Le nœud n’a pas accepté la clé.',
    key_not_used:
      'Le nœud a accepté la clé, mais ne répond pas avec elle. Configurez-le de nouveau avec la clé que vous avez notée.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  NODE_UNREACHABLE: 'Le nœud est injoignable',
  NODE_SILENT: 'Le nœud ne donne pas signe',
  BAD_ANSWER: 'La réponse n’est pas compréhensible',
  OTHER_NODE: 'Un autre nœud y répond',
  KEY_NEEDED: 'Il faut une clé',
  KEY_REFUSED: 'La clé n’est pas acceptée',
  NOT_ENCRYPTED: 'La connexion n’est pas chiffrée',
  PASSWORD_NEEDED: 'Il faut un mot de passe',
};
