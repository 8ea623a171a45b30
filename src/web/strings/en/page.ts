import type { Device } from '#web/client/api.ts';
import { devices } from './devices.ts';
import { counted } from './grammar.ts';

/**
 * Every word that the page shows, in English. Another language is another file of this shape.
 * A text that needs a value is a function: no sentence is put together from pieces elsewhere.
 */
export const page = {
  ...devices,
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
  choose: 'Choose…',
  loading: 'Loading…',
  skipToContent: 'Skip to content',

  hub: {
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    unreachableTitle: 'The hub is not responding',
    unreachableText:
      'Check that the hub is switched on and that this device is on your home network. You cannot reach the hub from outside your home. This page reconnects by itself.',
    away: (since: string) =>
      `The hub is not responding. This is how your home was at ${since}. Check that this device is on your home network. The page reconnects by itself.`,
    clockApart: (apart: string) =>
      `The clocks of the hub and this device differ by ${apart}. The times on this page are the hub’s.`,
    zoneApart: (zone: string, now: string) =>
      `Times on this page are those of your home (${zone}), where it is ${now} now.`,
  },

  setup: {
    title: 'Welcome home',
    intro: 'This hub has no owner yet. Create the first account to become its owner.',
    claimCode: 'Claim code',
    claimCodeHint: 'On the computer that runs the hub, type:',
    claimCommand: (hubCommand: string) => `${hubCommand} claim`,
    name: 'Your name',
    nameHint: 'As the others in your home know you.',
    steps: 'First steps',
    step: { you: 'You', home: 'Your home', devices: 'Devices' },
    submit: 'Create account',
    busy: 'Creating…',
  },

  login: {
    title: (hubName: string) => `Log in to ${hubName}`,
    submit: 'Log in',
    busy: 'Logging in…',
    ended: 'You have been logged out: your session has expired, or it was ended in another tab or on another device.',
    forgot: 'Forgot your password?',
    forgotText: 'Ask an owner or admin of this home for a new one. Or, on the computer that runs the hub, type:',
    forgotCommand: (hubCommand: string, email: string) =>
      `${hubCommand} user password ${email === '' ? 'EMAIL' : email}`,
    wait: (seconds: number) => `Too many attempts. Try again in ${counted(seconds, 'second', 'seconds')}.`,
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
    passwordHint: 'At least 10 characters. A few words in a row are easy to remember.',
  },

  /** Every hub has these: the scene and the mode of the home. */
  allOff: 'All off',
  modeName: 'Mode',
  modes: { home: 'Home', away: 'Away', night: 'Night', vacation: 'Vacation' } as Readonly<Record<string, string>>,

  nav: {
    home: 'Home',
    history: 'History',
    rules: 'Automations',
    settings: 'Settings',
    notifications: (count: number) =>
      count === 0 ? 'Notifications' : `Notifications: ${counted(count, 'needs attention', 'need attention')}`,
    label: 'Main menu',
  },

  home: {
    title: 'Home',
    noRoom: 'No room',
    search: 'Search devices',
    searchKey: '/',
    cardKeys: 'In a card, press the up and down arrow keys to move between its controls.',
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
    count: (count: number) => counted(count, 'device', 'devices'),
    found: (count: number) => (count === 0 ? 'No devices found' : `${counted(count, 'device', 'devices')} found`),
    nothingFound: 'No devices found.',
    showAll: 'Show all devices',
    emptyTitle: 'No devices yet',
    emptyText: 'Devices appear here as soon as they are paired.',
    emptyAdd: 'Add devices',
    emptyLimited: 'There is nothing in the rooms that you can use. Ask an owner or admin.',
    emptyGuest: 'Ask an owner or admin to add some.',
    lightsOn: (count: number) => `${counted(count, 'light', 'lights')} on`,
    lastDay: (min: string, max: string) => `Last 24 hours: ${min} to ${max}`,
    lightsOff: 'Lights off',
    /** Turns off only the lights that a search or filter shows. */
    theseOff: (count: number) => (count === 1 ? 'Turn this one off' : `Turn these ${count} off`),
    offIn: (action: string, room: string) => `${action}: ${room}`,
  },

  device: {
    notFoundTitle: 'Device not found',
    notFoundText: 'It may have been removed.',
    toHome: 'All devices',
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
    batteryLow: 'Battery low',
    /** Why a device cannot be used. */
    offline: 'Offline',
    cutOff: 'Out of reach',
    asleep: 'This device is asleep. It reports when it wakes up, and your changes are sent then.',
    offlineWhy: (why: string) => (why === '' ? 'Not available right now.' : `Not available right now: ${why}.`),
    unknownWhy: (why: string) =>
      why === '' ? 'Its state is unknown right now.' : `Its state is unknown right now: ${why}.`,
    states: {
      online: 'Online',
      offline: 'Offline',
      asleep: 'Asleep',
      unknown: 'Unknown',
    } satisfies Readonly<Record<Device['availability']['state'], string>> as Readonly<Record<string, string>>,
    reasons: {
      no_response: 'it is not responding',
      integration_down: 'its integration is not connected',
      integration_off: 'its integration is switched off',
      no_report: 'it has not reported since the hub started',
      bridge_offline: 'its bridge is offline',
      asleep: 'it is asleep',
      disabled: 'it is disabled at its bridge',
      interviewing: 'it is still being read',
      not_announced: 'it is no longer announced',
    } as Readonly<Record<string, string>>,
  },

  trust: {
    changed: 'Changed',
    assumed: 'Sent, not confirmed yet',
    sending: 'sending…',
    waiting: 'Waiting for the device to wake up',
    lastKnown: 'Last known value',
    lastKnownShort: 'last known',
    none: 'No value yet',
  },

  control: {
    hue: 'hue',
    saturation: 'saturation',
    degrees: (degrees: number) => `${degrees} degrees`,
    percent: (percent: number) => `${percent} percent`,
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
    noPresence: 'Empty',
    wet: 'Water!',
    dry: 'Dry',
    alarm: 'Alarm!',
    quiet: 'OK',
    heating: 'heating',
    someOn: (on: number, all: number) => `${on} of ${all} on`,
    noPress: 'Not pressed yet',
  },

  /** The last press of a button. A press that is missing here is shown as the hub names it. */
  presses: {
    single: 'Pressed once',
    double: 'Pressed twice',
    triple: 'Pressed three times',
    hold: 'Held down',
    release: 'Released',
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

  /** How a command ended that did not simply work. */
  command: {
    notConfirmed: 'Not confirmed',
    noAnswer:
      'The hub did not respond, so that may or may not have been done. Check that this device is on your home network.',
    sent: (device: string, action: string) => `${device}: ${action} sent`,
    failed: (device: string, why: string) => `${device} did not do that: ${why}`,
    unconfirmed: (device: string) => `The command was sent, but ${device} has not confirmed it.`,
    expired: (device: string) => `${device} did not wake up in time.`,
    offline: (device: string) => `${device} is offline.`,
    down: (device: string) => `${device} cannot be reached: its integration is not connected.`,
    gone: (device: string) => `${device} is no longer in the home.`,
  },

  /** Why something is not offered. */
  rights: {
    ownerOnly: 'Only an owner can see this',
    adminsOnly: 'Only an owner or admin can see this',
    notGuests: 'Guests cannot see this',
    guestLock: 'Guests cannot open locks',
    guestGarage: 'Guests cannot open the garage',
    guestValve: 'Guests cannot use valves',
    guestAlarm: 'Guests cannot use alarms',
    guestMarked: 'Guests cannot use this device',
  },

  problem: {
    network: 'The hub is not responding. Check that this device is on your home network.',
    forbidden: 'Your account is not allowed to do this.',
    busy: 'The hub is busy. Try again in a moment.',
    restarting: 'The hub is restarting. Try again in a moment.',
    unknown: 'That did not work.',
  },

  time: {
    justNow: 'just now',
    minutes: (count: number) => `${count} min ago`,
    hours: (count: number) => `${count} h ago`,
    yesterday: (time: string) => `yesterday, ${time}`,
    since: (time: string) => `since ${time}`,
    apart: (minutes: number) =>
      minutes < 120
        ? counted(minutes, 'minute', 'minutes')
        : minutes < 2880
          ? counted(Math.round(minutes / 60), 'hour', 'hours')
          : counted(Math.round(minutes / 1440), 'day', 'days'),
  },

  notFound: {
    title: 'Page not found',
    text: 'Check the address for typing mistakes.',
  },
};
