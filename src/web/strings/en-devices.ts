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

  room: {
    title: 'Rooms',
    text: 'Add, rename and remove rooms',
    none: 'There are no rooms yet. The first one is quickly made.',
    add: 'New room',
    addIt: 'Add the room',
    name: 'Name of the room',
    rename: 'Rename the room',
    devices: 'Devices',
    empty: 'No devices stand in this room yet.',
    move: 'Bring devices here',
    moveTitle: (room: string) => `Bring to ${room}`,
    moveDone: 'Done',
    remove: 'Remove the room',
    removeQuestion: (room: string) => `Remove ${room}?`,
    removeText: 'Its devices stay in the home, without a room.',
    removed: (room: string) => `${room} has been removed.`,
    notFound: 'There is no such room',
    notFoundText: 'It may have been removed.',
  },

  pairing: {
    title: 'Add devices',
    text: 'Let new devices into the home',
    start: 'Search for devices',
    stop: 'Stop',
    timer: 'Time that is left',
    left: (minutes: number, seconds: number) => `Searching, ${minutes}:${String(seconds).padStart(2, '0')} left`,
    how: {
      zigbee2mqtt:
        'Start the search, then put the device into pairing mode: mostly by holding its button for five seconds, or by switching a lamp on and off five times. New devices are found best within a few metres of the radio.',
      'simulated-home':
        'A home without hardware, to try everything out. New devices turn up some seconds after the search begins; one of them fails at first, as real ones do.',
    } as Readonly<Record<string, string>>,
    howElse: 'Start the search, then put the device into pairing mode.',
    states: {
      connecting: 'It is being connected. The search can begin once that is done.',
      error: 'It cannot be reached at the moment, so no device can join.',
      off: 'It is switched off.',
    } as Readonly<Record<string, string>>,
    checkBroker: 'Check the connection',
    noneTitle: 'Connect your devices first',
    noneText:
      'The hub reaches Zigbee devices through Zigbee2MQTT and the MQTT broker that it talks to. Tell the hub where the broker is, and devices can be added here.',
    brokerOff: 'Zigbee devices need a connection to Zigbee2MQTT.',
    connectBroker: 'Connect a broker',
    steps: {
      device_found: 'A device was found',
      interview_started: 'Getting to know the device…',
      interview_done: 'The device is in the home',
      interview_failed: 'The device could not be added',
    },
    failedHint: 'Bring it closer, put it into pairing mode once more and let it be found again.',
    unsupported: 'Its bridge does not know this model: it may be able to do little.',
    toDevice: 'Open',
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
