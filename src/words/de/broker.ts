import type { brokerTexts as en } from '#words/en/broker.ts';
import type { Translation } from '#words/texts.ts';

export const brokerTexts: Translation<typeof en> = {
  WRONG_QOS: 'Der MQTT-Broker unter {place} sendet Nachrichten in einer Dienstgüte, um die der Hub nicht gebeten hat',
  CONNECTION_REFUSED:
    'Unter {place} antwortet nichts: Starte dort den MQTT-Broker, oder gib in den Einstellungen eine andere Adresse ein',
  UNKNOWN_HOST: 'Der Name in {place} hat keine Adresse',
  ADDRESS_REFUSED: '{place} ist der Hub selbst: Nur ein Eigentümer kann ihn sich dorthin verbinden lassen',
  UNREACHABLE: 'Zu {place} führt kein Weg im Netz',
  TIMEOUT: 'Der MQTT-Broker unter {place} antwortet nicht',
  NOT_TLS: 'Was unter {place} antwortet, spricht kein TLS: Nimm mqtt:// für eine Verbindung ohne TLS',
  CERTIFICATE_REFUSED: 'Dem Zertifikat des MQTT-Brokers unter {place} ist nicht zu trauen',
  NOT_MQTT: 'Was unter {place} antwortet, spricht kein richtiges MQTT',
  CONNECTION_LOST: 'Der MQTT-Broker unter {place} hat die Verbindung geschlossen',
  WRONG_PASSWORD: 'Der MQTT-Broker unter {place} nimmt Benutzer und Passwort nicht an',
  BROKER_REFUSED: 'Der MQTT-Broker unter {place} lehnt die Verbindung ab (Grund {reason})',
};
