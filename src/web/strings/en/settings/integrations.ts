import type { Integration } from '#web/client/api.ts';
import { counted } from '#web/strings/en/grammar.ts';

/** The words for integrations and their set-up, in English. What is about one kind comes from the hub. */
export const integrations = {
  integrations: {
    title: 'Integrations',
    empty: 'Nothing is set up yet.',
    states: {
      connected: 'Connected',
      connecting: 'Connecting',
      needs_action: 'Needs your attention',
      error: 'Not connected',
      off: 'Switched off',
    } satisfies Readonly<Record<Integration['status'], string>> as Readonly<Record<string, string>>,
    notSetUp: 'Not set up yet',
    held: 'Stopped by the hub',
    heldTitle: 'Start it again',
    heldText:
      'The hub crashed three times within an hour while it dealt with what this integration had sent, so it stopped the integration. Look for the cause there before you start it again. If the hub crashes three times again, it stops it again.',
    start: 'Start again',
    starting: 'Starting',
    started: 'It is starting again.',
    devices: (count: number) => counted(count, 'device', 'devices'),
    goneTitle: 'Integration not found',
    offered: (devices: number) => `${counted(devices, 'device is', 'devices are')} shared.`,
    offeredCommands: (accepted: number, refused: number) =>
      `${counted(accepted, 'command', 'commands')} came from there, ${refused} more were refused.`,
    offeredLeftOut: (devices: number) => `For ${counted(devices, 'more device', 'more devices')} there was no room.`,
    leftOut: (devices: number, name: string) =>
      `${counted(devices, 'device is', 'devices are')} left out here because ${devices === 1 ? 'it comes' : 'they come'} through ${name}.`,
    leftOutUnset: (devices: number) =>
      `${counted(devices, 'device is', 'devices are')} left out here because ${devices === 1 ? 'it has' : 'they have'} an integration of their own, which is not set up.`,
    add: 'Add devices',
    settings: 'Settings',
    name: 'Name',
    enabled: 'In use',
    enabledNote: 'If it is not in use, its devices are out of reach.',
    toDo: 'It needs your attention',
    setUpAgain: 'Set it up again',
    remove: 'Remove this integration',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText: 'The hub forgets its passwords and keys.',
    removeIt: 'Remove',
    removing: 'Removing…',
    removeAnywayTitle: (name: string) => `Remove ${name} anyway?`,
    keysStay: (names: string) =>
      `These do not answer, and keep the keys of this home: ${names}. Switch them on and try again, or remove it anyway and then reset each of them: until then no other home can take them in.`,
    removeAnyway: 'Remove anyway',
    fates: { keep: 'Keep what is known of them', remove: 'Forget them' },
    fateNotes: {
      keep: 'They disappear now. If you set it up again, they return with their names and rooms.',
      remove: 'Names, rooms and history are lost.',
    },
    removed: (name: string) => `${name} has been removed.`,
    fixedIn: {
      environment: (name: string) => `${name} in the environment`,
      'configuration file': (name: string) => `${name} in the configuration file`,
    } as Readonly<Record<string, (name: string) => string>>,
    fixedThere: (by: string) => `It is there because of ${by}. You can only remove it there.`,
    fixedBy: (by: string) => `Set by ${by}. You can only change it there.`,
    saved: 'Saved. Reconnecting.',
  },

  /** The fields of all integrations. Their labels come from the hub. */
  setting: {
    more: 'More settings',
    optional: 'Optional.',
    choose: 'Choose…',
    range: (least: number, most: number) => `From ${least} to ${most}`,
    secretKept: 'It is set. Leave this empty to keep it.',
    secretAgain: 'Enter it again, because you changed where it is used.',
    secretForget: (label: string) => `Forget: ${label}`,
    secretIsSet: 'Set',
    yes: 'Yes',
    no: 'No',
    noLink: 'There is none yet. Set one up first.',
    noToken: 'None',
    lostToken: 'A token that is not there any more',
    toTokens: 'Make an API token',
    toAdd: 'What you can set up',
    toLink: 'Its settings',
    lostLink: (id: string) => `${id} (not there any more)`,
  },

  kinds: {
    title: 'What you can set up',
    help: 'What you need',
    nothing: 'Nothing found yet',
    check: 'What to check:',
    sameNetwork: 'The hub and what you set up must be in the same network, and not in a guest network.',
    look: 'Look again',
    looking: 'Looking…',
    broker: 'The hub’s broker:',
  },

  /** A bridge that the apps of other makers take in. Which kind it is comes from the hub. */
  bridge: {
    title: 'Use your devices in another app',
    intro:
      'Apple Home, Google Home, Alexa, SmartThings and others can add the bridge while it is open. It closes by itself.',
    open: 'Open for another app',
    opening: 'Opening…',
    close: 'Close',
    left: (minutes: number, seconds: number) => `Open, ${minutes}:${String(seconds).padStart(2, '0')} left`,
    isOpen: 'The bridge is open. Its number and code are here now.',
    how: 'In Apple Home, Google Home, Alexa or SmartThings, add a new device, choose Matter if the app asks, and scan this code or type the number.',
    uncertified: 'The app may warn that the bridge is not certified: add it anyway.',
    number: 'Number to type',
    qr: (number: string) => `QR code for the other app. It has the same use as the number ${number}.`,
    ended: (why: string) => `The bridge is closed: ${why}.`,
    homes: 'Where the bridge was added',
    noHomes: 'No other home has added the bridge yet.',
    remove: 'Remove',
    removeOne: (home: string) => `Remove ${home}`,
    removeTitle: (home: string) => `Take the bridge away from ${home}?`,
    removeText: 'Your devices disappear there at once. To have them back, somebody has to add the bridge again.',
    removeIt: 'Take it away',
    removed: (home: string) => `${home} does not have the bridge any more.`,
  },

  /** Letting devices join. The steps of each device are in `en-devices.ts`. */
  joining: {
    how: 'Start the search, then put the device into pairing mode.',
    states: {
      connecting: 'Connecting. You can search as soon as it is connected.',
      error: 'It is not connected right now, so no device can join.',
      needs_action: 'It needs your attention before a device can join.',
      off: 'It is switched off.',
    } as Readonly<Record<string, string>>,
    check: 'Check the connection',
  },

  found: {
    noneTitle: 'Add your first devices',
    noneText:
      'The hub looks for devices in your home network all the time and shows what it finds here. You can also choose below what you have.',
    title: 'Found in your home',
    count: (count: number) => `${counted(count, 'thing', 'things')} found in your home`,
    setUp: 'Set up',
    setUpOne: (name: string) => `Set up ${name}`,
    ignore: 'Ignore',
    ignoreOne: (name: string) => `Ignore ${name}`,
    restore: 'Show again',
    restoreOne: (name: string) => `Show ${name} again`,
    ignored: (count: number) => `${count} ignored`,
  },

  setup: {
    title: 'Set up',
    of: (kind: string) => `Set up ${kind}`,
    next: 'Next',
    sending: 'Please wait…',
    busy: 'Please wait…',
    nothingToFill: 'There is nothing to fill in.',
    timer: 'Time left',
    left: (minutes: number, seconds: number) => `Waiting, ${minutes}:${String(seconds).padStart(2, '0')} left`,
    lastLook: 'Looking once more…',
    code: 'Code',
    failed: 'That did not work',
    back: 'Back',
    gone: 'This set-up has ended',
    goneText:
      'A set-up ends when somebody cancels it, after 15 minutes, and when the hub restarts. Nothing was changed by it.',
    end: 'Cancel set-up',
    done: (kind: string) => `${kind} is set up`,
    renewed: (kind: string) => `${kind} is set up again`,
    noDevices: 'Its devices appear here as soon as the hub knows them.',
    moreDevices: (count: number) =>
      `And ${counted(count, 'more device', 'more devices')}, all of them on the home page.`,
    nextKind: (kinds: readonly string[]) => `Next, set up what uses it: ${kinds.join(', ')}.`,
    edit: 'Change',
    editOne: (name: string) => `Change the name or room of ${name}`,
    settings: 'Its settings',
    toHome: 'Go to the home',
  },
};
