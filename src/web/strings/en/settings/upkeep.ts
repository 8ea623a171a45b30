import { counted } from '#web/strings/en/grammar.ts';

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
      script: 'Made by a script',
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
    historyWaits: (count: number) => `${counted(count, 'value', 'values')}, moved to disk files every six hours`,
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
  },
};
