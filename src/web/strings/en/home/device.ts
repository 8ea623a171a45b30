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
  wheel: 'Any color',
  whites: { warm: 'Warm', neutral: 'Neutral', cool: 'Cool' } as Readonly<Record<string, string>>,
  dangers: { water_leak: 'Water', smoke: 'Smoke', gas_leak: 'Gas', co_alarm: 'Carbon monoxide' } as Readonly<
    Record<string, string>
  >,
  whatToDo: 'What to do',
  /** By the capability that warns. */
  danger: {
    water_leak: 'Turn off the water at its valve. Keep away from sockets and cables that are wet.',
    smoke: 'Get everyone out and close the doors behind you. Call the fire brigade from outside.',
    gas_leak: 'No flame, no switch, no phone. Open the windows, get everyone out, and call for help from outside.',
    co_alarm: 'It has no smell. Get everyone out into the open air at once and call for help.',
  } as Readonly<Record<string, string>>,
  /** What to do about a device that is silent. */
  advice: {
    battery: 'Its battery may be empty. Change it, then press a button on the device.',
    mains: 'Check that it has power: a switch on the wall may be off.',
  },
};
