import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const ruleHooks: Dictionary['ruleHooks'] = {
  title: 'Aufruf durch andere Programme',
  text: 'Ein Programm in deinem Netz startet diese Automation, wenn es diese Adresse mit einem Geheimnis aufruft.',
  address: 'Adresse',
  addressOf: (trigger) => `Adresse (${trigger})`,
  none: 'Sie hat noch kein Geheimnis. Nur Personen und API-Tokens, die Automationen starten dürfen, können sie aufrufen.',
  valid: (at, name) => `Sie hat ein Geheimnis, von ${name} angelegt: ${at}.`,
  lapsed: (name) =>
    `Ihr Geheimnis gilt nicht mehr: ${name} hat es angelegt und darf diese Automation jetzt nicht ändern.`,
  secretFor: 'Wer diese Automation ändern darf, kann ein Geheimnis für sie anlegen.',
  make: 'Geheimnis anlegen',
  renew: 'Neues Geheimnis anlegen',
  renewQuestion: 'Neues Geheimnis anlegen?',
  renewText: 'Das Programm, das diese Adresse aufruft, braucht das neue: Das jetzige gilt sofort nicht mehr.',
  takeBack: 'Geheimnis zurücknehmen',
  takeBackQuestion: 'Geheimnis zurücknehmen?',
  takeBackText: 'Das Programm, das es hat, kann diese Automation nicht mehr starten.',
  tookBack: 'Das Geheimnis gilt nicht mehr.',
  secret: 'Geheimnis',
  once: 'Kopiere es jetzt: Der Hub bewahrt es nicht auf und zeigt es nur einmal.',
  call: (address, secret) => `curl -X POST -H "Hearthd-Hook: ${secret}" ${address}`,
};
