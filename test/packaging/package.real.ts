import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '#cli/command-table.ts';
import { loadConfig } from '#config/load-config.ts';
import { OPTION_KEYS } from '#config/option-table.ts';
import { expectWithinBudget } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { buildPackages, copySources } from './build-packages.ts';

const SCRIPTS = join(import.meta.dirname, '../../packaging/scripts');
const canCheck = [needs('lintian'), needs('shellcheck'), needs('man')].every((isThere) => isThere);

/** Where the package is built, and where it is unpacked. */
let sources: string;
let folder: string;
let path: string;
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

describe.skipIf(!needs('dpkg-deb'))('the package', () => {
  beforeAll(() => {
    sources = mkdtempSync(join(tmpdir(), 'hearthd-sources-'));
    folder = mkdtempSync(join(tmpdir(), 'hearthd-unpacked-'));
    [path = ''] = buildPackages(copySources(sources), join(sources, 'out'), ['amd64']);
    execFileSync('dpkg-deb', ['-x', path, folder]);
  });
  afterAll(() => {
    rmSync(sources, { recursive: true });
    rmSync(folder, { recursive: true });
  });

  describe.skipIf(!canCheck)('for Debian', () => {
    test('has nothing that lintian objects to', () => {
      const { status, stdout } = spawnSync('lintian', ['--fail-on', 'error,warning', path], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    });

    test('has scripts, for maintainers and as examples, in which shellcheck finds nothing', () => {
      const example = join(folder, 'usr/share/doc/hearthd/examples/cpu-temperature.sh');
      const files = [
        ...readdirSync(SCRIPTS).map((name) => join(SCRIPTS, name)),
        join(folder, 'usr/bin/hearthd'),
        example,
      ];
      const { status, stdout } = spawnSync('shellcheck', ['--shell=sh', ...files], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    });

    test.each(['man8/hearthd.8.gz', 'man5/hearthd.toml.5.gz'])(
      'has a manual page %s that man reads without a warning',
      (page) => {
        const call = ['--warnings', '--local-file', join(folder, 'usr/share/man', page)];
        const { status, stdout, stderr } = spawnSync('man', call, {
          encoding: 'utf8',
          env: { ...process.env, MANWIDTH: '100' },
        });
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        const names = page.startsWith('man8') ? COMMANDS.map(({ name }) => name) : OPTION_KEYS;
        expect(names.filter((name) => !stdout.includes(name))).toEqual([]);
      },
    );
  });

  test('takes below 2.7 MB, 0.7 of them for Matter', () => {
    expectWithinBudget('the package for amd64, bytes', statSync(path).size, 2_700_000);
  });

  test('has a configuration file with every option, each with its default', () => {
    const file = join(folder, 'etc/hearthd/hearthd.toml');
    expect(loadConfig({ environment: {}, file, installed: true })).toMatchObject({ ok: true, config: { port: 80 } });
    const text = readFileSync(file, 'utf8');
    for (const key of OPTION_KEYS) expect(text).toMatch(new RegExp(`^#${key.split('.').at(-1)} = `, 'm'));
  });

  test('has a configuration file that is right with its defaults switched on', () => {
    const file = join(folder, 'switched-on.toml');
    const text = read('etc/hearthd/hearthd.toml').replaceAll(/^#(\w+ = (?!""$))/gm, '$1');
    execFileSync('tee', [file], { input: text, stdio: ['pipe', 'ignore', 'inherit'] });
    const [plain, given] = [join(folder, 'etc/hearthd/hearthd.toml'), file].map((path) => {
      const loaded = loadConfig({ environment: {}, file: path, installed: true });
      return loaded.ok ? loaded.config.values : loaded.problems;
    });
    expect(given).toEqual(plain);
  });

  test('has the examples of scripts that bring in devices', () => {
    const examples = readdirSync(join(folder, 'usr/share/doc/hearthd/examples')).toSorted();
    expect(examples).toEqual(['README.md', 'cpu-temperature.sh', 'led.mjs', 'modbus-meter.py']);
  });

  test('has the handbook for owners', () => {
    expect(read('usr/share/doc/hearthd/handbook.md')).toContain('# Handbook of hearthd');
  });

  test('names everything that is bundled in its copyright file and its bill of materials', () => {
    const copyright = read('usr/share/doc/hearthd/copyright');
    const bom = JSON.parse(read('usr/share/doc/hearthd/sbom.cdx.json')) as { components: { name: string }[] };
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['hono', 'mqtt', 'sqlite', '@node-rs/argon2-linux-x64-gnu']));
    const others = names.filter((name) => name !== 'sqlite' && !name.startsWith('@node-rs/argon2-'));
    expect(others.filter((name) => !copyright.includes(`Files: node_modules/${name}/*`))).toEqual([]);
  });

  test('lets bash complete commands, the words after them and their options', () => {
    const script = join(folder, 'usr/share/bash-completion/completions/hearthd');
    const complete = (...words: readonly string[]): string[] => {
      const call = `. ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hearthd; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', call, 'bash', ...words], { encoding: 'utf8' })
        .trim()
        .split(' ');
    };
    expect(complete('hearthd', 'us')).toEqual(['user']);
    expect(complete('hearthd', 'user', '')).toEqual(['add', 'list', 'password', 'remove']);
    expect(complete('hearthd', 'user', 'add', '--r')).toEqual(['--role']);
    expect(complete('hearthd', 'user', 'add', '--role', 'g')).toEqual(['guest']);
  });
});
