import type { Command, CommandOption } from './command.ts';
import { EXIT } from './exit-code.ts';

/** Understood by every command. */
export const GLOBAL_OPTIONS: readonly CommandOption[] = [
  { name: 'config', value: 'FILE', meaning: 'Reads this configuration file instead of /etc/hearthd/hearthd.toml.' },
  { name: 'state-dir', value: 'FOLDER', meaning: 'Uses the hub whose state is in this folder.' },
  { name: 'help', meaning: 'Shows this help.' },
];

const PASSWORD_STDIN: CommandOption = {
  name: 'password-stdin',
  meaning: 'Takes the password from standard input instead of asking for it.',
};
const YES: CommandOption = { name: 'yes', meaning: 'Does not ask whether you are sure.' };

export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Runs the hub until it gets a signal to stop.',
    arguments: [],
    options: [],
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'claim',
    summary: 'Prints the code that the owner needs to set up the hub.',
    arguments: [],
    options: [],
    load: async () => (await import('./user.ts')).claim,
  },
  {
    name: 'user add',
    summary: 'Adds an account.',
    arguments: ['EMAIL'],
    options: [
      { name: 'name', value: 'NAME', meaning: 'Name of the person; else the part of the address before the @.' },
      { name: 'role', value: 'ROLE', meaning: 'owner, admin, resident (the default) or guest.' },
      PASSWORD_STDIN,
    ],
    load: async () => (await import('./user.ts')).addUser,
  },
  {
    name: 'user list',
    summary: 'Lists the accounts: e-mail address, role, name.',
    arguments: [],
    options: [],
    load: async () => (await import('./user.ts')).listUsers,
  },
  {
    name: 'user password',
    summary: 'Sets a new password and logs the person out everywhere.',
    arguments: ['EMAIL'],
    options: [PASSWORD_STDIN],
    load: async () => (await import('./user.ts')).setPassword,
  },
  {
    name: 'user remove',
    summary: 'Removes an account.',
    arguments: ['EMAIL'],
    options: [YES],
    load: async () => (await import('./user.ts')).removeUser,
  },
  {
    name: 'backup',
    summary: 'Makes a backup and prints its path; with FILE, copies it there.',
    arguments: ['[FILE]'],
    options: [],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Replaces the present state with a backup and logs everyone out.',
    arguments: ['FILE'],
    options: [YES],
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'history export',
    summary: 'Writes what was recorded to standard output.',
    arguments: [],
    options: [
      { name: 'format', value: 'FORMAT', meaning: 'csv (the default), ndjson or line_protocol.' },
      { name: 'from', value: 'TIME', meaning: 'As 2026-11-22T10:00:00Z or -30d; else everything that is kept.' },
      { name: 'to', value: 'TIME', meaning: 'The same; else now.' },
      { name: 'series', value: 'NAMES', meaning: 'Such as kitchen-sensor/temperature,mode/home; else all.' },
    ],
    load: async () => (await import('./history.ts')).exportHistory,
  },
  {
    name: 'history import',
    summary: 'Reads samples from FILE or standard input; what is there already stays.',
    arguments: ['[FILE]'],
    options: [
      { name: 'format', value: 'FORMAT', meaning: 'csv (the default) or ndjson.' },
      { name: 'dry-run', meaning: 'Finds every fault and counts, but changes nothing.' },
      { name: 'skip-unknown', meaning: 'Leaves out series that the hub does not record, instead of refusing them.' },
    ],
    load: async () => (await import('./history.ts')).importHistory,
  },
  {
    name: 'doctor',
    summary: 'Checks the hub and its surroundings and says what to do.',
    arguments: [],
    options: [
      {
        name: 'history',
        meaning:
          'Reads all of the history instead, and compares what is kept of each hour with its samples; takes minutes.',
      },
      { name: 'repair', meaning: 'The same, and has the hours made again that are wrong.' },
    ],
    load: async () => (await import('#cli/doctor/doctor.ts')).doctor,
  },
  {
    name: 'version',
    summary: 'Prints the version.',
    arguments: [],
    options: [],
    load: async () => {
      return ({ terminal, version }) => {
        terminal.print(`hearthd ${version}`);
        return EXIT.ok;
      };
    },
  },
];

/** Root starts this command as the hub's user. People do not type it, so no help names it. */
export const INNER_COMMAND: Command = {
  name: 'serve-admin',
  summary: 'Serves the calls of one command of root.',
  arguments: ['STATE_DIR', 'RUNTIME_DIR'],
  options: [],
  load: async () => (await import('#cli/state/hub-access.ts')).serveAdmin,
};
