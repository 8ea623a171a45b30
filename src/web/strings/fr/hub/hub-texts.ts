import { createHubTexts } from '#web/strings/language/hub-text-tables.ts';
import { errors } from './hub-errors.ts';

/** What the hub always says in the same words: of connections. */
const texts: Readonly<Record<string, string>> = {
  'Something that it names is gone.': 'Quelque chose qu’elle nomme n’existe plus.',
  'Something that it names is of another kind now, so a part of it does nothing.':
    'Quelque chose qu’elle nomme est maintenant d’un autre type : une partie d’elle ne fait rien.',
  'Who signed it is gone: somebody with the rights has to sign it.':
    'La personne qui l’a enregistrée n’est plus là : quelqu’un qui a les droits doit les lui donner.',
  'Who signed it lacks a right: somebody with the rights has to sign it.':
    'La personne qui l’a enregistrée n’a plus un des droits : quelqu’un qui les a doit les lui donner.',
  'It needs the location of the home, to know the sun.': 'Elle a besoin du lieu de la maison pour connaître le soleil.',
  'its time is over': 'le temps est écoulé',
  'another home has the bridge now': 'une autre maison a maintenant le pont',
  'too many wrong codes came': 'trop de codes faux sont venus',
  'another home has opened the bridge itself: close that first':
    'une autre maison a elle-même ouvert le pont. Fermez-le d’abord là-bas',
  'the disk is full, so no other home can join': 'le disque est plein, donc aucune maison ne peut s’ajouter',
  'it could not be opened': 'il n’a pas pu être ouvert',
  'The MQTT broker at {0} refuses the connection (reason {1})': 'Le broker MQTT à {0} refuse la connexion (raison {1})',
  'The certificate of the MQTT broker at {0} cannot be trusted':
    'On ne peut pas se fier au certificat du broker MQTT à {0}',
  'The MQTT broker at {0} closed the connection': 'Le broker MQTT à {0} a fermé la connexion',
  'What answers at {0} does not speak correct MQTT': 'Ce qui répond à {0} ne parle pas un MQTT correct',
  'The MQTT broker at {0} does not answer': 'Le broker MQTT à {0} ne répond pas',
  'The name in {0} has no address': 'Le nom dans {0} n’a pas d’adresse',
  'The network has no way to {0}': 'Aucun chemin ne mène à {0} sur le réseau',
  'The MQTT broker at {0} refuses this user and password':
    'Le broker MQTT à {0} refuse cet utilisateur et ce mot de passe',
  'Nothing answers at {0}': 'Rien ne répond à {0}',
  'Zigbee2MQTT is not running': 'Zigbee2MQTT ne tourne pas',
};

/** The words for what the hub says in whole sentences. */
export const hubTexts = createHubTexts({ errors, texts });
