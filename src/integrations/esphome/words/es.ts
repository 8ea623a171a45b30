import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'ESPHome',
    about: 'Placas con firmware ESPHome: lámparas, relés, sensores, persianas, termostatos y lo que manejen.',
    help: [
      'Da al nodo la API nativa: api: en su configuración, mejor con encryption: y una llave.',
      'El hub lo encuentra, o toma su dirección, y pide la llave si la hay. Cada nodo se configura por separado.',
      'Su dirección está en el registro del nodo y en la lista de dispositivos del router.',
    ],
  },
  settings: {
    host: { label: 'Dirección del nodo', hint: 'Por ejemplo 192.168.1.50.' },
    take_rooms: { label: 'Poner los dispositivos nuevos en las habitaciones que tienen en el nodo' },
    mac: { label: 'Dirección MAC del nodo', hint: 'Doce cifras, como las dijo el nodo al configurarlo.' },
    key: {
      label: 'Llave de cifrado',
      hint: 'La llave bajo api: encryption: en la configuración del nodo.',
    },
  },
  steps: {
    ...frame.steps,
    trying_key: 'Probando la llave…',
    write_down:
      'Anota esta llave: otros programas la necesitan, y el nodo la conserva hasta que se borra. Después sigue.',
    setting_key: 'Poniendo la llave…',
  },
  choices: {
    offer_key: {
      text: 'Este nodo no tiene llave: cualquiera en la red puede darle órdenes, y poner una llave que tú no conoces.',
      options: {
        set: { title: 'Poner una llave', detail: 'El hub crea una y te la muestra.' },
        leave: { title: 'Dejarlo abierto', detail: 'El hub habla con el nodo sin cifrado.' },
      },
    },
  },
  faults: {
    ...frame.faults,
    no_node: 'No es la dirección de un nodo de ESPHome',
    other_node: 'Es la dirección de otro nodo, no del encontrado',
    has_password: 'Es la de un nodo con contraseña: dale una llave en su lugar',
    no_key: 'No es una llave: tiene 44 letras, cifras y signos',
    wrong_key: 'No es la llave del nodo',
  },
  failures: {
    node_lost: 'El nodo ya no responde.',
    key_not_taken: 'El nodo no aceptó la llave.',
    key_not_used: 'El nodo aceptó la llave, pero no responde con ella. Configúralo otra vez con la llave que anotaste.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  NODE_UNREACHABLE: 'No se llega al nodo',
  NODE_SILENT: 'El nodo no da señales',
  BAD_ANSWER: 'La respuesta no se entiende',
  OTHER_NODE: 'Allí responde otro nodo',
  KEY_NEEDED: 'Hace falta una llave',
  KEY_REFUSED: 'No se acepta la llave',
  NOT_ENCRYPTED: 'La conexión no está cifrada',
  PASSWORD_NEEDED: 'Hace falta una contraseña',
};
