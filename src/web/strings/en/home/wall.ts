export const wall = {
  title: 'Wall tablet',
  askTitle: 'Show the home on this screen',
  steps: [
    'Point the camera of your phone at the code. Or open Settings › Wall tablets there, and enter the digits.',
    'Choose what this screen may do, and allow it.',
  ],
  thisScreen: (name: string) => `This screen: ${name}`,
  qr: 'QR code for the camera of your phone',
  byToken: 'Use an API token instead',
  wasRefused: 'Somebody refused this screen.',
  askAgain: 'Ask again',
  states: {
    away: 'The hub does not answer. This screen keeps trying.',
    busy: 'New digits come in a moment …',
    unclaimed: 'The hub has no owner yet. Set it up first, on a phone or a computer.',
  },
  intro:
    'Make an API token on your own phone: Settings, API tokens, with the rights to see devices and events and to control devices. Limit it to the rooms that everybody may control from here.',
  token: 'API token',
  tokenHint: 'Typed once. It stays in this browser.',
  submit: 'Show the home',
  refused:
    'The hub refuses this API token. It was removed, has expired, or lacks the rights to see devices and events.',
  settings: 'This screen',
  back: 'All rooms',
  wake: 'Brighter',
  night: 'Dark at night',
  nights: { sun: 'From sunset to sunrise', times: 'Between two times', never: 'Never' },
  sunNote: 'Needs a token that may see automations, and the place of the home. Until then by the times.',
  from: 'From',
  to: 'Until',
  forget: 'Forget the token',
};
