import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Philips Hue',
    about: 'Lámparas, enchufes, interruptores y sensores de un puente Hue (el cuadrado, o más nuevo).',
    help: [
      'Enchufa el puente a la corriente y, con su cable, al router.',
      'Su dirección está en la aplicación Hue, en los ajustes del puente.',
    ],
    pairingHint:
      'Enciende una lámpara nueva, o mantén diez segundos el botón de un interruptor o sensor. El puente busca durante un minuto.',
  },
  settings: {
    host: { label: 'Dirección del puente', hint: 'Por ejemplo 192.168.1.20.' },
    take_rooms: { label: 'Poner los dispositivos nuevos en las habitaciones que tienen en el puente' },
    fingerprint: {
      label: 'Certificado',
      hint: 'Huella SHA-256 del certificado que mostró el puente al configurarlo.',
    },
    key: { label: 'Llave' },
  },
  steps: { ...frame.steps, press_button: 'Pulsa el botón redondo del puente.' },
  choices: {
    not_pressed: {
      text: 'Nadie pulsó el botón en un minuto.',
      options: { again: { title: 'Volver a intentarlo', detail: 'Espera el botón un minuto más.' } },
    },
  },
  faults: {
    ...frame.faults,
    no_bridge: 'No es la dirección de un puente Hue',
    round_bridge: 'Es un puente de la primera generación (el redondo), que el hub no puede usar',
    other_bridge: 'Es la dirección de otro puente, no del encontrado',
  },
  failures: {
    bridge_refused: 'El puente no le da ninguna llave al hub. Reinicia el puente e inténtalo otra vez.',
    bridge_too_old: 'El software del puente es demasiado antiguo. Actualízalo primero en la app de Hue.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  BRIDGE_UNREACHABLE: 'No se llega al puente',
  BRIDGE_BUSY: 'El puente está ocupado',
  BRIDGE_SILENT: 'El puente no da señales',
  BAD_ANSWER: 'La respuesta no se entiende',
  KEY_REFUSED: 'No se acepta la llave',
  CERTIFICATE_CHANGED: 'El certificado ya no es el mismo',
  BRIDGE_REPLACED: 'Ahora hay otro puente',
  BRIDGE_TOO_OLD: 'El software del puente es demasiado antiguo',
};
