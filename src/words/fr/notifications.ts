import type { notificationTexts as english } from '#words/en/notifications.ts';
import type { Translation } from '#words/texts.ts';

const DIGEST =
  '{critical} critiques, {warning} avertissements, {info} pour information. Trop sont arrivées en peu de temps : celles-ci ne sont pas affichées une à une.';
const AMONG = 'Parmi les appareils : {devices}.';

export const notificationTexts: Translation<typeof english> = {
  water: { title: 'Eau : {device}', text: 'Le capteur signale de l’eau.' },
  smoke: { title: 'Fumée : {device}', text: 'Le détecteur signale de la fumée.' },
  carbon_monoxide: {
    title: 'Monoxyde de carbone : {device}',
    text: 'Le détecteur signale du monoxyde de carbone. Il n’a pas d’odeur : faites sortir tout le monde et aérez.',
  },
  gas: { title: 'Gaz : {device}', text: 'Le détecteur signale du gaz.' },
  water_inside: { title: 'De l’eau dans le logement', text: 'Un capteur signale de l’eau.' },
  smoke_inside: { title: 'De la fumée dans le logement', text: 'Un détecteur signale de la fumée.' },
  carbon_monoxide_inside: {
    title: 'Du monoxyde de carbone dans le logement',
    text: 'Un détecteur signale du monoxyde de carbone. Il n’a pas d’odeur : aérez et sortez.',
  },
  gas_inside: { title: 'Du gaz dans le logement', text: 'Un détecteur signale du gaz.' },
  lock_jammed: { title: '{device} est bloqué', text: 'La serrure n’a pas pu pousser son pêne jusqu’au bout.' },
  battery_low: { title: 'Pile faible : {device}', text: 'Rechargez-la ou remplacez-la bientôt.' },
  device_offline: {
    title: '{device} est hors ligne depuis un jour',
    text: 'Le hub ne l’atteint pas. Vérifiez son alimentation et s’il est encore à portée.',
  },
  integration_down: {
    title: '{integration} n’est pas connecté depuis cinq minutes',
    text: 'Ses appareils sont injoignables.',
  },
  battery_low_many: { title: '{count} piles sont faibles', text: '{which}' },
  device_offline_many: { title: '{count} appareils sont hors ligne depuis un jour', text: '{which}' },
  integration_down_many: { title: '{count} intégrations ne sont pas connectées', text: '{which}' },
  integration_failed: { title: '{integration} n’est pas connecté depuis cinq minutes' },
  backup_failed: { title: 'La dernière sauvegarde a échoué' },
  disk_nearly_full: {
    title: 'Le disque est presque plein',
    text: '{free_mib} Mio sont libres. Un disque plein arrête les sauvegardes et l’historique.',
  },
  history_paused: {
    title: 'L’historique est suspendu',
    text: 'Le disque ne se laisse pas écrire : les valeurs des appareils ne sont pas enregistrées en ce moment.',
  },
  too_much_for_day: {
    title: '{name} envoie plus de valeurs qu’il n’est possible d’en enregistrer',
    text: 'Ses valeurs sont affichées, mais elles manquent dans l’historique pour le reste de la journée.',
  },
  too_much_for_month: {
    title: '{name} envoie plus de valeurs qu’il n’est possible d’en enregistrer',
    text: 'Ses valeurs sont affichées, mais elles manquent dans l’historique pour le reste du mois. Enregistrez-le moins souvent, ou donnez plus de place à l’historique.',
  },
  automation_looped: {
    title: '{automation} a été arrêtée',
    text: 'Elle démarrait sans cesse. Elle est arrêtée pendant {for_s}.',
  },
  automation_circled: {
    title: '{automation} a été arrêtée',
    text: 'Des automatisations se démarraient sans cesse : {way}. Elle est arrêtée pendant {for_s}.',
  },
  automation_fought: {
    title: '{automation} a été arrêtée',
    text: 'Elle et d’autres faisaient aller et venir {device}. Elle est arrêtée pendant {for_s}.',
  },
  signer_gone: {
    title: '{automation} ne peut plus tourner',
    text: 'La dernière personne à l’avoir enregistrée, ou son jeton d’API, n’est plus là. Elle tournera de nouveau dès que quelqu’un qui a les droits les lui donne.',
  },
  signer_lacks_right: {
    title: '{automation} ne peut plus tourner',
    text: 'La dernière personne à l’avoir enregistrée n’a plus un droit dont elle a besoin. Elle tournera de nouveau dès que quelqu’un qui a les droits les lui donne.',
  },
  digest: { title: '{count} autres notifications de {name}', text: DIGEST },
  digest_of_one: { title: '{count} autre notification de {name}', text: DIGEST },
  digest_among: { title: '{count} autres notifications de {name}', text: `${DIGEST} ${AMONG}` },
  digest_of_one_among: { title: '{count} autre notification de {name}', text: `${DIGEST} ${AMONG}` },
  test: { title: 'Ceci est un test', text: 'Votre hub peut envoyer des notifications ici.' },
};
