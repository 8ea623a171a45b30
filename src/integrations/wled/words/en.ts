import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'WLED',
    about: 'LED strips and lamps with WLED firmware, each with its segments, effects and presets.',
    help: [
      'Connect the light to your network with the WLED app or its own page.',
      'The hub finds it, or takes its address. Each light is set up for itself.',
      'Its address is in the WLED app, and in the list of devices of your router.',
    ],
  },
  settings: { host: { label: 'Address of the light', hint: 'Such as 192.168.1.30.' } },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_light: 'is not the address of a WLED light',
    other_light: 'is the address of another light than the one found',
    busy: 'is that of a light with too much to do: try again in a moment',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  LIGHT_UNREACHABLE: 'The light does not answer',
  LIGHT_SILENT: 'The light no longer tells the hub what changes',
  LIGHT_BUSY: 'The light has too much to do',
  BAD_ANSWER: 'What answers at this address does not speak as a WLED light',
  OTHER_LIGHT: 'Another light answers at this address: set that one up, or correct the address',
} as const;
