import { frame } from '#integrations/words/en.ts';

const OFFER = {
  write: {
    title: 'Let the hub set this',
    detail: 'The device restarts. It must be awake: press its button.',
  },
  leave: { title: 'I set this myself', detail: 'On the page of the device, under Outbound WebSocket.' },
} as const;

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Shelly',
    about: 'Relays, dimmers, blinds, meters and sensors of Shelly, from the Plus and Pro series on.',
    help: [
      'Connect the device to your network with the Shelly app or its own page.',
      'The hub finds it, or takes its address. Each device is set up for itself; sensors of the BLU series come with their gateway.',
      'One with a battery is found only while it is awake: press its button.',
      'Its address is in the Shelly app, in the settings of the device.',
    ],
  },
  settings: {
    host: { label: 'Address of the device', hint: 'Such as 192.168.1.40.' },
    password: { label: 'Password of the device', hint: 'Only if one is set on the device itself.' },
    sleeps: {
      label: 'Sleeps and calls the hub',
      hint: 'A device with a battery. Its Outbound WebSocket leads to the hub.',
    },
  },
  /** What a form of the set-up says otherwise of a setting. */
  forms: { password: { password: { hint: 'As it was set on the device itself.' } } },
  steps: { ...frame.steps, trying_password: 'Trying the password …', writing: 'Writing to the device …' },
  choices: {
    offer_call: {
      text: 'This device sleeps, and calls the hub when it wakes: its setting “Outbound WebSocket” must lead to {url}.',
      options: OFFER,
    },
    offer_call_instead: {
      text: 'This device sleeps, and calls the hub when it wakes: its setting “Outbound WebSocket” must lead to {url}. Now it calls {other}, which would hear from it no more.',
      options: OFFER,
    },
  },
  faults: {
    ...frame.faults,
    no_shelly: 'is not the address of a Shelly device',
    first_generation: 'is a Shelly of the first generation, which the hub cannot use',
    other_device: 'is the address of another device than the one found',
    wrong_password: 'is not the password of the device',
  },
  failures: {
    no_address: 'The hub has no address at which this device could call it.',
    not_taken: 'The device did not take the setting.',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  DEVICE_UNREACHABLE: 'The device does not answer',
  DEVICE_SILENT: 'The device no longer answers on an open connection',
  BAD_ANSWER: 'What answers at this address does not speak as a Shelly device',
  DEVICE_OVERDUE: 'The device has not called for longer than it usually sleeps',
  OTHER_DEVICE: 'Another device answers at this address: set that one up, or correct the address',
  PASSWORD_NEEDED: 'The device has a password: enter it in the settings',
  PASSWORD_REFUSED: 'The device refuses the password: correct it in the settings',
  PASSWORD_NOT_ASKED:
    'What calls as this device asks for no password, though one is set: it is another, or its password was taken off',
  OTHER_ADDRESS:
    'What calls as this device has another address than the one in the settings: correct it if it has moved',
} as const;
