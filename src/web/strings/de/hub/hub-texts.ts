import { createHubTexts } from '#web/strings/language/hub-text-tables.ts';
import { errors } from './hub-errors.ts';

/** What the hub always says in the same words: of connections. */
const texts: Readonly<Record<string, string>> = {
  'Something that it names is gone.': 'Etwas, das sie nennt, gibt es nicht mehr.',
  'Something that it names is of another kind now, so a part of it does nothing.':
    'Etwas, das sie nennt, ist jetzt von anderer Art: Ein Teil von ihr tut nichts.',
  'Who signed it is gone: somebody with the rights has to sign it.':
    'Wer sie zuletzt gespeichert hat, ist nicht mehr da: Jemand mit den Rechten muss sie ihr geben.',
  'Who signed it lacks a right: somebody with the rights has to sign it.':
    'Wer sie zuletzt gespeichert hat, hat ein Recht nicht mehr: Jemand mit den Rechten muss sie ihr geben.',
  'It needs the location of the home, to know the sun.': 'Sie braucht den Ort des Zuhauses, um die Sonne zu kennen.',

  'its time is over': 'die Zeit ist um',
  'another home has the bridge now': 'ein anderes Zuhause hat die Bridge jetzt',
  'too many wrong codes came': 'es kamen zu viele falsche Codes',
  'another home has opened the bridge itself: close that first':
    'ein anderes Zuhause hat die Bridge selbst geöffnet. Schließe sie erst dort',
  'the disk is full, so no other home can join': 'der Datenträger ist voll, darum kann kein Zuhause dazukommen',
  'it could not be opened': 'sie ließ sich nicht öffnen',

  'The MQTT broker at {0} refuses the connection (reason {1})':
    'Der MQTT-Broker unter {0} lehnt die Verbindung ab (Grund {1})',
  'The certificate of the MQTT broker at {0} cannot be trusted':
    'Dem Zertifikat des MQTT-Brokers unter {0} ist nicht zu trauen',
  'The MQTT broker at {0} closed the connection': 'Der MQTT-Broker unter {0} hat die Verbindung geschlossen',
  'What answers at {0} does not speak correct MQTT': 'Was unter {0} antwortet, spricht kein richtiges MQTT',
  'The MQTT broker at {0} does not answer': 'Der MQTT-Broker unter {0} antwortet nicht',
  'The name in {0} has no address': 'Der Name in {0} hat keine Adresse',
  'The network has no way to {0}': 'Zu {0} führt kein Weg im Netz',
  'The MQTT broker at {0} refuses this user and password':
    'Der MQTT-Broker unter {0} nimmt Benutzer und Passwort nicht an',
  'Nothing answers at {0}': 'Unter {0} antwortet nichts',
  'Zigbee2MQTT is not running': 'Zigbee2MQTT läuft nicht',
};

/** The words for what the hub says in whole sentences. */
export const hubTexts = createHubTexts({ errors, texts });
