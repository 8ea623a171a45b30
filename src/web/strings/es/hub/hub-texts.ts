import { createHubTexts } from '#web/strings/language/hub-text-tables.ts';
import { errors } from './hub-errors.ts';

/** What the hub always says in the same words: of connections. */
const texts: Readonly<Record<string, string>> = {
  'Something that it names is gone.': 'Algo que nombra ya no existe.',
  'Something that it names is of another kind now, so a part of it does nothing.':
    'Algo que nombra es ahora de otro tipo: una parte no hace nada.',
  'Who signed it is gone: somebody with the rights has to sign it.':
    'Quien la guardó ya no está: alguien con los permisos tiene que dárselos.',
  'Who signed it lacks a right: somebody with the rights has to sign it.':
    'A quien la guardó le falta un permiso: alguien con los permisos tiene que dárselos.',
  'It needs the location of the home, to know the sun.': 'Necesita el lugar de la casa para saber del sol.',
  'its time is over': 'se acabó el tiempo',
  'another home has the bridge now': 'otro hogar tiene ahora el puente',
  'too many wrong codes came': 'llegaron demasiados códigos erróneos',
  'another home has opened the bridge itself: close that first':
    'otro hogar ha abierto el puente por su cuenta. Ciérralo antes allí',
  'the disk is full, so no other home can join': 'el disco está lleno, así que ningún hogar puede unirse',
  'it could not be opened': 'no se pudo abrir',
  'The MQTT broker at {0} refuses the connection (reason {1})':
    'El broker MQTT en {0} rechaza la conexión (motivo {1})',
  'The certificate of the MQTT broker at {0} cannot be trusted':
    'No se puede confiar en el certificado del broker MQTT en {0}',
  'The MQTT broker at {0} closed the connection': 'El broker MQTT en {0} cerró la conexión',
  'What answers at {0} does not speak correct MQTT': 'Lo que responde en {0} no habla MQTT correcto',
  'The MQTT broker at {0} does not answer': 'El broker MQTT en {0} no responde',
  'The name in {0} has no address': 'El nombre en {0} no tiene dirección',
  'The network has no way to {0}': 'La red no tiene camino a {0}',
  'The MQTT broker at {0} refuses this user and password': 'El broker MQTT en {0} rechaza este usuario y contraseña',
  'Nothing answers at {0}': 'Nada responde en {0}',
  'Zigbee2MQTT is not running': 'Zigbee2MQTT no está en marcha',
};

/** The words for what the hub says in whole sentences. */
export const hubTexts = createHubTexts({ errors, texts });
