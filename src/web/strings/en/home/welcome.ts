import { counted } from '#web/strings/en/grammar.ts';

export const welcome = {
  home: {
    title: 'Your home',
    intro: 'You can change all of this later in the settings.',
    name: 'Name of this home',
    nameDefault: 'Home',
    language: 'Language',
    zone: 'Time zone',
    zoneHint: 'As this device has it.',
    clock: 'The clock of the hub is not set: it takes the time of this device.',
    place: 'Where the home is',
    placeText: 'For sunrise and sunset. It stays on the hub, and only owners and admins can see it.',
    near: (city: string) => `Near ${city}`,
    nearNote: 'The main city of your time zone. The sun may be some minutes early or late.',
    exact: 'By its coordinates',
    later: 'Later',
    laterNote: 'Until then nothing can happen at sunset.',
    submit: 'Continue',
    busy: 'Saving…',
  },
  devices: {
    title: 'Devices',
    intro: 'What your hub finds in the network appears here by itself.',
    searching: 'Looking around…',
    present: (count: number) => `${counted(count, 'device is', 'devices are')} in your home already.`,
    other: 'Something else',
    otherNote: 'Zigbee, Z-Wave, Matter and everything that does not announce itself',
    later: 'Later',
    toHome: 'Go to the home',
  },
};
