import type { Command, Device } from '#web/client/api.ts';
import type { FINAL_STATUSES } from '#web/client/vocabulary.ts';

/** The words for managing devices, in English. A part of `en.ts`. */
export const devices = {
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
  marks: {
    title: 'Protection',
    sensitive: 'Treat like a lock',
    sensitiveNote:
      'Guests cannot use it, API tokens need the permission for locks, and every command is in the audit log.',
    always: 'Locks, garage doors, valves and alarms are always protected: guests cannot use them.',
    allOff: 'Turn off at “All off”',
    allOffNote: 'Lights, fans and media are chosen from the start; a plug may have a fridge behind it.',
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
    unchanged: 'it was so already',
    title: 'What happened',
    empty: 'Nothing yet. Changes of the device and commands to it appear here.',
    more: 'Show more',
    earlier: 'Show earlier',
    added: 'Added to the home',
    removed: 'Removed from the home',
    renamed: (name: string) => `New name: ${name}`,
    skipped: (count: number) => `More in a short time: ${count}`,
    by: (name: string) => `by ${name}`,
    byToken: (name: string) => `by an API token of ${name}`,
    automation: 'by an automation',
    scene: 'by a scene',
    bySceneOf: (scene: string) => `by the scene “${scene}”`,
    commanded: 'by a command',
    command: (what: string) => `Command: ${what}`,
    /** How a command ended. A status that is missing here is no end. */
    outcomes: {
      confirmed: 'done',
      unconfirmed: 'not confirmed',
      failed: 'failed',
      superseded: 'replaced by a newer one',
      expired: 'expired',
    } satisfies Readonly<Record<(typeof FINAL_STATUSES)[number], string>> as Readonly<Record<string, string>>,
  },

  /** The line about a command for several devices. */
  bar: {
    line: (title: string, confirmed: number, of: number) =>
      of === 0 ? `${title} · nothing to do` : `${title} · ${confirmed} of ${of} confirmed`,
    soFar: (line: string) => `${line} so far`,
    undo: 'Undo',
    undone: 'Undone',
    failure: (device: string, why: string) => `${device}: ${why}`,
    more: (count: number) => `… and ${count} more`,
    /** Why a device has not confirmed. */
    ends: {
      queued: 'does it when it wakes up',
      sent: 'has not answered yet',
      unconfirmed: 'has not confirmed it',
      superseded: 'has a newer command',
      expired: 'did not wake up in time',
      failed: 'did not do it',
    } satisfies Readonly<Record<Exclude<Command['status'], 'confirmed'>, string>> as Readonly<Record<string, string>>,
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
    allLights: 'Brightness of all lights',
    lights: (room: string, percent: number) => (percent === 0 ? `Lights off: ${room}` : `Lights ${percent} %: ${room}`),
    empty: 'No devices in this room yet.',
    move: 'Move devices here',
    moveTitle: (room: string) => `Move to ${room}`,
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
    /** For devices that join by the code that is printed on them. */
    code: {
      label: 'Code of the device',
      add: 'Add device',
      steps: {
        searching: 'Looking for the device…',
        found: 'Device found',
        attesting: 'Checking the device…',
        joining: 'The device is joining your home…',
        reading: 'Setting up the device…',
      } as Readonly<Record<string, string>>,
      faults: {
        not_found:
          'No device with this code answers. Is it on, and ready to be added? If another app has it already, share it there and use the new code.',
        wrong_code: 'The device was found, but this is not its code.',
        no_answer: 'The device was found, but no longer answers. Try again.',
        already_here: 'The device is in this home already.',
        in_another_home: 'The device is in another home. Share it in the app that has it, and use the new code.',
        too_many_homes: 'The device is in as many homes as it can be. Remove one in its app.',
        not_genuine: 'The device could not prove what it says it is. It was not added.',
        no_network:
          'Add the device with your phone first, so that it joins your network. Then share it from there and use the new code.',
        cancelled: 'Stopped.',
        timed_out: 'The device took too long. Try again.',
        no_disk: 'The hub’s disk does not take anything any more.',
        failed: 'The device could not be added.',
      } as Readonly<Record<string, string>>,
    },
    steps: {
      device_found: 'Device found',
      interview_started: 'Setting up the device…',
      interview_done: 'Device added',
      interview_failed: 'The device could not be added',
    },
    failedHint: 'Bring it closer and put it into pairing mode again.',
    unsupported: 'This model is not known, so some of its features may be missing.',
    toDevice: 'Open',
    blink: 'Blink',
    blinkOne: (name: string) => `Blink: ${name}`,
  },

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
  } satisfies Readonly<Record<Device['type'], string>> as Readonly<Record<string, string>>,

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
