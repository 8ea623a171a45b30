import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'WLED',
    about: 'Tiras LED y lámparas con WLED, cada una con sus segmentos, efectos y preajustes.',
    help: [
      'Conecta la lámpara a tu red con la aplicación de WLED o su propia página.',
      'El hub la encuentra, o toma su dirección. Cada lámpara se configura por separado.',
      'Su dirección está en la aplicación de WLED y en la lista de dispositivos del router.',
    ],
  },
  settings: { host: { label: 'Dirección de la lámpara', hint: 'Por ejemplo 192.168.1.30.' } },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_light: 'No es la dirección de una lámpara WLED',
    other_light: 'Es la dirección de otra lámpara, no de la encontrada',
    busy: 'Es la de una lámpara con demasiado que hacer: inténtalo otra vez en un momento',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  LIGHT_UNREACHABLE: 'No se llega a la lámpara',
  LIGHT_SILENT: 'La lámpara no da señales',
  LIGHT_BUSY: 'La lámpara está ocupada',
  BAD_ANSWER: 'La respuesta no se entiende',
  OTHER_LIGHT: 'Allí responde otra lámpara',
};
