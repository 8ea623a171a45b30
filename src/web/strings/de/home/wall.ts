import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const wall: Dictionary['wall'] = {
  title: 'Wand-Tablet',
  askTitle: 'Zuhause auf diesem Bildschirm anzeigen',
  steps: [
    'Richte die Kamera deines Handys auf den Code. Oder öffne dort Einstellungen › Wand-Tablets und gib die Ziffern ein.',
    'Wähle, was dieser Bildschirm darf, und erlaube es.',
  ],
  thisScreen: (name) => `Dieser Bildschirm: ${name}`,
  qr: 'QR-Code für die Kamera deines Handys',
  byToken: 'Stattdessen ein API-Token eingeben',
  wasRefused: 'Dieser Bildschirm wurde abgelehnt.',
  askAgain: 'Noch einmal fragen',
  states: {
    away: 'Der Hub antwortet nicht. Dieser Bildschirm versucht es weiter.',
    busy: 'Gleich kommen neue Ziffern …',
    unclaimed: 'Der Hub gehört noch niemandem. Richte ihn zuerst ein, am Handy oder Computer.',
  },
  intro:
    'Erstelle auf deinem eigenen Handy ein API-Token: Einstellungen, API-Tokens, mit dem Recht, Geräte und Ereignisse zu sehen und Geräte zu bedienen. Beschränke es auf die Räume, die hier jeder bedienen darf.',
  token: 'API-Token',
  tokenHint: 'Einmal eingeben. Es bleibt in diesem Browser.',
  submit: 'Zuhause anzeigen',
  refused:
    'Der Hub nimmt dieses API-Token nicht an. Es wurde entfernt, ist abgelaufen, oder ihm fehlt das Recht, Geräte und Ereignisse zu sehen.',
  settings: 'Dieser Bildschirm',
  back: 'Alle Räume',
  wake: 'Heller',
  night: 'Nachts dunkel',
  nights: { sun: 'Von Sonnenuntergang bis Sonnenaufgang', times: 'Zwischen zwei Uhrzeiten', never: 'Nie' },
  sunNote:
    'Dafür muss das Token Automationen sehen dürfen und der Ort des Zuhauses bekannt sein. Bis dahin gelten die Uhrzeiten.',
  from: 'Von',
  to: 'Bis',
  forget: 'Token vergessen',
};
