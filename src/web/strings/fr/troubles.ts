import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { ended } from '#web/strings/language/grammar.ts';
import { counted } from './grammar.ts';

export const troubles: Dictionary['troubles'] = {
  notConnected: (name, since, lost) =>
    lost === 0
      ? `${name} n’est plus connecté depuis ${since}.`
      : `${name} n’est plus connecté depuis ${since} : ${counted(lost, 'appareil est injoignable', 'appareils sont injoignables')}.`,
  why: (message) => ended(message),
  of: (name, message) => ended(`${name} : ${message}`),
  checkConnection: 'Vérifier la connexion',
  whatToDo: 'Que faire',
  resume: 'Relancer les automatisations',
  ofHub: {
    export: [
      'Un destinataire de l’historique n’accepte rien.',
      'Le hub réessaie et ne perd rien tant que l’historique le garde. « Exports » dans les réglages dit pourquoi.',
    ],
    full: [
      'Le disque est plein.',
      'Les appareils fonctionnent encore, mais rien de nouveau n’est enregistré. Libérez de la place sur l’ordinateur du hub.',
    ],
    unavailable: [
      'Le disque ne peut pas être écrit.',
      'Rien de nouveau n’est enregistré. Vérifiez le disque ou la carte mémoire : elle est peut-être usée.',
    ],
    damaged: [
      'La base de données est endommagée.',
      'Téléchargez une sauvegarde maintenant et redémarrez le hub : il revient de lui-même à la dernière bonne sauvegarde.',
    ],
    read_only: [
      'Le disque est en lecture seule.',
      'Le hub travaille sur une copie qui sera perdue au prochain redémarrage. Remplacez la carte mémoire ou le disque.',
    ],
    recovered: [
      'La base de données était endommagée, et le hub est revenu à une sauvegarde.',
      'Ce qui a changé après cette sauvegarde manque. Si cela se reproduit, remplacez la carte mémoire ou le disque.',
    ],
    emptied: [
      'La base de données était endommagée, et il n’y avait aucune bonne sauvegarde.',
      'Restaurez-en une que vous avez gardée ailleurs, sous « Sauvegardes ».',
    ],
    set_aside: [
      'Un enregistrement de la base de données était illisible, et le hub s’en passe.',
      'Il est conservé 90 jours. « hearthd doctor », sur l’ordinateur du hub, le nomme : configurez-le à nouveau ou restaurez une sauvegarde.',
    ],
    backup: [
      'La dernière sauvegarde a échoué.',
      'Le plus souvent, le disque est plein. Libérez de la place et faites-en une sous « Sauvegardes ».',
    ],
    history: [
      'Plus rien n’est enregistré dans l’historique.',
      'Le disque n’accepte pas l’historique : les graphiques ont un trou à partir de maintenant. Libérez de la place, ou vérifiez le disque.',
    ],
    history_left_out: [
      'Un appareil envoie plus de valeurs qu’il n’est possible d’en enregistrer.',
      'Il a épuisé sa part du jour ou du mois : ses graphiques ont un trou jusqu’à la fin de celui-ci, et les notifications le nomment. Enregistrez-le moins souvent, ou donnez plus de place à l’historique.',
    ],
    history_files: [
      'Un fichier de l’historique est inutilisable.',
      'Son contenu manque dans les graphiques. Souvent, un autre utilisateur l’a copié : donnez-le à l’utilisateur du hub, par exemple avec « chown hearthd: /var/lib/hearthd/history/* ». Le journal nomme le fichier.',
    ],
    low: [
      'Le disque est presque plein.',
      'Libérez de la place sur l’ordinateur du hub. Une fois le disque plein, rien de nouveau n’est enregistré.',
    ],
    clock: [
      'L’horloge du hub n’est pas réglée.',
      'D’ici là, les heures peuvent être fausses. Les connexions ne sont pas touchées. Reliez l’ordinateur à un serveur de temps : lancez-y « timedatectl set-ntp true ».',
    ],
    automations: [
      'Aucune automatisation ne tourne, car le hub est tombé trois fois en une heure pendant qu’il en traitait une.',
      'Cherchez-y la cause : désactivez ou supprimez ce qui a été modifié en dernier. Relancez ensuite les autres.',
    ],
    SAFE_MODE: [
      'Une intégration est arrêtée, car le hub est tombé trois fois en une heure pendant qu’il traitait ce qui en venait.',
      'Cherchez-y la cause, puis relancez-la sur sa page sous « Intégrations ».',
    ],
    TOO_MANY_DEVICES: [
      'Une intégration a envoyé plus d’appareils qu’une maison ne peut en avoir.',
      'Le hub garde les appareils qu’il avait. Trouvez ce qui envoie cette liste : quelqu’un d’autre utilise peut-être la même connexion.',
    ],
    DEVICES_TOO_LARGE: [
      'Une intégration a envoyé des appareils trop grands, à eux tous, pour le hub.',
      'Le hub garde les appareils qu’il avait. Trouvez ce qui envoie cette liste : quelqu’un d’autre utilise peut-être la même connexion.',
    ],
  },
};
