export const device = {
  usedIn: 'Used in',
  details: 'Details',
  /** What the main control of a device is called. */
  nouns: { light: 'Light', plug: 'Plug', lock: 'Lock', cover: 'Blind' },
  since: (state: string, time: string, by: string) => `${state} since ${time}${by === '' ? '' : ` ${by}`}`,
  now: 'Now',
  heating: (percent: string) => (percent === '' ? 'Heating' : `Heating, ${percent}`),
  cooling: 'Cooling',
  idle: 'Not heating',
  presets: 'Colors',
  colors: {
    red: 'Red',
    orange: 'Orange',
    yellow: 'Yellow',
    green: 'Green',
    turquoise: 'Turquoise',
    blue: 'Blue',
    violet: 'Violet',
    pink: 'Pink',
  } as Readonly<Record<string, string>>,
  /** What to do about a device that is silent. */
  advice: {
    battery: 'Its battery may be empty. Change it, then press a button on the device.',
    mains: 'Check that it has power: a switch on the wall may be off.',
  },
};
