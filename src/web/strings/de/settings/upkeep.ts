import type { upkeep as english } from '#web/strings/en/settings/upkeep.ts';
import { counted } from '#web/strings/de/grammar.ts';
import type { Translation } from '#words/texts.ts';

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
      script: 'Von einem Skript angelegt',
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
    historyWaits: (count) => `${counted(count, 'Wert', 'Werte')}; alle sechs Stunden kommen sie in Dateien`,
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
  },
};
