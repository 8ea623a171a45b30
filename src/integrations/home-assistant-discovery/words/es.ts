import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Descubrimiento de Home Assistant',
    about: 'Dispositivos y programas que se anuncian por MQTT, como para Home Assistant.',
    help: [
      'Activa el descubrimiento de Home Assistant en el dispositivo o programa, y dale la dirección de tu broker MQTT.',
      'Da al hub el mismo broker. Lo que se anuncia allí aparece solo.',
    ],
  },
  settings: {
    broker: frame.broker,
    prefix: { label: 'Prefijo de descubrimiento', hint: 'Como en los ajustes de los dispositivos' },
    birth_topic: {
      label: 'Tema de nacimiento',
      hint: 'Aquí el hub dice «online», para que los dispositivos se anuncien otra vez',
    },
    expose: { label: 'Ofrecer a Home Assistant', hint: frame.exposeHint },
    token: frame.token,
    with_zigbee2mqtt: {
      label: 'Tomar también los dispositivos de Zigbee2MQTT',
      hint: 'Solo sin su propia integración: con las dos, cada dispositivo estaría dos veces',
    },
  },
};
