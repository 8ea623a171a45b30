import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Dispositivos Matter',
    about: 'Dispositivos con código Matter, por tu propia red y sin la nube de sus fabricantes.',
    pairingHint:
      'Escribe el número impreso en el dispositivo o en su manual, o el texto de su código QR. Un dispositivo que ya está en otra app necesita un código nuevo: compártelo desde esa app.',
    removalHint:
      'Primero se pide a cada uno de sus dispositivos que olvide esta casa. El que no responde conserva sus llaves y no obedece a ninguna otra casa hasta que lo restablezcas.',
    help: [
      'Conecta primero el dispositivo a tu red: por cable, o, para wifi y Thread, con la app del fabricante o tu móvil.',
      'Si ya está en una app, compártelo desde allí: eso da un código para el hub.',
      'Escribe después el código aquí, y los de otros dispositivos en Añadir dispositivos.',
    ],
  },
  settings: {
    port: frame.udpPort,
    code: {
      label: 'Código del primer dispositivo',
      hint: 'El número impreso en él o el texto de su código QR. Sin él, los dispositivos se añaden más tarde',
    },
  },
  steps: {
    starting: 'Iniciando Matter…',
    searching: 'Buscando el dispositivo…',
    found: 'Dispositivo encontrado…',
    attesting: 'Comprobando el dispositivo…',
    joining: 'El dispositivo está entrando en tu casa…',
    reading: 'El dispositivo dice lo que sabe hacer…',
  },
  faults: {
    empty_code: 'Está vacío',
    not_a_code: 'No es ni el número de un dispositivo Matter ni el texto de su código QR, que empieza por MT:',
    wrong_length: 'No tiene la longitud de un código: el número tiene 11 o 21 cifras',
    mistyped: 'Está mal escrito: la última cifra no encaja con las demás',
    several_devices: 'Es el código de varios dispositivos: usa el de cada uno',
    newer_version: 'Es de un tipo más nuevo que los que conoce el hub',
    forbidden_code: 'Es uno que ningún dispositivo puede tener',
    not_found:
      'Ningún dispositivo responde a este código. ¿Está encendido y listo para añadirse? Si ya está en otra app, compártelo desde allí y usa el código nuevo.',
    wrong_code: 'El dispositivo está, pero este no es su código.',
    no_answer: 'El dispositivo estaba, pero ya no responde. Inténtalo otra vez.',
    already_here: 'El dispositivo ya está en esta casa.',
    in_another_home:
      'El dispositivo está en otra casa, que no lo ha abierto. Compártelo desde la app que lo tiene y usa el código que muestra.',
    too_many_homes: 'El dispositivo ya está en todas las apps que admite. Quítalo de una de ellas.',
    not_genuine: 'El dispositivo no pudo demostrar lo que dice ser. No se ha añadido.',
    no_network:
      'Añade primero el dispositivo con tu móvil para que entre en tu red. Luego compártelo desde allí y usa el código nuevo.',
    cancelled: 'Parado.',
    timed_out: 'El dispositivo tardó demasiado. Inténtalo otra vez.',
    no_disk: 'El disco del hub ya no admite nada.',
    failed: 'No se pudo añadir el dispositivo.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  MATTER_KEYS_LOST: 'Faltan las claves de esta casa: restablece cada dispositivo y añádelo de nuevo',
  MATTER_NOT_KEPT: 'El disco no admite lo que Matter debe recordar',
};
