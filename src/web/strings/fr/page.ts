import { counted } from './grammar.ts';
import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { devices } from './devices.ts';

export const page: Dictionary['page'] = {
  ...devices,
  locale: 'fr',
  product: 'hearthd',
  close: 'Fermer',
  cancel: 'Annuler',
  back: 'Retour',
  retry: 'Réessayer',
  on: 'Allumé',
  off: 'Éteint',
  yes: 'Oui',
  no: 'Non',
  none: '–',
  choose: 'Choisir…',
  loading: 'Chargement…',
  skipToContent: 'Aller au contenu',

  hub: {
    connecting: 'Connexion…',
    reconnecting: 'Reconnexion…',
    unreachableTitle: 'Le hub ne répond pas',
    unreachableText:
      'Vérifiez que le hub est allumé et que cet appareil est sur le réseau de la maison. Le hub n’est pas joignable depuis l’extérieur. Cette page se reconnecte d’elle-même.',
    away: (since) =>
      `Le hub ne répond pas. Voici votre maison telle qu’elle était à ${since}. Vérifiez que cet appareil est sur le réseau de la maison. La page se reconnecte d’elle-même.`,
    clockApart: (apart) =>
      `Les horloges du hub et de cet appareil diffèrent de ${apart}. Les heures de cette page sont celles du hub.`,
    zoneApart: (zone, now) =>
      `Les heures de cette page sont celles de votre maison (${zone}), où il est maintenant ${now}.`,
  },

  setup: {
    title: 'Bienvenue chez vous',
    intro: 'Ce hub n’appartient encore à personne. Créez le premier compte pour en devenir propriétaire.',
    claimCode: 'Code de prise en main',
    claimCodeHint: 'Sur l’ordinateur du hub, tapez :',
    claimCommand: (hubCommand) => `${hubCommand} claim`,
    name: 'Votre nom',
    nameHint: 'Celui que les autres connaissent à la maison.',
    steps: 'Premiers pas',
    step: { you: 'Vous', home: 'Votre maison', devices: 'Appareils' },
    submit: 'Créer le compte',
    busy: 'Création…',
  },

  login: {
    title: (hubName) => `Se connecter à ${hubName}`,
    submit: 'Se connecter',
    busy: 'Connexion…',
    ended:
      'Vous avez été déconnecté : votre session a expiré, ou elle a été fermée dans un autre onglet ou sur un autre appareil.',
    forgot: 'Mot de passe oublié ?',
    forgotText:
      'Demandez-en un nouveau à un propriétaire ou à un admin de cette maison. Ou bien, sur l’ordinateur du hub, tapez :',
    forgotCommand: (hubCommand, email) => `${hubCommand} user password ${email === '' ? 'E-MAIL' : email}`,
    wait: (seconds) => `Trop de tentatives. Réessayez dans ${counted(seconds, 'seconde', 'secondes')}.`,
  },

  field: {
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    showPassword: 'Afficher le mot de passe',
    hidePassword: 'Masquer le mot de passe',
    required: 'Obligatoire',
    passwordMeter: (length, needed) =>
      length >= needed ? `${length} caractères` : `${length} sur ${needed} caractères`,
    passwordGood: (length) => `${length} caractères : un bon mot de passe`,
    passwordHint: 'Au moins 10 caractères. Quelques mots à la suite se retiennent facilement.',
  },

  allOff: 'Tout éteindre',
  modeName: 'Mode',
  modes: { home: 'Maison', away: 'Absent', night: 'Nuit', vacation: 'Vacances' },

  nav: {
    home: 'Maison',
    history: 'Historique',
    rules: 'Automatisations',
    settings: 'Réglages',
    notifications: (count) => (count === 0 ? 'Notifications' : `Notifications : ${count} à voir`),
    label: 'Menu principal',
  },

  home: {
    title: 'Maison',
    noRoom: 'Sans pièce',
    search: 'Chercher des appareils',
    searchKey: '/',
    cardKeys: 'Dans une carte, les flèches haut et bas passent d’une commande à l’autre.',
    filter: 'Afficher',
    allRooms: 'Toutes les pièces',
    room: 'Pièce',
    kinds: {
      all: 'Tous',
      light: 'Lumières',
      plug: 'Prises',
      climate: 'Climat',
      cover: 'Stores',
      lock: 'Serrures',
      sensor: 'Capteurs',
      remote: 'Télécommandes',
      other: 'Autres',
      attention: 'À surveiller',
    },
    count: (count) => counted(count, 'appareil', 'appareils'),
    found: (count) => (count === 0 ? 'Aucun appareil trouvé' : counted(count, 'appareil trouvé', 'appareils trouvés')),
    nothingFound: 'Aucun appareil trouvé.',
    showAll: 'Afficher tous les appareils',
    emptyTitle: 'Pas encore d’appareils',
    emptyText: 'Les appareils apparaissent ici dès qu’ils sont associés.',
    emptyAdd: 'Ajouter des appareils',
    emptyLimited: 'Il n’y a rien dans les pièces que vous pouvez utiliser. Demandez à un propriétaire ou à un admin.',
    emptyGuest: 'Demandez à un propriétaire ou à un admin d’en ajouter.',
    lightsOn: (count) => counted(count, 'lumière allumée', 'lumières allumées'),
    lastDay: (min, max) => `Dernières 24 heures : de ${min} à ${max}`,
    lightsOff: 'Éteindre les lumières',
    theseOff: (count) => (count === 1 ? 'Éteindre celle-ci' : `Éteindre ces ${count}`),
    offIn: (action, room) => `${action} : ${room}`,
  },

  device: {
    notFoundTitle: 'Appareil introuvable',
    notFoundText: 'Il a peut-être été retiré.',
    toHome: 'Tous les appareils',
    controls: 'Commandes',
    readings: 'Mesures',
    actions: 'Actions',
    config: 'Réglages de l’appareil',
    diagnostic: 'Diagnostic',
    about: 'À propos de cet appareil',
    manufacturer: 'Fabricant',
    model: 'Modèle',
    firmware: 'Micrologiciel',
    integration: 'Connecté par',
    address: 'Adresse',
    selector: 'Nom dans l’API',
    lastSeen: 'Dernier signe',
    never: 'Jamais',
    batteryLow: 'Pile faible',
    offline: 'Hors ligne',
    cutOff: 'Injoignable',
    asleep: 'Cet appareil dort. Il se manifeste à son réveil, et reçoit alors vos changements.',
    offlineWhy: (why) => (why === '' ? 'Indisponible pour le moment.' : `Indisponible pour le moment : ${why}.`),
    unknownWhy: (why) =>
      why === '' ? 'Son état est inconnu pour le moment.' : `Son état est inconnu pour le moment : ${why}.`,
    states: { online: 'En ligne', offline: 'Hors ligne', asleep: 'En veille', unknown: 'Inconnu' },
    reasons: {
      no_response: 'il ne répond pas',
      integration_down: 'son intégration n’est pas connectée',
      integration_off: 'son intégration est désactivée',
      no_report: 'il n’a rien signalé depuis le démarrage du hub',
      bridge_offline: 'son pont est hors ligne',
      asleep: 'il dort',
      disabled: 'il est désactivé sur son pont',
      interviewing: 'sa lecture n’est pas terminée',
      not_announced: 'il n’est plus annoncé',
    },
  },

  trust: {
    changed: 'Modifié',
    assumed: 'Envoyé, pas encore confirmé',
    sending: 'envoi…',
    waiting: 'Attend que l’appareil se réveille',
    lastKnown: 'Dernière valeur connue',
    lastKnownShort: 'dernière connue',
    none: 'Pas encore de valeur',
  },

  control: {
    hue: 'teinte',
    saturation: 'saturation',
    degrees: (degrees) => `${degrees} degrés`,
    percent: (percent) => `${percent} pour cent`,
    openIt: 'Ouvrir',
    closeIt: 'Fermer',
    stopIt: 'Arrêter',
    warmer: 'Plus chaud',
    colder: 'Plus froid',
    more: 'Plus',
    less: 'Moins',
    setPoint: 'Consigne',
    lock: 'Verrouiller',
    unlock: 'Déverrouiller',
    apply: 'Appliquer',
    value: (name) => `${name} : nouvelle valeur`,
    kelvin: (kelvin) => `${kelvin} kelvins`,
    hueWords: (hue, saturation) => `teinte ${hue} degrés, saturation ${saturation} pour cent`,
  },

  state: {
    open: 'Ouvert',
    closed: 'Fermé',
    partlyOpen: (percent) => `ouvert à ${percent} %`,
    locked: 'Verrouillé',
    unlocked: 'Déverrouillé',
    motion: 'Mouvement',
    noMotion: 'Aucun mouvement',
    presence: 'Occupé',
    noPresence: 'Vide',
    wet: 'De l’eau !',
    dry: 'Sec',
    alarm: 'Alarme !',
    quiet: 'OK',
    heating: 'chauffe',
    someOn: (on, all) => `${on} sur ${all} allumés`,
    noPress: 'Pas encore pressé',
  },

  presses: {
    single: 'Pressé une fois',
    double: 'Pressé deux fois',
    triple: 'Pressé trois fois',
    hold: 'Maintenu',
    release: 'Relâché',
  },

  units: {
    percent: '%',
    celsius: '°',
    'ug/m3': 'µg/m³',
    'mg/m3': 'mg/m³',
    m3: 'm³',
    'm3/h': 'm³/h',
    'Bq/m3': 'Bq/m³',
  },

  command: {
    notConfirmed: 'Non confirmé',
    noAnswer:
      'Le hub n’a pas répondu : c’est peut-être fait, peut-être pas. Vérifiez que cet appareil est sur le réseau de la maison.',
    sent: (device, action) => `${device} : ${action} envoyé`,
    failed: (device, why) => `${device} ne l’a pas fait : ${why}`,
    unconfirmed: (device) => `La commande est partie, mais ${device} ne l’a pas confirmée.`,
    expired: (device) => `${device} ne s’est pas réveillé à temps.`,
    offline: (device) => `${device} est hors ligne.`,
    down: (device) => `${device} est injoignable : son intégration n’est pas connectée.`,
    gone: (device) => `${device} n’est plus dans la maison.`,
  },

  rights: {
    ownerOnly: 'Réservé aux propriétaires',
    adminsOnly: 'Réservé aux propriétaires et aux admins',
    notGuests: 'Les invités ne voient pas ceci',
    guestLock: 'Les invités ne peuvent pas ouvrir les serrures',
    guestGarage: 'Les invités ne peuvent pas ouvrir le garage',
    guestValve: 'Les invités ne peuvent pas utiliser les vannes',
    guestAlarm: 'Les invités ne peuvent pas utiliser les alarmes',
    guestMarked: 'Les invités ne peuvent pas utiliser cet appareil',
  },

  problem: {
    network: 'Le hub ne répond pas. Vérifiez que cet appareil est sur le réseau de la maison.',
    forbidden: 'Votre compte n’a pas le droit de faire cela.',
    busy: 'Le hub est occupé. Réessayez dans un instant.',
    restarting: 'Le hub redémarre. Réessayez dans un instant.',
    unknown: 'Cela n’a pas fonctionné.',
  },

  time: {
    justNow: 'à l’instant',
    minutes: (count) => `il y a ${count} min`,
    hours: (count) => `il y a ${count} h`,
    yesterday: (time) => `hier, ${time}`,
    since: (time) => `depuis ${time}`,
    apart: (minutes) =>
      minutes < 120
        ? counted(minutes, 'minute', 'minutes')
        : minutes < 2880
          ? counted(Math.round(minutes / 60), 'heure', 'heures')
          : counted(Math.round(minutes / 1440), 'jour', 'jours'),
  },

  notFound: {
    title: 'Page introuvable',
    text: 'Vérifiez que l’adresse est bien écrite.',
  },
};
