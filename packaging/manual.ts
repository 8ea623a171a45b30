import { COMMANDS, GLOBAL_OPTIONS } from '#cli/command-table.ts';
import type { Command, CommandOption } from '#cli/command.ts';
import { OPTION_KEYS, optionOf, type OptionKey } from '#config/option-table.ts';
import { packagedDefault } from './default-config.ts';
import { bold, createPage, italic, item, roffText } from './roff.ts';

type Edition = { readonly version: string; readonly epochS: number };

const EXIT_STATUS: readonly (readonly [number, string])[] = [
  [0, 'It worked.'],
  [64, 'The command line is wrong.'],
  [65, 'The input is not acceptable: a weak password, a damaged backup.'],
  [66, 'A file or the state of the hub does not exist.'],
  [67, 'The person has no account.'],
  [69, 'A check failed, or the hub went away.'],
  [70, 'A fault of the program.'],
  [73, 'A file cannot be created.'],
  [74, 'The disk failed.'],
  [75, 'Another hub holds the state, or this one is busy: try again later.'],
  [77, 'Permission is missing: try as root.'],
  [
    78,
    'The configuration is wrong, the database is from a newer version, or its upgrade ended the hub three times; a restart does not help.',
  ],
];

const FILES: readonly (readonly [string, string])[] = [
  ['/etc/hearthd/hearthd.toml', 'The configuration, hearthd.toml(5).'],
  ['/usr/share/doc/hearthd/handbook.md', 'The handbook for owners.'],
  [
    '/var/lib/hearthd',
    'The state: the database, its backups and the keys. Only the user of the hub can read it; only a purge of the package removes it.',
  ],
  ['/var/lib/hearthd/backups', 'Seven daily backups, and one before each migration.'],
  [
    '/var/lib/hearthd/schema',
    'The number of the schema of the database, read by packages of older versions before they replace this one.',
  ],
  ['/run/hearthd/served', 'What the hub serves at the moment, for the next start after a crash.'],
  ['/run/hearthd/control.sock', 'The control socket, for root and the user of the hub.'],
];

/** hearthd(8), from the table of commands. */
export function createHearthdPage({ version, epochS }: Edition): string {
  return createPage({
    name: 'hearthd',
    section: 8,
    summary: 'the hub of a home, one HTTP API on the local network',
    version,
    epochS,
    parts: [
      ['SYNOPSIS', `${bold('hearthd')} ${italic('COMMAND')} [${italic('OPTION')}]...`],
      ['DESCRIPTION', DESCRIPTION],
      ['COMMANDS', COMMANDS.map(describeCommand).join('\n')],
      ['OPTIONS', ['Understood by every command:', ...GLOBAL_OPTIONS.map(describeOption)].join('\n')],
      [
        'SIGNALS',
        [
          item(bold('SIGTERM'), 'Ends the hub; all acknowledged changes are on disk.'),
          item(bold('SIGHUP'), 'Makes the hub read the network again.'),
        ].join('\n'),
      ],
      ['ENVIRONMENT', `Every option of ${bold('hearthd.toml')}(5) has a variable, which wins over the file.`],
      ['EXIT STATUS', EXIT_STATUS.map(([code, meaning]) => item(bold(String(code)), roffText(meaning))).join('\n')],
      ['FILES', FILES.map(([path, meaning]) => item(italic(path), roffText(meaning))).join('\n')],
      [
        'SEE ALSO',
        `${bold('hearthd.toml')}(5), ${bold('systemctl')}(1), ${bold('journalctl')}(1), ${bold('sysexits')}(3)`,
      ],
    ],
  });
}

const DESCRIPTION = [
  roffText(
    'hearthd keeps the devices of a home and the accounts of its people, and serves one HTTP API on the local network.',
  ),
  roffText('It listens only on the addresses of the LAN and on loopback, and needs nothing outside of the home.'),
  '.PP',
  `The package runs it as ${bold('hearthd.service')}. Until the hub has an owner, it answers only the setup call, for which`,
  `${bold('hearthd claim')} prints the code.`,
  'Commands work on the running hub through its control socket or, if none runs, on its state.',
  'Root and the user of the hub may use them.',
].join('\n');

function describeCommand({ name, arguments: given, options, summary }: Command): string {
  const term = [
    bold(name),
    ...given.map((text) => (text.startsWith('[') ? `[${italic(text.slice(1, -1))}]` : italic(text))),
  ];
  if (options.length === 0) return item(term.join(' '), roffText(summary));
  return [item(term.join(' '), roffText(summary)), '.RS', ...options.map(describeOption), '.RE'].join('\n');
}

function describeOption({ name, value, meaning }: CommandOption): string {
  const term = value === undefined ? bold(`--${name}`) : `${bold(`--${name}`)} ${italic(value)}`;
  return item(term, roffText(meaning));
}

/** hearthd.toml(5), from the table of options. */
export function createConfigPage({ version, epochS }: Edition): string {
  return createPage({
    name: 'hearthd.toml',
    section: 5,
    summary: 'configuration of hearthd',
    version,
    epochS,
    parts: [
      ['SYNOPSIS', italic('/etc/hearthd/hearthd.toml')],
      ['DESCRIPTION', SYNTAX],
      ['OPTIONS', OPTION_KEYS.map(describeKey).join('\n')],
      ['THE SANDBOX OF THE SERVICE', SANDBOX],
      ['SEE ALSO', `${bold('hearthd')}(8), ${bold('systemd.exec')}(5), ${bold('systemd.resource-control')}(5)`],
    ],
  });
}

const SYNTAX = [
  'TOML. Keys with a dot belong to a section, such as',
  `${bold('url')} in ${bold('[mqtt]')}.`,
  'Defaults < file < environment. In the environment, lists have commas between their items.',
  '.PP',
  'The hub does not start with an unknown option or a value that is not allowed; the journal has a line for each.',
  `${bold('hearthd doctor')} shows each value and where it comes from.`,
].join('\n');

const SANDBOX = [
  `${bold('hearthd.service')} may do what the defaults need, and no more. Other settings need a line of their own, with`,
  `${bold('systemctl edit hearthd')}:`,
  item(bold('port'), `${bold('SocketBindAllow=tcp:')}${italic('PORT')}`),
  item(bold('state_dir'), `${bold('ReadWritePaths=')}${italic('FOLDER')}`),
  item(
    `${bold('network.allow_gua')}, ${bold('network.allow_cgnat')}, ${bold('network.extra_subnets')} with public addresses`,
    `${bold('IPAddressAllow=')}${italic('SUBNET')}`,
  ),
].join('\n');

function describeKey(key: OptionKey): string {
  const { variable, meaning, kind } = optionOf(key);
  const value = packagedDefault(key);
  const isNone = value === null || (Array.isArray(value) && value.length === 0);
  const allowed = `${kind.allowed.charAt(0).toUpperCase()}${kind.allowed.slice(1)}.`;
  const shown = isNone
    ? 'Default: none.'
    : `Default: ${bold(typeof value === 'string' ? value : JSON.stringify(value))}.`;
  return item(bold(key), roffText(meaning), `${roffText(allowed)} ${shown} Variable: ${bold(variable)}.`);
}
