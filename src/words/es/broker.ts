import type { brokerTexts as en } from '#words/en/broker.ts';
import type { Translation } from '#words/texts.ts';

export const brokerTexts: Translation<typeof en> = {
  WRONG_QOS: 'El broker MQTT en {place} envía mensajes con una calidad de servicio que el hub no pidió',
  CONNECTION_REFUSED: 'Nada responde en {place}: inicia allí el broker MQTT, o pon otra dirección en los ajustes',
  UNKNOWN_HOST: 'El nombre en {place} no tiene dirección',
  ADDRESS_REFUSED: '{place} es el propio hub: solo un propietario puede hacer que se conecte allí',
  UNREACHABLE: 'La red no tiene camino a {place}',
  TIMEOUT: 'El broker MQTT en {place} no responde',
  NOT_TLS: 'Lo que responde en {place} no habla TLS: usa mqtt:// para una conexión sin TLS',
  CERTIFICATE_REFUSED: 'No se puede confiar en el certificado del broker MQTT en {place}',
  NOT_MQTT: 'Lo que responde en {place} no habla MQTT correcto',
  CONNECTION_LOST: 'El broker MQTT en {place} cerró la conexión',
  WRONG_PASSWORD: 'El broker MQTT en {place} rechaza este usuario y contraseña',
  BROKER_REFUSED: 'El broker MQTT en {place} rechaza la conexión (motivo {reason})',
};
