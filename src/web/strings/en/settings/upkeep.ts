import { counted } from '#web/strings/en/grammar.ts';
import { ended } from '#web/strings/language/grammar.ts';

type BackupWords = {
  readonly when: string;
  readonly people: number;
  readonly rooms: number;
  readonly devices: number;
  readonly version: string | null;
};

/** The words for backups, troubles and health in English, by the rules of `en.ts`. */
export const upkeep = {
  backup: {
    title: 'Backups',
    intro: 'A backup holds people, rooms, devices and settings. The hub makes one every day. Keep one elsewhere too.',
    empty: 'No backups yet.',
    make: 'Back up now',
    making: 'Backing up…',
    made: 'The backup has been made.',
    kinds: {
      manual: 'Made by hand',
      daily: 'Made daily by the hub',
      'pre-migration': 'Before an update',
      'pre-restore': 'Before a restore',
    } as Readonly<Record<string, string>>,
    download: 'Download',
    downloadOf: (when: string) => `Download the backup of ${when}`,
    downloading: 'Downloading…',
    restoreOne: 'Restore…',
    restoreOf: (when: string) => `Restore… the backup of ${when}`,
    reading: 'Reading…',
    fromFile: 'From a file',
    fromFileText: 'Restores a backup that you kept elsewhere. The file is checked before anything changes.',
    file: 'Backup file',
    restore: 'Restore this backup',
    restoreAsk: 'Restore this backup?',
    ofFile: (name: string, size: string) => `${name}, ${size}`,
    content: ({ when, people, rooms, devices, version }: BackupWords) =>
      [
        `${when}: ${counted(people, 'person', 'people')}`,
        counted(rooms, 'room', 'rooms'),
        counted(devices, 'device', 'devices'),
        ...(version === null ? [] : [`hub ${version}`]),
      ].join(', '),
    restoreWarnings: [
      'People, rooms, names and API tokens that were added or changed since then are lost.',
      'People who were removed since then come back. Passwords stay as they are now, and revoked tokens stay revoked.',
      'Everyone else is logged out, and so are you if your account is not in the backup.',
      'Before that, the hub makes a backup of how it is now.',
    ],
    sending: 'The backup is being checked…',
    waiting: 'The hub is restarting with the backup…',
    restored: 'The backup has been restored. Everyone else has been logged out.',
    goOn: 'Go to the home page',
    notBack: 'The backup has been restored, but the hub is not responding yet. Wait a moment and reload this page.',
  },

  /** At the top of the home. */
  troubles: {
    count: (count: number) => counted(count, 'problem', 'problems'),
    notConnected: (name: string, since: string, lost: number) =>
      lost === 0
        ? `${name} has not been connected since ${since}.`
        : `${name} has not been connected since ${since}: ${counted(lost, 'device is', 'devices are')} out of reach.`,
    why: (message: string) => ended(message),
    of: (name: string, message: string) => ended(`${name}: ${message}`),
    checkConnection: 'Check the connection',
    whatToDo: 'What to do',
  },

  health: {
    title: 'Health',
    well: 'All is well.',
    hub: 'Hub',
    version: 'Version',
    uptime: 'Running for',
    database: 'Database',
    databases: {
      ok: 'OK',
      full: 'Full',
      unavailable: 'Cannot be written to',
      damaged: 'Damaged',
    } as Readonly<Record<string, string>>,
    lastBackup: 'Last backup',
    history: 'History on disk',
    written: 'Written today',
    disk: 'Disk',
    free: (free: string, total: string) => `${free} free of ${total}`,
    memory: 'Memory in use',
    clients: 'Live connections',
    clock: 'Clock',
    clockSynced: 'set by a time service',
    clockUnsynced: 'not set by a time service',
    addresses: 'Addresses',
    machine: 'Computer',
    hostname: 'Name on the network',
    system: 'System',
    kernel: 'Kernel',
    node: 'Node.js',
    processors: 'Processors',
    machineMemory: 'Memory',
    machineUptime: 'Switched on for',
    databaseTroubles: {
      export: [
        'A receiver of the history does not take anything.',
        'The hub tries again and loses nothing while the history keeps it. “Exports” in the settings says why.',
      ],
      full: [
        'The disk is full.',
        'Devices still work, but nothing new is saved. Free some space on the computer that runs the hub.',
      ],
      unavailable: [
        'The disk cannot be written to.',
        'Nothing new is saved. Check the disk or memory card: it may be worn out.',
      ],
      damaged: [
        'The database is damaged.',
        'Download a backup now and restart the hub: it goes back to the last good backup by itself.',
      ],
      read_only: [
        'The disk is read-only.',
        'The hub runs on a copy that is lost at the next restart. Replace the memory card or disk.',
      ],
      recovered: [
        'The database was damaged, and the hub went back to a backup.',
        'What was changed after that backup is missing. If it happens again, replace the memory card or disk.',
      ],
      emptied: [
        'The database was damaged, and there was no good backup.',
        'Restore one that you kept elsewhere, under Backups.',
      ],
      backup: ['The last backup failed.', 'Usually the disk is full. Free some space and make one under Backups.'],
      history: [
        'Nothing is recorded any more.',
        'The disk takes no history, so the charts have a gap from now on. Free some space, or check the disk.',
      ],
      low: [
        'The disk is nearly full.',
        'Free some space on the computer that runs the hub. Once the disk is full, nothing new is saved.',
      ],
      clock: [
        'The hub’s clock is not set.',
        'Times may be wrong until it is set. Logins are not affected. Connect the computer to a time server: run “timedatectl set-ntp true” on it.',
      ],
      SAFE_MODE: [
        'An integration is stopped, because the hub crashed twice soon after it received something from it.',
        'Look for the cause there, then start it again on its page under Integrations.',
      ],
      TOO_MANY_DEVICES: [
        'An integration sent more devices than a home can have.',
        'The hub keeps the devices that it had before. Find out what sends that list: someone else may be using the same connection.',
      ],
      DEVICES_TOO_LARGE: [
        'An integration sent devices that together are larger than the hub can hold.',
        'The hub keeps the devices that it had before. Find out what sends that list: someone else may be using the same connection.',
      ],
    } as Readonly<Record<string, readonly [text: string, todo: string]>>,
  },
};
