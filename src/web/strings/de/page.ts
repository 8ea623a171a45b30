import { counted } from './grammar.ts';
import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { devices } from './devices.ts';

export const page: Dictionary['page'] = {
  ...devices,
  locale: 'de',
  product: 'hearthd',
  close: 'Schließen',
  cancel: 'Abbrechen',
  back: 'Zurück',
  retry: 'Noch einmal versuchen',
  on: 'An',
  off: 'Aus',
  yes: 'Ja',
  no: 'Nein',
  none: '–',
  choose: 'Auswählen …',
  loading: 'Lädt …',
  skipToContent: 'Zum Inhalt springen',

  hub: {
    connecting: 'Verbindet …',
    reconnecting: 'Verbindet neu …',
    unreachableTitle: 'Der Hub antwortet nicht',
    unreachableText:
      'Prüfe, ob der Hub eingeschaltet ist und ob dieses Gerät in deinem Heimnetz ist. Von außerhalb deines Zuhauses erreichst du den Hub nicht. Diese Seite verbindet sich von selbst wieder.',
    away: (since) =>
      `Der Hub antwortet nicht. So war dein Zuhause um ${since}. Prüfe, ob dieses Gerät in deinem Heimnetz ist. Die Seite verbindet sich von selbst wieder.`,
    clockApart: (apart) =>
      `Die Uhren des Hubs und dieses Geräts gehen um ${apart} auseinander. Auf dieser Seite gilt die Zeit des Hubs.`,
    zoneApart: (zone, now) => `Auf dieser Seite gilt die Uhrzeit deines Zuhauses (${zone}). Dort ist es jetzt ${now}.`,
  },

  setup: {
    title: 'Willkommen zu Hause',
    intro: 'Dieser Hub gehört noch niemandem. Lege das erste Konto an, dann gehört er dir.',
    claimCode: 'Einrichtungscode',
    claimCodeHint: 'Gib auf dem Rechner, auf dem der Hub läuft, ein:',
    claimCommand: (hubCommand) => `${hubCommand} claim`,
    name: 'Dein Name',
    nameHint: 'Wie dich die anderen im Zuhause kennen.',
    steps: 'Erste Schritte',
    step: { you: 'Du', home: 'Dein Zuhause', devices: 'Geräte' },
    submit: 'Konto anlegen',
    busy: 'Wird angelegt …',
  },

  login: {
    title: (hubName) => `Bei ${hubName} anmelden`,
    submit: 'Anmelden',
    busy: 'Meldet an …',
    ended:
      'Du wurdest abgemeldet: Deine Sitzung ist abgelaufen, oder sie wurde in einem anderen Tab oder auf einem anderen Gerät beendet.',
    forgot: 'Passwort vergessen?',
    forgotText:
      'Bitte jemanden, dem der Hub gehört oder der ihn verwaltet, um ein neues. Oder gib auf dem Rechner, auf dem der Hub läuft, ein:',
    forgotCommand: (hubCommand, email) => `${hubCommand} user password ${email === '' ? 'E-MAIL' : email}`,
    wait: (seconds) => `Zu viele Versuche. Versuche es in ${counted(seconds, 'Sekunde', 'Sekunden')} noch einmal.`,
  },

  field: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    showPassword: 'Passwort zeigen',
    hidePassword: 'Passwort verbergen',
    required: 'Wird benötigt',
    passwordMeter: (length, needed) => (length >= needed ? `${length} Zeichen` : `${length} von ${needed} Zeichen`),
    passwordGood: (length) => `${length} Zeichen: ein gutes Passwort`,
    passwordHint: 'Mindestens 10 Zeichen. Ein paar Wörter hintereinander merkt man sich leicht.',
  },

  allOff: 'Alles aus',
  modeName: 'Modus',
  modes: { home: 'Zuhause', away: 'Abwesend', night: 'Nacht', vacation: 'Urlaub' },

  nav: {
    home: 'Zuhause',
    history: 'Verlauf',
    rules: 'Automationen',
    settings: 'Einstellungen',
    notifications: (count) =>
      count === 0 ? 'Mitteilungen' : `Mitteilungen: ${counted(count, 'braucht', 'brauchen')} Aufmerksamkeit`,
    label: 'Hauptmenü',
  },

  home: {
    title: 'Zuhause',
    noRoom: 'Ohne Raum',
    search: 'Geräte suchen',
    searchKey: '/',
    cardKeys: 'In einer Karte wechselst du mit den Pfeiltasten nach oben und unten zwischen den Reglern.',
    filter: 'Zeigen',
    allRooms: 'Alle Räume',
    room: 'Raum',
    kinds: {
      all: 'Alle',
      light: 'Licht',
      plug: 'Steckdosen',
      climate: 'Klima',
      cover: 'Rollläden',
      lock: 'Schlösser',
      sensor: 'Sensoren',
      remote: 'Taster',
      other: 'Sonstige',
      attention: 'Braucht Aufmerksamkeit',
    },
    count: (count) => counted(count, 'Gerät', 'Geräte'),
    found: (count) => (count === 0 ? 'Keine Geräte gefunden' : `${counted(count, 'Gerät', 'Geräte')} gefunden`),
    nothingFound: 'Keine Geräte gefunden.',
    showAll: 'Alle Geräte zeigen',
    emptyTitle: 'Noch keine Geräte',
    emptyText: 'Geräte erscheinen hier, sobald sie verbunden sind.',
    emptyAdd: 'Geräte hinzufügen',
    emptyLimited: 'In den Räumen, die du benutzen darfst, ist nichts. Frage jemanden, der den Hub verwaltet.',
    emptyGuest: 'Bitte jemanden, der den Hub verwaltet, welche hinzuzufügen.',
    lightsOn: (count) => `${counted(count, 'Licht', 'Lichter')} an`,
    lastDay: (min, max) => `Letzte 24 Stunden: ${min} bis ${max}`,
    lightsOff: 'Licht aus',
    theseOff: (count) => (count === 1 ? 'Dieses ausschalten' : `Diese ${count} ausschalten`),
    offIn: (action, room) => `${action}: ${room}`,
  },

  device: {
    notFoundTitle: 'Gerät nicht gefunden',
    notFoundText: 'Vielleicht wurde es entfernt.',
    toHome: 'Alle Geräte',
    controls: 'Bedienung',
    readings: 'Messwerte',
    actions: 'Aktionen',
    config: 'Geräteeinstellungen',
    diagnostic: 'Diagnose',
    about: 'Über dieses Gerät',
    manufacturer: 'Hersteller',
    model: 'Modell',
    firmware: 'Firmware',
    integration: 'Verbunden über',
    address: 'Adresse',
    selector: 'API-Name',
    lastSeen: 'Zuletzt gehört',
    never: 'Nie',
    batteryLow: 'Batterie schwach',
    offline: 'Offline',
    cutOff: 'Nicht erreichbar',
    asleep: 'Dieses Gerät schläft. Es meldet sich, wenn es aufwacht, und bekommt dann deine Änderungen.',
    offlineWhy: (why) => (why === '' ? 'Gerade nicht verfügbar.' : `Gerade nicht verfügbar: ${why}.`),
    unknownWhy: (why) =>
      why === '' ? 'Sein Zustand ist gerade unbekannt.' : `Sein Zustand ist gerade unbekannt: ${why}.`,
    states: { online: 'Online', offline: 'Offline', asleep: 'Schläft', unknown: 'Unbekannt' },
    reasons: {
      no_response: 'Es antwortet nicht',
      integration_down: 'Seine Integration ist nicht verbunden',
      integration_off: 'Seine Integration ist ausgeschaltet',
      no_report: 'Es hat sich seit dem Start des Hubs nicht gemeldet',
      bridge_offline: 'Seine Bridge ist offline',
      asleep: 'Es schläft',
      disabled: 'Es ist an seiner Bridge abgeschaltet',
      interviewing: 'Es wird noch eingelesen',
      not_announced: 'Es wird nicht mehr angekündigt',
    },
  },

  trust: {
    changed: 'Geändert',
    assumed: 'Gesendet, noch nicht bestätigt',
    sending: 'wird gesendet …',
    waiting: 'Wartet, bis das Gerät aufwacht',
    lastKnown: 'Zuletzt bekannter Wert',
    lastKnownShort: 'zuletzt bekannt',
    none: 'Noch kein Wert',
  },

  control: {
    hue: 'Farbton',
    saturation: 'Sättigung',
    degrees: (degrees) => `${degrees} Grad`,
    percent: (percent) => `${percent} Prozent`,
    openIt: 'Öffnen',
    closeIt: 'Schließen',
    stopIt: 'Anhalten',
    warmer: 'Wärmer',
    colder: 'Kälter',
    more: 'Mehr',
    less: 'Weniger',
    setPoint: 'Sollwert',
    lock: 'Verriegeln',
    unlock: 'Entriegeln',
    apply: 'Übernehmen',
    value: (name) => `${name}: neuer Wert`,
    kelvin: (kelvin) => `${kelvin} Kelvin`,
    hueWords: (hue, saturation) => `Farbton ${hue} Grad, Sättigung ${saturation} Prozent`,
  },

  state: {
    open: 'Offen',
    closed: 'Geschlossen',
    partlyOpen: (percent) => `${percent} % offen`,
    locked: 'Verriegelt',
    unlocked: 'Nicht verriegelt',
    motion: 'Bewegung',
    noMotion: 'Keine Bewegung',
    presence: 'Jemand da',
    noPresence: 'Niemand da',
    wet: 'Wasser!',
    dry: 'Trocken',
    alarm: 'Alarm!',
    quiet: 'OK',
    heating: 'heizt',
    someOn: (on, all) => `${on} von ${all} an`,
    noPress: 'Noch nicht gedrückt',
  },

  presses: {
    single: 'Einmal gedrückt',
    double: 'Zweimal gedrückt',
    triple: 'Dreimal gedrückt',
    hold: 'Gehalten',
    release: 'Losgelassen',
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
    notConfirmed: 'Nicht bestätigt',
    noAnswer:
      'Der Hub hat nicht geantwortet. Vielleicht ist es geschehen, vielleicht nicht. Prüfe, ob dieses Gerät in deinem Heimnetz ist.',
    sent: (device, action) => `${device}: ${action} gesendet`,
    failed: (device, why) => `${device} hat das nicht getan: ${why}`,
    unconfirmed: (device) => `Der Befehl wurde gesendet, aber ${device} hat ihn nicht bestätigt.`,
    expired: (device) => `${device} ist nicht rechtzeitig aufgewacht.`,
    offline: (device) => `${device} ist offline.`,
    down: (device) => `${device} ist nicht erreichbar: Die Integration ist nicht verbunden.`,
    gone: (device) => `${device} gehört nicht mehr zum Zuhause.`,
  },

  rights: {
    ownerOnly: 'Nur für Eigentümer',
    adminsOnly: 'Das sieht nur, wer den Hub verwaltet',
    notGuests: 'Gäste sehen das nicht',
    guestLock: 'Gäste dürfen keine Schlösser öffnen',
    guestGarage: 'Gäste dürfen die Garage nicht öffnen',
    guestValve: 'Gäste dürfen keine Ventile benutzen',
    guestAlarm: 'Gäste dürfen keine Alarme benutzen',
    guestMarked: 'Gäste dürfen dieses Gerät nicht benutzen',
  },

  problem: {
    network: 'Der Hub antwortet nicht. Prüfe, ob dieses Gerät in deinem Heimnetz ist.',
    forbidden: 'Dein Konto darf das nicht.',
    busy: 'Der Hub ist beschäftigt. Versuche es gleich noch einmal.',
    restarting: 'Der Hub startet neu. Versuche es gleich noch einmal.',
    unknown: 'Das hat nicht geklappt.',
  },

  time: {
    justNow: 'gerade eben',
    minutes: (count) => `vor ${count} Min.`,
    hours: (count) => `vor ${count} Std.`,
    yesterday: (time) => `gestern, ${time}`,
    since: (time) => `seit ${time}`,
    apart: (minutes) =>
      minutes < 120
        ? counted(minutes, 'Minute', 'Minuten')
        : minutes < 2880
          ? counted(Math.round(minutes / 60), 'Stunde', 'Stunden')
          : counted(Math.round(minutes / 1440), 'Tag', 'Tage'),
  },

  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Prüfe, ob die Adresse richtig geschrieben ist.',
  },
};
