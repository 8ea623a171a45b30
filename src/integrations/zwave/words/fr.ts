import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Z-Wave JS',
    about: 'Appareils Z-Wave, par un serveur Z-Wave JS qui a la clé radio.',
    help: [
      'Lancez Z-Wave JS UI, ou le simple serveur Z-Wave JS, sur la machine qui a la clé radio, et activez son serveur WebSocket.',
      'Ce serveur n’a pas de mot de passe : qui atteint son port peut ouvrir vos serrures. Ne laissez que le hub l’atteindre, par un pare-feu ou en le lançant sur la machine du hub.',
      'Le hub trouve le serveur, ou prend son adresse.',
    ],
  },
  settings: {
    host: { label: 'Adresse du serveur', hint: 'Par exemple 192.168.1.30:3000.' },
    take_rooms: { label: 'Mettre les nouveaux appareils dans les pièces que le serveur a comme lieux' },
  },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_server: 'N’est pas l’adresse d’un serveur Z-Wave JS',
    other_network: 'Est l’adresse d’un autre réseau Z-Wave que celui trouvé',
    too_old: 'Est celle d’un serveur trop ancien : mettez-le à jour',
    too_new: 'Est celle d’un serveur trop récent pour ce hub : mettez le hub à jour',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  SERVER_UNREACHABLE: 'Le serveur est injoignable',
  SERVER_SILENT: 'Le serveur ne donne pas signe',
  SERVER_RESTARTED: 'Le serveur a redémarré',
  BAD_ANSWER: 'La réponse n’est pas compréhensible',
  OTHER_NETWORK: 'Un autre réseau est là',
  SERVER_TOO_OLD: 'Le serveur est trop ancien',
  SERVER_TOO_NEW: 'Le serveur est plus récent que ce que connaît le hub',
};
