import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Tasmota',
    about: 'Enchufes, lámparas, persianas y sensores con Tasmota, a los que el hub llega por un broker MQTT.',
    help: [
      'Da a cada dispositivo la dirección de tu broker MQTT, en su propia página.',
      'Deja su opción 19 desactivada (SetOption19 0): así se anuncia al modo de Tasmota.',
      'Da al hub la dirección del mismo broker. Los dispositivos aparecen solos.',
    ],
  },
  settings: {
    broker: frame.broker,
    discovery_topic: {
      label: 'Tema de descubrimiento',
      hint: 'Aquel con el que se anuncian los dispositivos; el firmware no tiene otro.',
    },
  },
};
