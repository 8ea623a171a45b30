import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

const OFFER = {
  write: {
    title: 'Que lo ponga el hub',
    detail: 'El dispositivo se reinicia. Tiene que estar despierto: pulsa su botón.',
  },
  leave: { title: 'Lo pongo yo', detail: 'En la página del dispositivo, en Outbound WebSocket.' },
};

export const words: Translation<typeof en> = {
  kind: {
    name: 'Shelly',
    about: 'Relés, reguladores, persianas, medidores y sensores de Shelly, desde las series Plus y Pro.',
    help: [
      'Conecta el dispositivo a tu red con la aplicación de Shelly o su propia página.',
      'El hub lo encuentra, o toma su dirección. Cada dispositivo se configura por separado; los sensores de la serie BLU vienen con su pasarela.',
      'Si lleva pila, solo se encuentra mientras está despierto: pulsa su botón.',
      'Su dirección está en la aplicación de Shelly, en los ajustes del dispositivo.',
    ],
  },
  settings: {
    host: { label: 'Dirección del dispositivo', hint: 'Por ejemplo 192.168.1.40.' },
    password: { label: 'Contraseña del dispositivo', hint: 'Solo si hay una puesta en el propio dispositivo.' },
    sleeps: {
      label: 'Duerme y llama al hub',
      hint: 'Un dispositivo con batería. Su Outbound WebSocket lleva al hub.',
    },
  },
  forms: { password: { password: { hint: 'Como se puso en el propio dispositivo.' } } },
  steps: { ...frame.steps, trying_password: 'Probando la contraseña…', writing: 'Escribiendo en el dispositivo…' },
  choices: {
    offer_call: {
      text: 'Este dispositivo duerme y llama al hub cuando despierta: su ajuste “Outbound WebSocket” debe llevar a {url}.',
      options: OFFER,
    },
    offer_call_instead: {
      text: 'Este dispositivo duerme y llama al hub cuando despierta: su ajuste “Outbound WebSocket” debe llevar a {url}. Ahora llama a {other}, que ya no sabría nada de él.',
      options: OFFER,
    },
  },
  faults: {
    ...frame.faults,
    no_shelly: 'No es la dirección de un dispositivo Shelly',
    first_generation: 'Es un Shelly de la primera generación, que el hub no puede usar',
    other_device: 'Es la dirección de otro dispositivo, no del encontrado',
    wrong_password: 'No es la contraseña del dispositivo',
  },
  failures: {
    no_address: 'El hub no tiene ninguna dirección a la que este dispositivo pueda llamarlo.',
    not_taken: 'El dispositivo no aceptó el ajuste.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  DEVICE_UNREACHABLE: 'No se llega al dispositivo',
  DEVICE_SILENT: 'El dispositivo no da señales',
  BAD_ANSWER: 'La respuesta no se entiende',
  DEVICE_OVERDUE: 'El dispositivo lleva sin avisar más de lo que suele dormir',
  OTHER_DEVICE: 'Allí responde otro dispositivo',
  PASSWORD_NEEDED: 'Hace falta una contraseña',
  PASSWORD_REFUSED: 'No se acepta la contraseña',
  PASSWORD_NOT_ASKED: 'Lo que llama como este dispositivo no pide contraseña, aunque hay una: es otro, o se le quitó',
  OTHER_ADDRESS: 'Allí hay otra dirección',
};
