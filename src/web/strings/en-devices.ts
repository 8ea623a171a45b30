/** The words for managing devices, in English. A part of `en.ts`. */
export const enDevices = {
  edit: {
    open: 'Rename or move',
    title: 'Name and room',
    name: 'Name',
    nameHint: 'Leave empty to use the name that the device came with.',
    room: 'Room',
    noRoom: 'No room',
    newRoom: 'New room…',
    newRoomName: 'Name of the new room',
    save: 'Save',
    busy: 'Saving…',
  },

  /** The mark for a device that guests must not use. */
  sensitive: {
    title: 'Protection',
    mark: 'Treat like a lock',
    note: 'Guests cannot use it, API tokens need the permission for locks, and every command is in the audit log.',
    always: 'Locks, garage doors, valves and alarms are always protected: guests cannot use them.',
  },

  forget: {
    title: 'Forget this device',
    busy: 'Forgetting…',
    question: (name: string) => `Forget ${name}?`,
    text: 'It is removed from the home. Its name and room are kept in case you pair it again. Until then you cannot use it.',
    confirm: 'Forget',
    forceQuestion: (name: string) => `Forget ${name} anyway?`,
    forceText: (why: string) =>
      `${why} So the device itself does not know that it was removed. You can forget it anyway, but you will have to reset it by hand before you can pair it again.`,
    forceConfirm: 'Forget anyway',
    done: (name: string) => `${name} has been forgotten.`,
  },

  log: {
    title: 'What happened',
    empty: 'Nothing yet. Changes of the device and commands to it appear here.',
    more: 'Show more',
    added: 'Added to the home',
    changed: 'Name, room or features changed',
    command: (what: string) => `Command: ${what}`,
    qualities: {
      assumed: 'sent',
      stale: 'last known value',
      restored: 'last known value',
    } as Readonly<Record<string, string>>,
    /** How a command ended. A status that is missing here is no end. */
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
    none: 'No rooms yet. Add the first one below.',
    add: 'New room',
    addIt: 'Add room',
    name: 'Room name',
    rename: 'Rename room',
    devices: 'Devices',
    empty: 'No devices in this room yet.',
    move: 'Move devices here',
    moveTitle: (room: string) => `Move to ${room}`,
    moveDone: 'Done',
    remove: 'Remove room',
    removeQuestion: (room: string) => `Remove ${room}?`,
    removeText: 'Its devices stay in the home, without a room.',
    removed: (room: string) => `${room} has been removed.`,
    notFound: 'Room not found',
    notFoundText: 'It may have been removed.',
  },

  pairing: {
    title: 'Add devices',
    text: 'Let new devices join your home',
    start: 'Search for devices',
    stop: 'Stop',
    timer: 'Time left',
    left: (minutes: number, seconds: number) => `Searching, ${minutes}:${String(seconds).padStart(2, '0')} left`,
    how: {
      zigbee2mqtt:
        'Start the search, then put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.',
      'simulated-home':
        'A home without hardware, to try everything out. New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.',
    } as Readonly<Record<string, string>>,
    howElse: 'Start the search, then put the device into pairing mode.',
    states: {
      connecting: 'Connecting. You can search as soon as it is connected.',
      error: 'It is not connected right now, so no device can join.',
      off: 'It is switched off.',
    } as Readonly<Record<string, string>>,
    checkBroker: 'Check the connection',
    noneTitle: 'Connect Zigbee devices',
    noneText:
      'The hub reaches Zigbee devices through Zigbee2MQTT and its MQTT broker. Enter the address of the broker, and you can add devices here.',
    brokerOff: 'Zigbee devices need a connection to Zigbee2MQTT.',
    connectBroker: 'Connect to a broker',
    steps: {
      device_found: 'Device found',
      interview_started: 'Setting up the device…',
      interview_done: 'Device added',
      interview_failed: 'The device could not be added',
    },
    failedHint: 'Bring it closer and put it into pairing mode again.',
    unsupported: 'Zigbee2MQTT does not know this model, so some of its features may be missing.',
    toDevice: 'Open',
    blink: 'Blink',
    blinkOne: (name: string) => `Blink: ${name}`,
  },

  integrations: {
    zigbee2mqtt: 'Zigbee2MQTT',
    'simulated-home': 'Simulated home',
  } as Readonly<Record<string, string>>,

  /** Everyday words for the hub's types of device. A new device gets the same word as its first name. */
  types: {
    on_off_light: 'Lamp',
    dimmable_light: 'Lamp',
    color_temperature_light: 'Lamp',
    extended_color_light: 'Lamp',
    on_off_plug_in_unit: 'Plug',
    window_covering: 'Blind',
    door_lock: 'Lock',
    thermostat: 'Thermostat',
    fan: 'Fan',
    contact_sensor: 'Door or window sensor',
    occupancy_sensor: 'Motion sensor',
    temperature_sensor: 'Temperature sensor',
    humidity_sensor: 'Humidity sensor',
    light_sensor: 'Light sensor',
    water_leak_detector: 'Leak sensor',
    smoke_co_alarm: 'Smoke alarm',
    air_quality_sensor: 'Air quality sensor',
    generic_switch: 'Remote',
    water_valve: 'Water valve',
    electrical_sensor: 'Energy meter',
    siren: 'Siren',
    other: 'Device',
  } as Readonly<Record<string, string>>,

  /** Asked before a command that opens the home, lets water run or makes noise. */
  risk: {
    unlock: (name: string) => `Unlock ${name}?`,
    unlockText: 'Anyone at the door will be able to come in.',
    open: (name: string) => `Open ${name}?`,
    valveText: 'Water or gas will flow until it is closed again.',
    gateText: 'Make sure that the way is clear.',
    sound: (name: string) => `Sound ${name}?`,
    soundText: 'It is loud.',
    soundIt: 'Sound it',
    disarm: (name: string) => `Disarm ${name}?`,
    disarmText: 'The alarm will not warn anyone until it is armed again.',
    disarmIt: 'Disarm',
  },
};
