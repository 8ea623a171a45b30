import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { ended } from '#web/strings/language/grammar.ts';
import { counted } from './grammar.ts';

export const troubles: Dictionary['troubles'] = {
  notConnected: (name, since, lost) =>
    lost === 0
      ? `${name} ist seit ${since} nicht verbunden.`
      : `${name} ist seit ${since} nicht verbunden: ${counted(lost, 'Gerät ist', 'Geräte sind')} nicht erreichbar.`,
  why: (message) => ended(message),
  of: (name, message) => ended(`${name}: ${message}`),
  checkConnection: 'Verbindung prüfen',
  whatToDo: 'Was tun?',
  resume: 'Automationen wieder ausführen',
  ofHub: {
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
    set_aside: [
      'Ein Eintrag der Datenbank war nicht lesbar, und der Hub kommt ohne ihn aus.',
      'Er bleibt 90 Tage aufbewahrt. „hearthd doctor“ auf dem Computer des Hubs nennt ihn: Richte ihn neu ein oder stelle eine Sicherung wieder her.',
    ],
    backup: [
      'Die letzte Sicherung ist fehlgeschlagen.',
      'Meist ist das Laufwerk voll. Schaffe Platz und lege unter „Sicherungen“ eine an.',
    ],
    history: [
      'Es wird nichts mehr aufgezeichnet.',
      'Das Laufwerk nimmt keinen Verlauf an, also haben die Diagramme ab jetzt eine Lücke. Schaffe Platz oder prüfe das Laufwerk.',
    ],
    history_left_out: [
      'Ein Gerät meldet mehr, als aufgezeichnet werden kann.',
      'Es hat seinen Anteil am Tag oder am Monat verbraucht und bekommt bis zu dessen Ende eine Lücke in den Diagrammen; die Mitteilungen nennen es. Lass es seltener aufzeichnen, oder gib dem Verlauf mehr Platz.',
    ],
    history_files: [
      'Eine Datei des Verlaufs lässt sich nicht benutzen.',
      'Was sie enthält, fehlt in den Diagrammen. Meist hat sie ein anderer Benutzer kopiert: Gib sie dem Benutzer des Hubs, etwa mit „chown hearthd: /var/lib/hearthd/history/*“. Das Protokoll nennt die Datei.',
    ],
    low: [
      'Das Laufwerk ist fast voll.',
      'Schaffe Platz auf dem Rechner, auf dem der Hub läuft. Ist das Laufwerk voll, wird nichts Neues mehr gespeichert.',
    ],
    clock: [
      'Die Uhr des Hubs ist nicht gestellt.',
      'Bis dahin können Zeiten falsch sein. Anmeldungen sind nicht betroffen. Verbinde den Rechner mit einem Zeitserver: Führe darauf „timedatectl set-ntp true“ aus.',
    ],
    automations: [
      'Keine Automation läuft, weil der Hub dreimal in einer Stunde abgestürzt ist, während er eine bearbeitete.',
      'Suche dort nach der Ursache: Schalte aus oder entferne, was zuletzt geändert wurde. Lass dann die anderen wieder laufen.',
    ],
    SAFE_MODE: [
      'Eine Integration ist angehalten, weil der Hub dreimal in einer Stunde abgestürzt ist, während er bearbeitete, was von ihr kam.',
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
};
