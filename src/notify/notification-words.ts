import type { Notification } from '#core/notification/notification.ts';

type Words = Readonly<Record<string, string>>;

/** By the English sentence; `{0}` stands for a name or number in it. The page has the same words for its readers. */
export const NOTIFICATION_WORDS: Readonly<Record<string, Words>> = {
  de: {
    'Water at {0}': 'Wasser bei {0}',
    'The sensor reports water.': 'Der Sensor meldet Wasser.',
    'Smoke at {0}': 'Rauch bei {0}',
    'The detector reports smoke.': 'Der Melder meldet Rauch.',
    'Carbon monoxide at {0}': 'Kohlenmonoxid bei {0}',
    'The detector reports carbon monoxide. It has no smell: leave the room and let air in.':
      'Der Melder meldet Kohlenmonoxid. Es riecht nicht: Verlasse den Raum und lüfte.',
    'Gas at {0}': 'Gas bei {0}',
    'The detector reports gas.': 'Der Melder meldet Gas.',
    '{0} is jammed': '{0} klemmt',
    'The lock could not move its bolt all the way.': 'Das Schloss konnte den Riegel nicht ganz bewegen.',
    '{0} reports more than can be recorded': '{0} meldet mehr, als aufgezeichnet werden kann',
    'Its values are shown, but those of the rest of this day are missing in the history.':
      'Seine Werte werden angezeigt, fehlen aber für den Rest des Tages im Verlauf.',
    'Its values are shown, but those of the rest of this month are missing in the history. Let it be recorded less often, or let the history take more room.':
      'Seine Werte werden angezeigt, fehlen aber für den Rest des Monats im Verlauf. Lass es seltener aufzeichnen, oder gib dem Verlauf mehr Platz.',
    'The battery of {0} is low': 'Die Batterie von {0} ist schwach',
    'Charge or replace it soon.': 'Lade oder wechsle sie bald.',
    '{0} has been offline for a day': '{0} ist seit einem Tag offline',
    'The hub cannot reach it. Look at its power and whether it is still in reach.':
      'Der Hub erreicht es nicht. Prüfe, ob es Strom hat und noch in Reichweite ist.',
    '{0} has not been connected for five minutes': '{0} ist seit fünf Minuten nicht verbunden',
    'The disk is nearly full': 'Das Laufwerk ist fast voll',
    'The last backup failed': 'Die letzte Sicherung ist fehlgeschlagen',
    '{0} more notifications from {1}': '{0} weitere Mitteilungen von {1}',
    '{0} more notification from {1}': '{0} weitere Mitteilung von {1}',
    'This is a test': 'Das ist ein Test',
    'Your hub can send notifications here.': 'Dein Hub kann Mitteilungen hierher schicken.',
    'Its devices cannot be reached.': 'Die Geräte dahinter sind nicht erreichbar.',
    'The history is paused': 'Der Verlauf ist angehalten',
    'The disk takes no writes, so values of devices are not recorded now.':
      'Das Laufwerk lässt sich nicht beschreiben. Werte von Geräten werden gerade nicht aufgezeichnet.',
    '{0} MiB are free. A full disk stops backups and history.':
      '{0} MiB sind frei. Ein volles Laufwerk hält Sicherungen und Verlauf an.',
  },
  fr: {
    'Water at {0}': 'De l’eau : {0}',
    'The sensor reports water.': 'Le capteur signale de l’eau.',
    'Smoke at {0}': 'De la fumée : {0}',
    'The detector reports smoke.': 'Le détecteur signale de la fumée.',
    'Carbon monoxide at {0}': 'Du monoxyde de carbone : {0}',
    'The detector reports carbon monoxide. It has no smell: leave the room and let air in.':
      'Le détecteur signale du monoxyde de carbone. Il n’a pas d’odeur : quittez la pièce et aérez.',
    'Gas at {0}': 'Du gaz : {0}',
    'The detector reports gas.': 'Le détecteur signale du gaz.',
    '{0} is jammed': '{0} est bloqué',
    'The lock could not move its bolt all the way.': 'La serrure n’a pas pu pousser son pêne jusqu’au bout.',
    '{0} reports more than can be recorded': '{0} envoie plus de valeurs qu’il n’est possible d’en enregistrer',
    'Its values are shown, but those of the rest of this day are missing in the history.':
      'Ses valeurs sont affichées, mais elles manquent dans l’historique pour le reste de la journée.',
    'Its values are shown, but those of the rest of this month are missing in the history. Let it be recorded less often, or let the history take more room.':
      'Ses valeurs sont affichées, mais elles manquent dans l’historique pour le reste du mois. Enregistrez-le moins souvent, ou donnez plus de place à l’historique.',
    'The battery of {0} is low': 'La pile de {0} est faible',
    'Charge or replace it soon.': 'Rechargez-la ou remplacez-la bientôt.',
    '{0} has been offline for a day': '{0} est hors ligne depuis un jour',
    'The hub cannot reach it. Look at its power and whether it is still in reach.':
      'Le hub ne l’atteint pas. Vérifiez son alimentation et s’il est encore à portée.',
    '{0} has not been connected for five minutes': '{0} n’est pas connecté depuis cinq minutes',
    'The disk is nearly full': 'Le disque est presque plein',
    'The last backup failed': 'La dernière sauvegarde a échoué',
    '{0} more notifications from {1}': '{0} autres notifications de {1}',
    '{0} more notification from {1}': '{0} autre notification de {1}',
    'This is a test': 'Ceci est un test',
    'Your hub can send notifications here.': 'Votre hub peut envoyer des notifications ici.',
    'Its devices cannot be reached.': 'Ses appareils sont injoignables.',
    'The history is paused': 'L’historique est suspendu',
    'The disk takes no writes, so values of devices are not recorded now.':
      'Le disque ne se laisse pas écrire : les valeurs des appareils ne sont pas enregistrées en ce moment.',
    '{0} MiB are free. A full disk stops backups and history.':
      '{0} Mio sont libres. Un disque plein arrête les sauvegardes et l’historique.',
  },
  es: {
    'Water at {0}': 'Agua: {0}',
    'The sensor reports water.': 'El sensor indica agua.',
    'Smoke at {0}': 'Humo: {0}',
    'The detector reports smoke.': 'El detector indica humo.',
    'Carbon monoxide at {0}': 'Monóxido de carbono: {0}',
    'The detector reports carbon monoxide. It has no smell: leave the room and let air in.':
      'El detector indica monóxido de carbono. No huele: sal de la habitación y ventila.',
    'Gas at {0}': 'Gas: {0}',
    'The detector reports gas.': 'El detector indica gas.',
    '{0} is jammed': '{0} está atascado',
    'The lock could not move its bolt all the way.': 'La cerradura no pudo mover su cerrojo del todo.',
    '{0} reports more than can be recorded': '{0} envía más de lo que se puede guardar',
    'Its values are shown, but those of the rest of this day are missing in the history.':
      'Sus valores se muestran, pero faltan en el historial durante el resto del día.',
    'Its values are shown, but those of the rest of this month are missing in the history. Let it be recorded less often, or let the history take more room.':
      'Sus valores se ven, pero faltan en el historial durante el resto del mes. Haz que se registre menos a menudo, o da más espacio al historial.',
    'The battery of {0} is low': 'La batería de {0} está baja',
    'Charge or replace it soon.': 'Cárgala o cámbiala pronto.',
    '{0} has been offline for a day': '{0} lleva un día sin conexión',
    'The hub cannot reach it. Look at its power and whether it is still in reach.':
      'El hub no llega a él. Mira si tiene corriente y si sigue a su alcance.',
    '{0} has not been connected for five minutes': '{0} lleva cinco minutos sin conexión',
    'The disk is nearly full': 'El disco está casi lleno',
    'The last backup failed': 'La última copia de seguridad falló',
    '{0} more notifications from {1}': '{0} avisos más de {1}',
    '{0} more notification from {1}': '{0} aviso más de {1}',
    'This is a test': 'Esto es una prueba',
    'Your hub can send notifications here.': 'Tu hub puede enviar avisos aquí.',
    'Its devices cannot be reached.': 'No se llega a sus dispositivos.',
    'The history is paused': 'El historial está en pausa',
    'The disk takes no writes, so values of devices are not recorded now.':
      'No se puede escribir en el disco: los valores de los dispositivos no se registran ahora.',
    '{0} MiB are free. A full disk stops backups and history.':
      'Quedan {0} MiB libres. Un disco lleno detiene las copias de seguridad y el historial.',
  },
};

/**
 * A notification that the hub wrote itself, in its language: a tag of BCP 47, `null` for English. What people and their
 * automations wrote stays as it is.
 */
export function wordedIn(language: string | null, notification: Notification): Notification {
  const code = language?.toLowerCase().split('-')[0] ?? '';
  const table = Object.hasOwn(NOTIFICATION_WORDS, code) ? NOTIFICATION_WORDS[code] : undefined;
  const isDigest = notification.key?.startsWith('digest:') === true;
  if (table === undefined || (notification.source.kind !== 'hub' && !isDigest)) return notification;
  return { ...notification, title: wordsOf(table, notification.title), text: wordsOf(table, notification.text) };
}

function wordsOf(table: Words, english: string): string {
  for (const [sentence, words] of Object.entries(table)) {
    if (sentence === english) return words;
    const [, ...found] = patternOf(sentence)?.exec(english) ?? [];
    if (found.length > 0) return words.replace(/\{(\d)\}/g, (_, index: string) => found[Number(index)] ?? '');
  }
  return english;
}

function patternOf(sentence: string): RegExp | undefined {
  if (!sentence.includes('{0}')) return undefined;
  const parts = sentence.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.+)')}$`, 's');
}
