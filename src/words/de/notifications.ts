import type { notificationTexts as english } from '#words/en/notifications.ts';
import type { Translation } from '#words/texts.ts';

const DIGEST =
  '{critical} kritisch, {warning} Warnungen, {info} zur Information. In kurzer Zeit kamen zu viele, deshalb erscheinen diese nicht einzeln.';
const AMONG = 'Darunter diese Geräte: {devices}.';

export const notificationTexts: Translation<typeof english> = {
  water: { title: 'Wasser: {device}', text: 'Der Sensor meldet Wasser.' },
  smoke: { title: 'Rauch: {device}', text: 'Der Melder meldet Rauch.' },
  carbon_monoxide: {
    title: 'Kohlenmonoxid: {device}',
    text: 'Der Melder meldet Kohlenmonoxid. Man riecht es nicht: Bring alle ins Freie und lüfte.',
  },
  gas: { title: 'Gas: {device}', text: 'Der Melder meldet Gas.' },
  water_inside: { title: 'Wasser im Zuhause', text: 'Ein Sensor meldet Wasser.' },
  smoke_inside: { title: 'Rauch im Zuhause', text: 'Ein Melder meldet Rauch.' },
  carbon_monoxide_inside: {
    title: 'Kohlenmonoxid im Zuhause',
    text: 'Ein Melder meldet Kohlenmonoxid. Man riecht es nicht: Bring alle ins Freie und lüfte.',
  },
  gas_inside: { title: 'Gas im Zuhause', text: 'Ein Melder meldet Gas.' },
  lock_jammed: { title: '{device} klemmt', text: 'Das Schloss konnte den Riegel nicht ganz bewegen.' },
  battery_low: { title: 'Batterie schwach: {device}', text: 'Lade oder wechsle sie bald.' },
  device_offline: {
    title: '{device} ist seit einem Tag offline',
    text: 'Der Hub erreicht es nicht. Prüfe, ob es Strom hat und noch in Reichweite ist.',
  },
  integration_down: {
    title: '{integration} ist seit fünf Minuten nicht verbunden',
    text: 'Die Geräte dahinter sind nicht erreichbar.',
  },
  battery_low_many: { title: '{count} Batterien sind schwach', text: '{which}' },
  device_offline_many: { title: '{count} Geräte sind seit einem Tag offline', text: '{which}' },
  integration_down_many: { title: '{count} Integrationen sind nicht verbunden', text: '{which}' },
  integration_failed: { title: '{integration} ist seit fünf Minuten nicht verbunden' },
  backup_failed: { title: 'Die letzte Sicherung ist fehlgeschlagen' },
  disk_nearly_full: {
    title: 'Das Laufwerk ist fast voll',
    text: '{free_mib} MiB sind frei. Ein volles Laufwerk hält Sicherungen und Verlauf an.',
  },
  history_paused: {
    title: 'Der Verlauf ist angehalten',
    text: 'Das Laufwerk lässt sich nicht beschreiben. Werte von Geräten werden gerade nicht aufgezeichnet.',
  },
  too_much_for_day: {
    title: '{name} meldet mehr, als aufgezeichnet werden kann',
    text: 'Seine Werte werden angezeigt, fehlen aber für den Rest des Tages im Verlauf.',
  },
  too_much_for_month: {
    title: '{name} meldet mehr, als aufgezeichnet werden kann',
    text: 'Seine Werte werden angezeigt, fehlen aber für den Rest des Monats im Verlauf. Lass es seltener aufzeichnen, oder gib dem Verlauf mehr Platz.',
  },
  automation_looped: {
    title: '{automation} wurde angehalten',
    text: 'Sie startete immer wieder. Sie pausiert {for_s}.',
  },
  automation_circled: {
    title: '{automation} wurde angehalten',
    text: 'Automationen starteten einander immer wieder: {way}. Sie pausiert {for_s}.',
  },
  automation_fought: {
    title: '{automation} wurde angehalten',
    text: 'Sie und andere schalteten {device} hin und her. Sie pausiert {for_s}.',
  },
  signer_gone: {
    title: '{automation} darf nicht mehr laufen',
    text: 'Wer sie zuletzt gespeichert hat, oder das API-Token dafür, ist nicht mehr da. Sie läuft wieder, sobald jemand mit den Rechten sie ihr gibt.',
  },
  signer_lacks_right: {
    title: '{automation} darf nicht mehr laufen',
    text: 'Wer sie zuletzt gespeichert hat, hat ein Recht nicht mehr, das sie braucht. Sie läuft wieder, sobald jemand mit den Rechten sie ihr gibt.',
  },
  digest: { title: '{count} weitere Mitteilungen von {name}', text: DIGEST },
  digest_of_one: { title: '{count} weitere Mitteilung von {name}', text: DIGEST },
  digest_among: { title: '{count} weitere Mitteilungen von {name}', text: `${DIGEST} ${AMONG}` },
  digest_of_one_among: { title: '{count} weitere Mitteilung von {name}', text: `${DIGEST} ${AMONG}` },
  test: { title: 'Das ist ein Test', text: 'Dein Hub kann Mitteilungen hierher schicken.' },
};
