/** The words for managing devices, in English. A part of `en.ts`. */
export const enDevices = {
  edit: {
    open: 'Rename or move',
    title: 'Name and room',
    name: 'Name',
    nameHint: 'Leave it empty for the name that the device came with.',
    room: 'Room',
    noRoom: 'No room',
    newRoom: 'New room…',
    newRoomName: 'Name of the new room',
    save: 'Save',
    busy: 'Saving…',
  },

  forget: {
    title: 'Forget this device',
    busy: 'Forgetting…',
    question: (name: string) => `Forget ${name}?`,
    text: 'It leaves the home and its name and room are kept in case it is paired again. Until then it cannot be used.',
    confirm: 'Forget it',
    forceQuestion: (name: string) => `Forget ${name} without its answer?`,
    forceText: (why: string) =>
      `${why} It could not be told to leave. You can take it off the list all the same; before it can join anywhere again it has to be reset by hand.`,
    forceConfirm: 'Forget it all the same',
    done: (name: string) => `${name} has been forgotten.`,
  },

  log: {
    title: 'What happened',
    empty: 'Nothing yet. What the device does and is told appears here.',
    more: 'Show more',
    added: 'Added to the home',
    changed: 'Name, room or abilities changed',
    asked: (what: string) => `Asked for ${what}`,
    qualities: {
      assumed: 'sent',
      stale: 'old value',
      restored: 'from before the restart',
    } as Readonly<Record<string, string>>,
    /** What became of a command; what is not here is still under way. */
    outcomes: {
      confirmed: 'done',
      unconfirmed: 'not confirmed',
      failed: 'failed',
      superseded: 'replaced by a newer one',
      expired: 'expired',
    } as Readonly<Record<string, string>>,
  },

  integrations: {
    zigbee2mqtt: 'Zigbee2MQTT',
    'simulated-home': 'Simulated home',
  } as Readonly<Record<string, string>>,

  /** Asked before what opens the home, lets water run or wakes the neighbours. */
  risk: {
    unlock: (name: string) => `Unlock ${name}?`,
    unlockText: 'Anybody at the door can come in then.',
    open: (name: string) => `Open ${name}?`,
    valveText: 'Water or gas flows until it is closed again.',
    gateText: 'Make sure that nobody stands in its way, and that you want it open.',
    sound: (name: string) => `Sound ${name}?`,
    soundText: 'It is loud.',
    soundIt: 'Sound it',
    disarm: (name: string) => `Disarm ${name}?`,
    disarmText: 'Nobody is warned then of what happens in the home.',
    disarmIt: 'Disarm',
  },
} as const;
