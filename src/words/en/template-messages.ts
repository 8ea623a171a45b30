/** Automations that are made of the hub's own templates tell this. Braces are filled when they run; the last two follow a name. */
export const templateMessages = {
  waterAt: 'Water at {device.name}',
  valveOpen: 'The water valve did not close',
  waterGone: 'No water any more',
  doorOpen: '{device.name} is still open',
  doorClosed: '{device.name} is closed',
  batteryLow: 'Low battery: {device.name}',
  batteryLeft: 'It has {trigger.value} % left.',
  awayOpen: 'Everybody is away, and a window or door is open',
  isDone: ' is done',
  isEmpty: ' is empty',
} as const;
