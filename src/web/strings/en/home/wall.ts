export const wall = {
  title: 'Screen on the wall',
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
