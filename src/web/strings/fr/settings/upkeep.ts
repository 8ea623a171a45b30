import type { upkeep as english } from '#web/strings/en/settings/upkeep.ts';
import { counted } from '#web/strings/fr/grammar.ts';
import type { Translation } from '#words/texts.ts';

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
      script: 'Créée par un script',
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
    historyWaits: (count) => `${counted(count, 'valeur', 'valeurs')}, rangées dans des fichiers toutes les six heures`,
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
  },
};
