import type { brokerTexts as en } from '#words/en/broker.ts';
import type { Translation } from '#words/texts.ts';

export const brokerTexts: Translation<typeof en> = {
  WRONG_QOS: 'Le broker MQTT à {place} envoie des messages avec une qualité de service que le hub n’a pas demandée',
  CONNECTION_REFUSED:
    'Rien ne répond à {place} : démarrez-y le broker MQTT, ou saisissez une autre adresse dans les réglages',
  UNKNOWN_HOST: 'Le nom dans {place} n’a pas d’adresse',
  ADDRESS_REFUSED: '{place} est le hub lui-même : seul un propriétaire peut l’y faire se connecter',
  UNREACHABLE: 'Aucun chemin ne mène à {place} sur le réseau',
  TIMEOUT: 'Le broker MQTT à {place} ne répond pas',
  NOT_TLS: 'Ce qui répond à {place} ne parle pas TLS : utilisez mqtt:// pour une connexion sans TLS',
  CERTIFICATE_REFUSED: 'On ne peut pas se fier au certificat du broker MQTT à {place}',
  NOT_MQTT: 'Ce qui répond à {place} ne parle pas un MQTT correct',
  CONNECTION_LOST: 'Le broker MQTT à {place} a fermé la connexion',
  WRONG_PASSWORD: 'Le broker MQTT à {place} refuse cet utilisateur et ce mot de passe',
  BROKER_REFUSED: 'Le broker MQTT à {place} refuse la connexion (raison {reason})',
};
