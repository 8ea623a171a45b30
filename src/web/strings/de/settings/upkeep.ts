import type { upkeep as english } from '#web/strings/en/settings/upkeep.ts';
import { counted } from '#web/strings/de/grammar.ts';
import { ended } from '#web/strings/language/grammar.ts';
import type { Translation } from '#web/strings/language/language.ts';

export const upkeep: Translation<typeof english> = {
  backup: {
    title: 'Sicherungen',
    intro:
      'Eine Sicherung enthält Personen, Räume, Geräte und Einstellungen. Der Hub legt täglich eine an. Bewahre auch anderswo eine auf.',
    empty: 'Noch keine Sicherungen.',
    make: 'Jetzt sichern',
    making: 'Sichert …',
    made: 'Die Sicherung ist angelegt.',
    kinds: {
      manual: 'Von Hand angelegt',
      daily: 'Täglich vom Hub angelegt',
      'pre-migration': 'Vor einem Update',
      'pre-restore': 'Vor einer Wiederherstellung',
    },
    download: 'Herunterladen',
    downloadOf: (when) => `Sicherung vom ${when} herunterladen`,
    downloading: 'Lädt herunter …',
    restoreOne: 'Wiederherstellen …',
    restoreOf: (when) => `Wiederherstellen … Sicherung vom ${when}`,
    reading: 'Liest …',
    fromFile: 'Aus einer Datei',
    fromFileText:
      'Stellt eine Sicherung wieder her, die du anderswo aufbewahrt hast. Die Datei wird geprüft, bevor sich etwas ändert.',
    file: 'Sicherungsdatei',
    restore: 'Diese Sicherung wiederherstellen',
    restoreAsk: 'Diese Sicherung wiederherstellen?',
    ofFile: (name, size) => `${name}, ${size}`,
    content: ({ when, people, rooms, devices, version }) =>
      [
        `${when}: ${counted(people, 'Person', 'Personen')}`,
        counted(rooms, 'Raum', 'Räume'),
        counted(devices, 'Gerät', 'Geräte'),
        ...(version === null ? [] : [`Hub ${version}`]),
      ].join(', '),
    restoreWarnings: [
      'Personen, Räume, Namen und API-Tokens, die seitdem hinzugefügt oder geändert wurden, gehen verloren.',
      'Personen, die seitdem entfernt wurden, kommen zurück. Passwörter bleiben, wie sie jetzt sind, und widerrufene Tokens bleiben widerrufen.',
      'Alle anderen werden abgemeldet, und du auch, wenn dein Konto nicht in der Sicherung ist.',
      'Vorher sichert der Hub, wie es jetzt ist.',
    ],
    sending: 'Die Sicherung wird geprüft …',
    waiting: 'Der Hub startet mit der Sicherung neu …',
    restored: 'Die Sicherung ist wiederhergestellt. Alle anderen wurden abgemeldet.',
    goOn: 'Zur Startseite',
    notBack:
      'Die Sicherung ist wiederhergestellt, aber der Hub antwortet noch nicht. Warte einen Moment und lade diese Seite neu.',
  },

  troubles: {
    count: (count) => counted(count, 'Problem', 'Probleme'),
    notConnected: (name, since, lost) =>
      lost === 0
        ? `${name} ist seit ${since} nicht verbunden.`
        : `${name} ist seit ${since} nicht verbunden: ${counted(lost, 'Gerät ist', 'Geräte sind')} nicht erreichbar.`,
    why: (message) => ended(message),
    of: (name, message) => ended(`${name}: ${message}`),
    checkConnection: 'Verbindung prüfen',
    whatToDo: 'Was tun?',
  },

  health: {
    title: 'Zustand',
    well: 'Alles in Ordnung.',
    hub: 'Hub',
    version: 'Version',
    uptime: 'Laufzeit',
    database: 'Datenbank',
    databases: {
      ok: 'OK',
      full: 'Voll',
      unavailable: 'Lässt sich nicht beschreiben',
      damaged: 'Beschädigt',
    },
    lastBackup: 'Letzte Sicherung',
    history: 'Verlauf auf dem Laufwerk',
    written: 'Heute geschrieben',
    disk: 'Laufwerk',
    free: (free, total) => `${free} frei von ${total}`,
    memory: 'Benutzter Speicher',
    clients: 'Offene Verbindungen',
    clock: 'Uhr',
    clockSynced: 'von einem Zeitdienst gestellt',
    clockUnsynced: 'von keinem Zeitdienst gestellt',
    addresses: 'Adressen',
    machine: 'Rechner',
    hostname: 'Name im Netz',
    system: 'System',
    kernel: 'Kernel',
    node: 'Node.js',
    processors: 'Prozessoren',
    machineMemory: 'Speicher',
    machineUptime: 'Laufzeit',
    databaseTroubles: {
      export: [
        'Ein Empfänger des Verlaufs nimmt nichts an.',
        'Der Hub versucht es weiter und verliert nichts, solange der Verlauf es noch hat. Unter „Exporte“ in den Einstellungen steht, warum.',
      ],
      full: [
        'Das Laufwerk ist voll.',
        'Geräte funktionieren noch, aber nichts Neues wird gespeichert. Schaffe Platz auf dem Rechner, auf dem der Hub läuft.',
      ],
      unavailable: [
        'Das Laufwerk lässt sich nicht beschreiben.',
        'Nichts Neues wird gespeichert. Prüfe das Laufwerk oder die Speicherkarte: Vielleicht ist sie verschlissen.',
      ],
      damaged: [
        'Die Datenbank ist beschädigt.',
        'Lade jetzt eine Sicherung herunter und starte den Hub neu: Er geht von selbst auf die letzte gute Sicherung zurück.',
      ],
      read_only: [
        'Das Laufwerk ist schreibgeschützt.',
        'Der Hub läuft auf einer Kopie, die beim nächsten Neustart verloren geht. Ersetze die Speicherkarte oder das Laufwerk.',
      ],
      recovered: [
        'Die Datenbank war beschädigt, und der Hub ist auf eine Sicherung zurückgegangen.',
        'Was nach dieser Sicherung geändert wurde, fehlt. Wenn das wieder geschieht, ersetze die Speicherkarte oder das Laufwerk.',
      ],
      emptied: [
        'Die Datenbank war beschädigt, und es gab keine gute Sicherung.',
        'Stelle unter „Sicherungen“ eine wieder her, die du anderswo aufbewahrt hast.',
      ],
      backup: [
        'Die letzte Sicherung ist fehlgeschlagen.',
        'Meist ist das Laufwerk voll. Schaffe Platz und lege unter „Sicherungen“ eine an.',
      ],
      history: [
        'Es wird nichts mehr aufgezeichnet.',
        'Das Laufwerk nimmt keinen Verlauf an, also haben die Diagramme ab jetzt eine Lücke. Schaffe Platz oder prüfe das Laufwerk.',
      ],
      low: [
        'Das Laufwerk ist fast voll.',
        'Schaffe Platz auf dem Rechner, auf dem der Hub läuft. Ist das Laufwerk voll, wird nichts Neues mehr gespeichert.',
      ],
      clock: [
        'Die Uhr des Hubs ist nicht gestellt.',
        'Bis dahin können Zeiten falsch sein. Anmeldungen sind nicht betroffen. Verbinde den Rechner mit einem Zeitserver: Führe darauf „timedatectl set-ntp true“ aus.',
      ],
      SAFE_MODE: [
        'Eine Integration ist angehalten, weil der Hub zweimal abgestürzt ist, kurz nachdem er etwas von ihr bekam.',
        'Suche dort nach der Ursache und starte sie dann auf ihrer Seite unter „Integrationen“ wieder.',
      ],
      TOO_MANY_DEVICES: [
        'Eine Integration hat mehr Geräte geschickt, als ein Zuhause haben kann.',
        'Der Hub behält die Geräte, die er vorher hatte. Finde heraus, was diese Liste schickt: Vielleicht benutzt noch jemand dieselbe Verbindung.',
      ],
      DEVICES_TOO_LARGE: [
        'Eine Integration hat Geräte geschickt, die zusammen größer sind, als der Hub halten kann.',
        'Der Hub behält die Geräte, die er vorher hatte. Finde heraus, was diese Liste schickt: Vielleicht benutzt noch jemand dieselbe Verbindung.',
      ],
    },
  },
};
