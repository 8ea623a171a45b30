import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Philips Hue',
    about: 'Lamps, plugs, switches and sensors of a Hue bridge (the square one, or newer).',
    help: [
      'Plug the bridge into the power, and with its cable into your router.',
      'Its address is in the Hue app, in the settings of the bridge.',
    ],
    pairingHint:
      'Switch a new lamp on, or hold the button of a switch or sensor for ten seconds. The bridge searches for about a minute.',
  },
  settings: {
    host: { label: 'Address of the bridge', hint: 'Such as 192.168.1.20.' },
    take_rooms: { label: 'Put new devices into the rooms that the bridge has for them' },
    fingerprint: {
      label: 'Certificate',
      hint: 'SHA-256 fingerprint of the certificate that the bridge showed during the set-up.',
    },
    key: { label: 'Key' },
  },
  steps: { ...frame.steps, press_button: 'Press the round button on the bridge.' },
  choices: {
    not_pressed: {
      text: 'Nobody pressed the button within a minute.',
      options: { again: { title: 'Try again', detail: 'Waits for the button for another minute.' } },
    },
  },
  faults: {
    ...frame.faults,
    no_bridge: 'is not the address of a Hue bridge',
    round_bridge: 'is a bridge of the first generation (the round one), which the hub cannot use',
    other_bridge: 'is the address of another bridge than the one found',
  },
  failures: {
    bridge_refused: 'The bridge gives the hub no key. Restart the bridge and try again.',
    bridge_too_old: 'The software of the bridge is too old. Update it in the Hue app first.',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  BRIDGE_UNREACHABLE: 'The bridge does not answer',
  BRIDGE_BUSY: 'The bridge has too much to do',
  BRIDGE_SILENT: 'The bridge no longer tells the hub what changes',
  BAD_ANSWER: 'The bridge sends what the hub cannot read',
  KEY_REFUSED: 'The bridge no longer accepts the key of the hub: set it up again and press its button',
  CERTIFICATE_CHANGED:
    'The bridge shows another certificate than during the set-up: if it was reset or replaced, set it up again',
  BRIDGE_REPLACED: 'Another bridge answers at this address: set that one up, or correct the address',
  BRIDGE_TOO_OLD: 'The software of the bridge is too old: update it in the Hue app',
} as const;
