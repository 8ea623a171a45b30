import type { upkeep as english } from '#web/strings/en/settings/upkeep.ts';
import { counted } from '#web/strings/fr/grammar.ts';
import { ended } from '#web/strings/language/grammar.ts';
import type { Translation } from '#web/strings/language/language.ts';

export const upkeep: Translation<typeof english> = {
  backup: {
    title: 'Sauvegardes',
    intro:
      'Une sauvegarde contient personnes, pièces, appareils et réglages. Le hub en fait une chaque jour. Gardez-en une ailleurs aussi.',
    empty: 'Pas encore de sauvegardes.',
    make: 'Sauvegarder maintenant',
    making: 'Sauvegarde…',
    made: 'La sauvegarde est faite.',
    kinds: {
      manual: 'Faite à la main',
      daily: 'Faite chaque jour par le hub',
      'pre-migration': 'Avant une mise à jour',
      'pre-restore': 'Avant une restauration',
    },
    download: 'Télécharger',
    downloadOf: (when) => `Télécharger la sauvegarde du ${when}`,
    downloading: 'Téléchargement…',
    restoreOne: 'Restaurer…',
    restoreOf: (when) => `Restaurer… la sauvegarde du ${when}`,
    reading: 'Lecture…',
    fromFile: 'Depuis un fichier',
    fromFileText:
      'Restaure une sauvegarde que vous avez gardée ailleurs. Le fichier est vérifié avant tout changement.',
    file: 'Fichier de sauvegarde',
    restore: 'Restaurer cette sauvegarde',
    restoreAsk: 'Restaurer cette sauvegarde ?',
    ofFile: (name, size) => `${name}, ${size}`,
    content: ({ when, people, rooms, devices, version }) =>
      [
        `${when} : ${counted(people, 'personne', 'personnes')}`,
        counted(rooms, 'pièce', 'pièces'),
        counted(devices, 'appareil', 'appareils'),
        ...(version === null ? [] : [`hub ${version}`]),
      ].join(', '),
    restoreWarnings: [
      'Les personnes, pièces, noms et jetons d’API ajoutés ou modifiés depuis sont perdus.',
      'Les personnes retirées depuis reviennent. Les mots de passe restent ceux de maintenant, et les jetons révoqués restent révoqués.',
      'Tous les autres sont déconnectés, et vous aussi si votre compte n’est pas dans la sauvegarde.',
      'Avant cela, le hub sauvegarde l’état actuel.',
    ],
    sending: 'Vérification de la sauvegarde…',
    waiting: 'Le hub redémarre avec la sauvegarde…',
    restored: 'La sauvegarde est restaurée. Tous les autres ont été déconnectés.',
    goOn: 'Aller à la page d’accueil',
    notBack:
      'La sauvegarde est restaurée, mais le hub ne répond pas encore. Attendez un instant et rechargez cette page.',
  },

  troubles: {
    count: (count) => counted(count, 'problème', 'problèmes'),
    notConnected: (name, since, lost) =>
      lost === 0
        ? `${name} n’est plus connecté depuis ${since}.`
        : `${name} n’est plus connecté depuis ${since} : ${counted(lost, 'appareil est injoignable', 'appareils sont injoignables')}.`,
    why: (message) => ended(message),
    of: (name, message) => ended(`${name}: ${message}`),
    checkConnection: 'Vérifier la connexion',
    whatToDo: 'Que faire',
  },

  health: {
    title: 'Santé',
    well: 'Tout va bien.',
    hub: 'Hub',
    version: 'Version',
    uptime: 'En marche depuis',
    database: 'Base de données',
    databases: {
      ok: 'OK',
      full: 'Pleine',
      unavailable: 'Ne peut pas être écrite',
      damaged: 'Endommagée',
    },
    lastBackup: 'Dernière sauvegarde',
    history: 'Historique sur le disque',
    written: 'Écrit aujourd’hui',
    disk: 'Disque',
    free: (free, total) => `${free} libres sur ${total}`,
    memory: 'Mémoire utilisée',
    clients: 'Connexions en direct',
    clock: 'Horloge',
    clockSynced: 'réglée par un service de temps',
    clockUnsynced: 'non réglée par un service de temps',
    addresses: 'Adresses',
    machine: 'Ordinateur',
    hostname: 'Nom sur le réseau',
    system: 'Système',
    kernel: 'Noyau',
    node: 'Node.js',
    processors: 'Processeurs',
    machineMemory: 'Mémoire',
    machineUptime: 'Allumé depuis',
    databaseTroubles: {
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
      backup: [
        'La dernière sauvegarde a échoué.',
        'Le plus souvent, le disque est plein. Libérez de la place et faites-en une sous « Sauvegardes ».',
      ],
      history: [
        'Plus rien n’est enregistré dans l’historique.',
        'Le disque n’accepte pas l’historique : les graphiques ont un trou à partir de maintenant. Libérez de la place, ou vérifiez le disque.',
      ],
      low: [
        'Le disque est presque plein.',
        'Libérez de la place sur l’ordinateur du hub. Une fois le disque plein, rien de nouveau n’est enregistré.',
      ],
      clock: [
        'L’horloge du hub n’est pas réglée.',
        'D’ici là, les heures peuvent être fausses. Les connexions ne sont pas touchées. Reliez l’ordinateur à un serveur de temps : lancez-y « timedatectl set-ntp true ».',
      ],
      SAFE_MODE: [
        'Une intégration est arrêtée, car le hub est tombé deux fois peu après en avoir reçu quelque chose.',
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
  },
};
