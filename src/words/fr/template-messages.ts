import type { templateMessages as en } from '#words/en/template-messages.ts';
import type { Translation } from '#words/texts.ts';

export const templateMessages: Translation<typeof en> = {
  waterAt: 'Eau : {device.name}',
  valveOpen: 'La vanne d’eau ne s’est pas fermée',
  waterGone: 'Plus d’eau',
  doorOpen: '{device.name} : toujours ouvert',
  doorClosed: '{device.name} : fermé',
  batteryLow: 'Pile faible : {device.name}',
  batteryLeft: 'Il reste {trigger.value} %.',
  awayOpen: 'Tout le monde est parti, et une fenêtre ou une porte est ouverte',
  isDone: ' : terminé',
  isEmpty: ' : vidé',
};
