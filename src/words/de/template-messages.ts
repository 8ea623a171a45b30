import type { templateMessages as en } from '#words/en/template-messages.ts';
import type { Translation } from '#words/texts.ts';

export const templateMessages: Translation<typeof en> = {
  waterAt: 'Wasser: {device.name}',
  valveOpen: 'Das Wasserventil hat nicht geschlossen',
  waterGone: 'Kein Wasser mehr',
  doorOpen: '{device.name} ist noch offen',
  doorClosed: '{device.name} ist zu',
  batteryLow: 'Batterie schwach: {device.name}',
  batteryLeft: 'Noch {trigger.value} %.',
  awayOpen: 'Niemand ist zu Hause, und ein Fenster oder eine Tür ist offen',
  isDone: ' ist fertig',
  isEmpty: ' ist leer',
};
