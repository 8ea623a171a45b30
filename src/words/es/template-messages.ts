import type { templateMessages as en } from '#words/en/template-messages.ts';
import type { Translation } from '#words/texts.ts';

export const templateMessages: Translation<typeof en> = {
  waterAt: 'Agua: {device.name}',
  valveOpen: 'La válvula del agua no se ha cerrado',
  waterGone: 'Ya no hay agua',
  doorOpen: '{device.name} sigue abierta',
  doorClosed: '{device.name} está cerrada',
  batteryLow: 'Batería baja: {device.name}',
  batteryLeft: 'Le queda un {trigger.value} %.',
  awayOpen: 'No hay nadie en casa y una ventana o puerta está abierta',
  isDone: ' ha terminado',
  isEmpty: ' está vacía',
};
