import { enDevices } from './en-devices.ts';

/**
 * Every word that the page says, in English. Another language is another file of this shape.
 * What needs a value is a function; sentences are never put together from pieces elsewhere.
 */
export const en = {
  ...enDevices,
  locale: 'en',
  product: 'hearthd',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  retry: 'Try again',
  on: 'On',
  off: 'Off',
  yes: 'Yes',
  no: 'No',
  none: '–',
  loading: 'Loading…',
  skipToContent: 'Skip to the content',

  hub: {
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    reconnected: 'Connected again',
    unreachableTitle: 'The hub does not answer',
    unreachableText:
      'Check that the hub has power and that this device is on the same network. The hub cannot be reached from outside the home. This page continues by itself once the hub is back.',
    away: (since: string) =>
      `The hub does not answer. You see the home as it was at ${since}. The page continues by itself once the hub is back, or this device is on the home’s network again.`,
    clockApart: (apart: string) =>
      `The clocks of the hub and this device are ${apart} apart. Times below are the hub’s.`,
  },

  setup: {
    title: 'Welcome home',
    intro: 'This hub has no owner yet. Create the first account to become its owner.',
    claimCode: 'Claim code',
    claimCodeHint: 'On the computer that runs the hub, type:',
    claimCommand: (hubCommand: string) => `${hubCommand} claim`,
    hubName: 'Name of this home',
    hubNameHint: 'You can change it at any time.',
    hubNameDefault: 'Home',
    submit: 'Create account',
    busy: 'Creating…',
    claimedAlready: 'This hub already has an owner. Log in, or ask the owner for an account.',
  },

  login: {
    title: (hubName: string) => `Log in to ${hubName}`,
    submit: 'Log in',
    busy: 'Logging in…',
    ended: 'You have been logged out: in another tab, on another device, or because your session expired.',
    forgot: 'Forgot your password?',
    forgotText: 'An owner or admin of this home can give you a new one. Or type on the computer that runs the hub:',
    forgotCommand: (hubCommand: string, email: string) =>
      `${hubCommand} user password ${email === '' ? 'EMAIL' : email}`,
    wait: (seconds: number) =>
      `Too many tries. You can try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
  },

  field: {
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    required: 'Required',
    passwordMeter: (length: number, needed: number) =>
      length >= needed ? `${length} characters` : `${length} of ${needed} characters`,
    passwordGood: (length: number) => `${length} characters: a good password`,
    passwordHint: 'At least ten characters. A few words are easy to remember.',
  },

  nav: {
    home: 'Home',
    settings: 'Settings',
    label: 'Main',
  },

  home: {
    title: 'Home',
    noRoom: 'No room',
    search: 'Search devices',
    searchKey: '/',
    cardKeys: 'In a card, the up and down arrow keys go from one control to the next.',
    searchClear: 'Clear the search',
    filter: 'Show',
    allRooms: 'All rooms',
    room: 'Room',
    kinds: {
      all: 'All',
      light: 'Lights',
      plug: 'Plugs',
      climate: 'Climate',
      cover: 'Blinds',
      lock: 'Locks',
      sensor: 'Sensors',
      remote: 'Remotes',
      other: 'Other',
      attention: 'Needs attention',
    },
    count: (count: number) => (count === 1 ? '1 device' : `${count} devices`),
    found: (count: number) =>
      count === 0 ? 'Nothing found' : count === 1 ? '1 device found' : `${count} devices found`,
    nothingFound: 'No device matches.',
    showAll: 'Show all devices',
    emptyTitle: 'No devices yet',
    emptyText: 'Devices appear here as soon as they are paired.',
    emptyAdd: 'Add devices',
    emptyGuest: 'Ask an owner or an admin to add some.',
    lightsOn: (count: number) => (count === 1 ? '1 light on' : `${count} lights on`),
    lightsOff: 'Lights off',
    /** Of the lights that a search or filter has left. */
    theseOff: (count: number) => (count === 1 ? 'Turn this one off' : `Turn these ${count} off`),
    offIn: (action: string, room: string) => `${action}: ${room}`,
  },

  device: {
    notFoundTitle: 'Device not found',
    notFoundText: 'It may have been removed from the home.',
    toHome: 'All devices',
    details: 'Details',
    open: (name: string) => `${name}: details`,
    controls: 'Controls',
    readings: 'Readings',
    actions: 'Actions',
    config: 'Device settings',
    diagnostic: 'Diagnostics',
    about: 'About this device',
    manufacturer: 'Manufacturer',
    model: 'Model',
    firmware: 'Firmware',
    integration: 'Connected through',
    address: 'Address',
    selector: 'API name',
    lastSeen: 'Last seen',
    never: 'Never',
    battery: (percent: string) => `Battery ${percent}`,
    batteryLow: 'Battery low',
    /** What stands on a card and a device that cannot be used. */
    offline: 'Offline',
    cutOff: 'Out of reach',
    asleep: 'Asleep. It reports when it wakes up, and your changes are sent then.',
    offlineWhy: (why: string) => (why === '' ? 'Not available right now.' : `Not available right now: ${why}.`),
    unknownWhy: (why: string) =>
      why === '' ? 'Its state is not known right now.' : `Its state is not known right now: ${why}.`,
    states: {
      online: 'Online',
      offline: 'Offline',
      asleep: 'Asleep',
      unknown: 'Not known',
    } as Readonly<Record<string, string>>,
    reasons: {
      no_response: 'it does not answer',
      integration_down: 'its bridge is not connected',
      integration_off: 'its bridge is switched off',
      no_report: 'it has not reported anything',
      bridge_offline: 'its bridge is offline',
      asleep: 'it is asleep',
    } as Readonly<Record<string, string>>,
  },

  trust: {
    changed: 'Changed',
    assumed: 'Sent, not confirmed yet',
    sending: 'sending…',
    waiting: 'Waiting for the device to wake up',
    staleFrom: 'Old value, from',
    restored: 'From before the hub’s restart',
    restoredShort: 'before restart',
    none: 'No value yet',
  },

  control: {
    brightness: 'Brightness',
    color: 'Colour',
    hue: 'hue',
    saturation: 'saturation',
    degrees: (degrees: number) => `${degrees} degrees`,
    percent: (percent: number) => `${percent} percent`,
    warm: 'Warm',
    cool: 'Cool',
    position: 'Position',
    openIt: 'Open',
    closeIt: 'Close',
    stopIt: 'Stop',
    warmer: 'Warmer',
    colder: 'Colder',
    more: 'More',
    less: 'Less',
    setPoint: 'Set to',
    lock: 'Lock',
    unlock: 'Unlock',
    press: (name: string) => name,
    apply: 'Apply',
    value: (name: string) => `${name}: new value`,
    kelvin: (kelvin: number) => `${kelvin} kelvin`,
    hueWords: (hue: number, saturation: number) => `hue ${hue} degrees, saturation ${saturation} percent`,
  },

  state: {
    open: 'Open',
    closed: 'Closed',
    partlyOpen: (percent: number) => `${percent} % open`,
    locked: 'Locked',
    unlocked: 'Unlocked',
    motion: 'Motion',
    noMotion: 'No motion',
    presence: 'Occupied',
    noPresence: 'Nobody here',
    wet: 'Water!',
    dry: 'Dry',
    alarm: 'Alarm!',
    quiet: 'OK',
    heating: 'heating',
    someOn: (on: number, all: number) => `${on} of ${all} on`,
    noPress: 'Not pressed yet',
  },

  /** What a button can do, as its last press shows it; what is not here is shown as the hub names it. */
  presses: {
    single: 'Pressed once',
    double: 'Pressed twice',
    triple: 'Pressed three times',
    hold: 'Held',
    release: 'Let go',
  } as Readonly<Record<string, string>>,

  units: {
    percent: '%',
    celsius: '°',
    'ug/m3': 'µg/m³',
    'mg/m3': 'mg/m³',
    m3: 'm³',
    'm3/h': 'm³/h',
    'Bq/m3': 'Bq/m³',
  } as Readonly<Record<string, string>>,

  /** What became of a command that did not simply work. */
  command: {
    notConfirmed: 'Not confirmed',
    noAnswer: 'The hub did not answer, so it may or may not have done that. Check that you are in the home’s network.',
    told: (device: string, action: string) => `${device}: ${action} sent`,
    failed: (device: string, why: string) => `${device} did not do that: ${why}`,
    unconfirmed: (device: string) => `The command was sent to ${device}, but it has not confirmed it.`,
    expired: (device: string) => `${device} did not wake up in time.`,
    offline: (device: string) => `${device} is offline.`,
    down: (device: string) => `${device} cannot be reached: its bridge is not connected.`,
    forbidden: 'Your account is not allowed to do this.',
    gone: (device: string) => `${device} is no longer there.`,
  },

  /** Why something is not offered. */
  rights: {
    ownerOnly: 'Only an owner can see this',
    keepersOnly: 'Only an owner or an admin can see this',
    guestLock: 'Guests cannot open locks',
    guestGarage: 'Guests cannot open the garage',
    guestValve: 'Guests cannot use valves',
    guestAlarm: 'Guests cannot use alarms',
  },

  problem: {
    network: 'The hub does not answer. Check that you are on the home’s network.',
    forbidden: 'Your account is not allowed to do this.',
    busy: 'The hub is busy. Try again in a moment.',
    restarting: 'The hub is restarting. Try again in a moment.',
    unknown: 'That did not work.',
  },

  time: {
    justNow: 'just now',
    aMomentAgo: 'a moment ago',
    minutes: (count: number) => `${count} min ago`,
    hours: (count: number) => `${count} h ago`,
    yesterday: (time: string) => `yesterday, ${time}`,
    apart: (minutes: number) =>
      minutes < 120
        ? `${minutes} minutes`
        : minutes < 2880
          ? `${Math.round(minutes / 60)} hours`
          : `${Math.round(minutes / 1440)} days`,
  },

  notFound: {
    title: 'There is nothing here',
    text: 'The address may have been mistyped.',
  },
} as const;
