import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Broker MQTT',
    about: 'Un broker como Mosquitto, por el que otras integraciones llegan a sus dispositivos.',
    help: [
      'Instala un broker MQTT en este ordenador o en otro de la casa. Mosquitto es pequeño y viene con Debian: sudo apt install mosquitto',
      'Haz que se conecten a ese broker los dispositivos o programas a los que debe llegar el hub, como Zigbee2MQTT.',
      'Escribe aquí la dirección de ese broker.',
    ],
  },
  settings: {
    address: { label: 'Dirección del broker', hint: 'mqtt://nombre:puerto, o mqtts://nombre:puerto con TLS' },
    user: { label: 'Nombre de usuario' },
    password: { label: 'Contraseña' },
  },
};
