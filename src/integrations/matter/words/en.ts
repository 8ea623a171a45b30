import { frame } from '#integrations/words/en.ts';

const BY_PHONE =
  'A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Matter devices',
    about: 'Devices with a Matter code, over your own network and without the cloud of their makers.',
    pairingHint:
      'Type the number that is printed on the device or in its manual, or the text of its QR code. A device that another app already has needs a new code from there: share it in that app.',
    removalHint:
      'First the hub asks each of its devices to forget this home. One that does not answer keeps its keys, and obeys no other home until you reset it.',
    help: [
      'Connect the device to your network first: by cable, or with its maker’s app or your phone for Wi-Fi and Thread.',
      'If an app has it already, share it there: that gives a code for the hub.',
      'Then enter the code here, and those of more devices under Add devices.',
    ],
  },
  settings: {
    port: frame.udpPort,
    code: {
      label: 'Code of the first device',
      hint: 'The number that is printed on it or the text of its QR code. Without one, devices are added later',
    },
  },
  steps: {
    starting: 'Starting Matter …',
    searching: 'Looking for the device …',
    found: 'The device was found …',
    attesting: 'Checking the device …',
    joining: 'The device joins your home …',
    reading: 'Asking the device what it can do …',
  },
  /** What is wrong with a code, and why a device could not be added. */
  faults: {
    empty_code: 'is empty',
    not_a_code: 'is neither the number of a Matter device nor the text of its QR code, which begins with MT:',
    wrong_length: 'has not the length of a code: the number has 11 or 21 digits',
    mistyped: 'is mistyped: the last digit does not fit the others',
    several_devices: 'is the code of several devices: use that of each',
    newer_version: 'is of a newer kind than the hub knows',
    forbidden_code: 'is none that a device may have',
    not_found: `No device with this code answers in your network. Is it on, and ready to be added? If another app has it already, share it there and use the code that the app shows. ${BY_PHONE}`,
    wrong_code: 'The device was found, but this is not its code.',
    no_answer: 'The device was found, but does not answer any more. Bring it closer to the router, and try again.',
    already_here: 'The device is in this home already.',
    in_another_home:
      'The device is in another home, which has not opened it. Share it in the app that has it, and use the code that the app shows.',
    too_many_homes: 'The device is in as many homes as it can. Remove one of them in its app.',
    not_genuine: 'The device could not prove what it says of itself. The hub did not take it in.',
    no_network: BY_PHONE,
    cancelled: 'It was stopped.',
    timed_out: 'The device took too long. Try again.',
    no_disk: 'The disk of the hub does not take the keys of the device.',
    failed: 'The device could not be added. The log of the hub has the reason.',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  MATTER_KEYS_LOST:
    'The keys of this home are damaged or missing, and its devices obey the hub no more. Reset each device, and add it again',
  MATTER_NOT_KEPT: 'The disk does not take what Matter must remember: no device can join, and none can leave',
} as const;
