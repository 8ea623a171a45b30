import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Matter bridge',
    about: 'Your devices in Apple Home, Google Home, Alexa and SmartThings, over your own network alone.',
    help: [
      'Choose the rooms and devices, and what the other homes may do with them.',
      'Open the bridge for pairing. Scan its code with the app of the other home, or type the number.',
      'For a second app, open it again: several may have the bridge at once.',
    ],
  },
  settings: {
    expose: { label: 'Devices to share', hint: frame.exposeHint },
    may: {
      label: 'Other homes may',
      hint: 'Locks, garages, alarms and valves only if each is chosen above by itself',
      options: {
        see: 'only see what is offered',
        control: 'use what is offered, but open nothing',
        doors: 'use what is offered, locks and doors too',
      },
    },
    token: {
      label: 'API token of your own',
      hint: 'Commands from there then have its rights, whatever they may do above',
    },
    port: frame.udpPort,
  },
  /** Why the bridge takes no other home in any more. */
  ends: {
    closed: 'its time is over',
    joined: 'another home has the bridge now',
    too_many_codes: 'too many wrong codes came',
    busy: 'another home has opened the bridge itself: close that first',
    no_disk: 'the disk is full, so no other home can join',
    failed: 'it could not be opened',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  STATE_LOST:
    'The file with the homes that have the bridge is damaged or missing. Remove the bridge in their apps, and pair it again',
  STATE_NOT_KEPT:
    'The disk does not take what the bridge must remember: no other home can join, none can leave, and no new device appears there',
} as const;
