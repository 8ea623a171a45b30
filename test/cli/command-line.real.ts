import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '#cli/command-table.ts';
import { OPTION_KEYS, optionOf } from '#config/option-table.ts';
import { runHearthd } from '#test/support/daemon/run-hearthd.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearthd-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('help', () => {
  test('names every command, on stdout, with success', async () => {
    for (const args of [['--help'], ['-h'], ['help'], ['user', '--help']]) {
      const { code, stdout, stderr } = await runHearthd(args);
      expect([code, stderr]).toEqual([0, '']);
      for (const { name, summary } of COMMANDS) {
        expect(stdout).toContain(name);
        expect(stdout).toContain(summary);
      }
    }
  });

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s names its options',
    async (name, command) => {
      const { code, stdout } = await runHearthd([...name.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(`hearthd ${[name, ...command.arguments].join(' ')}`);
      for (const option of [...command.options.map((option) => option.name), 'config', 'state-dir']) {
        expect(stdout).toContain(`--${option}`);
      }
    },
  );

  test('has no line wider than 120 columns and no escape sequence', async () => {
    const { stdout } = await runHearthd(['--help']);
    expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
    expect(stdout).not.toContain('\u001b');
  });
});

describe('a command line', () => {
  test.each([[['version']], [['--version']], [['--state-dir', '/x', 'version']], [['version', '--config=/nowhere']]])(
    '%j prints the version',
    async (args) => {
      expect(await runHearthd(args)).toEqual({ code: 0, stdout: 'hearthd 0.1.0\n', stderr: '' });
    },
  );

  test.each([
    [[], 'which command? See hearthd --help'],
    [['--state-dir', '/x'], 'there is no command "/x", see hearthd --help'],
    [['clam'], 'there is no command "clam", did you mean hearthd claim?'],
    [['usr', 'list'], 'there is no command "usr", did you mean hearthd user list?'],
    [['user'], 'there is no command "user", see hearthd --help'],
    [['user', 'delete', 'x'], 'there is no command "user"'],
    [['--frobnicate'], 'which command?'],
    [['claim', '--frobnicate'], "unknown option '--frobnicate', see hearthd claim --help"],
    [['claim', '--yes=1'], "unknown option '--yes'"],
    [['restore', '--yes=1', 'x'], "option '--yes' does not take an argument"],
    [['user', 'add', 'x', '--name'], "option '--name <value>' argument missing"],
    [['claim', 'now'], 'what is "now"? See hearthd claim --help'],
    [['user', 'remove'], 'user remove needs EMAIL, see hearthd user remove --help'],
    [
      ['user', 'add', 'a@home', '--role', 'king', '--password-stdin'],
      '--role must be one of owner, admin, resident, guest',
    ],
    [['user', 'add', 'a@home'], 'there is no terminal to ask for the password: use --password-stdin'],
    [['user', 'remove', 'a@home'], 'there is no terminal to ask you: add --yes to say that you are sure'],
  ])('%j is refused in one line', async (args, message) => {
    const { code, stdout, stderr } = await runHearthd(args);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(/^hearthd: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });

  test('with a bad configuration ends with 78 and lists every problem', async () => {
    const file = join(folder, 'bad.toml');
    writeFileSync(file, 'port = 0x1ffff\nlgo = "info"\n');
    const { code, stderr } = await runHearthd(['claim', '--config', file], { env: { HEARTHD_SIMULATE: 'maybe' } });
    expect(code).toBe(78);
    expect(stderr.trimEnd().split('\n')).toEqual([
      `hearthd: ${file}:1: port is 131071 but must be a whole number from 0 to 65535`,
      `hearthd: ${file}:2: there is no option "lgo", did you mean log?`,
      'hearthd: HEARTHD_SIMULATE: simulate is "maybe" but must be true or false (1 or 0 in the environment)',
    ]);
  });

  test('cannot forge a line of its own output', async () => {
    const { stderr } = await runHearthd(['cl\u001b[2Jaim\nhearthd: all is well']);
    expect(stderr).toMatch(/^hearthd: \P{Cc}*\n$/u);
  });
});

test('help of serve lists every option with its variable', async () => {
  const { describeConfiguration } = await import('#cli/help.ts');
  const text = describeConfiguration().join('\n');
  for (const key of OPTION_KEYS) {
    expect(text).toContain(`${key}  ${optionOf(key).variable}`);
    expect(text).toContain(optionOf(key).meaning);
  }
});
