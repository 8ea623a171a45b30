import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Puente Matter',
    about: 'Tus dispositivos en Apple Home, Google Home, Alexa y SmartThings, solo por tu propia red.',
    help: [
      'Elige las habitaciones y los dispositivos, y lo que las otras apps pueden hacer con ellos.',
      'Abre el puente para emparejarlo. Escanea su código con la otra app, o escribe el número.',
      'Para una segunda app, ábrelo otra vez: varias pueden tener el puente a la vez.',
    ],
  },
  settings: {
    expose: { label: 'Dispositivos compartidos', hint: frame.exposeHint },
    may: {
      label: 'Las otras apps pueden',
      hint: 'Cerraduras, garajes, alarmas y válvulas, solo si se eligen arriba por separado',
      options: {
        see: 'solo ver lo ofrecido',
        control: 'usar lo ofrecido, sin abrir nada',
        doors: 'usar lo ofrecido, también cerraduras y puertas',
      },
    },
    token: {
      label: 'Token de API propio',
      hint: 'Las órdenes de allí tienen entonces sus permisos, digan lo que digan los de arriba',
    },
    port: frame.udpPort,
  },
  ends: {
    closed: 'se acabó el tiempo',
    joined: 'otro hogar tiene ahora el puente',
    too_many_codes: 'llegaron demasiados códigos erróneos',
    busy: 'otro hogar ha abierto el puente por su cuenta. Ciérralo antes allí',
    no_disk: 'el disco está lleno, así que ningún hogar puede unirse',
    failed: 'no se pudo abrir',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  STATE_LOST: 'El archivo de los otros hogares está dañado o falta: quita el puente en sus apps y vuelve a emparejarlo',
  STATE_NOT_KEPT: 'El disco no acepta nada más: ningún hogar ni dispositivo puede unirse, y ningún hogar irse',
};
