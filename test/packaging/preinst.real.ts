import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noteSchemas } from '#storage/engine/schema-note.ts';
import { prepareStateFolder } from '#storage/engine/state-paths.ts';
import { KNOWN_SCHEMAS } from '#storage/known-schemas.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { needs } from '#test/support/machine/requires.ts';
import { maintainerScript } from '../../packaging/package.ts';
import { ROOT } from './build-packages.ts';

/** Runs the script of version 0.5.0 as dpkg does, over a state that version 0.9.0 wrote with these schemas. */
function createMachine(written: Partial<typeof KNOWN_SCHEMAS> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'hearthd-preinst-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const state = join(root, 'var/lib/hearthd');
  mkdirSync(state, { recursive: true });
  const { log } = createRecordingLog();
  const paths = prepareStateFolder({ state, runtime: join(root, 'run') }, log);
  noteSchemas(paths, { schemas: { ...KNOWN_SCHEMAS, ...written }, version: '0.9.0' }, log);
  const script = join(root, 'preinst');
  writeFileSync(script, maintainerScript(ROOT, 'preinst', '0.5.0'));
  return {
    state,
    run: (...given: readonly string[]) => {
      const env = { ...process.env, DPKG_ROOT: root };
      const { status, stderr } = spawnSync('sh', [script, ...given], { encoding: 'utf8', env });
      return { status, stderr };
    },
  };
}

const FINE = { status: 0, stderr: '' };

describe.skipIf(!needs('dpkg-deb'))('S7: the package', () => {
  test('is installed over data whose schemas it knows, by an older or a newer version', () => {
    const { run } = createMachine();
    expect([run('install'), run('upgrade', '0.9.0'), run('upgrade', '0.4.0')]).toEqual([FINE, FINE, FINE]);
  });

  test.each([
    ['database', ''],
    ['journal', ' of the journal'],
    ['month', ' of the months of history'],
    ['year', ' of the hours of history'],
  ] as const)(
    'refuses to be installed over a newer schema of the %s, and says which version reads it',
    (kind, what) => {
      const known = KNOWN_SCHEMAS[kind];
      const { run } = createMachine({ [kind]: known + 1 });
      for (const given of [['upgrade', '0.9.0'], ['install'], ['install', '0.9.0']]) {
        const { status, stderr } = run(...given);
        expect(status).toBe(1);
        expect(stderr).toContain(`it knows schema ${known}${what}, the data has ${known + 1}.`);
        expect(stderr).toContain('hearthd 0.9.0 or a later one can read it.');
      }
      expect(run('upgrade', '0.4.0'), 'a hub cannot block its own upgrade').toEqual(FINE);
    },
  );

  test('knows the number of the database where an earlier version noted nothing else', () => {
    const { run, state } = createMachine({ database: KNOWN_SCHEMAS.database + 1 });
    rmSync(join(state, 'schemas'));
    const { status, stderr } = run('install');
    expect(status).toBe(1);
    expect(stderr).toContain(`the data has ${KNOWN_SCHEMAS.database + 1}.`);
    expect(stderr).not.toContain('can read it');
  });

  test.each([
    ['a pipe without a writer', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link to what never ends', (path: string) => symlinkSync('/dev/zero', path)],
    [
      'a link to a file of somebody else',
      (path: string) => {
        writeFileSync(`${path}.other`, path.endsWith('schema') ? '999\n' : 'journal 999\n');
        symlinkSync(`${path}.other`, path);
      },
    ],
    ['a file that never ends', (path: string) => (writeFileSync(path, ''), truncateSync(path, 2 ** 33))],
    ['a number of a version that never was', (path: string) => writeFileSync(path, `journal ${'9'.repeat(30)}\n`)],
    ['commands', (path: string) => writeFileSync(path, 'journal $(touch /tmp/x)\nhearthd `reboot`\nmonth 99x\n')],
  ])('takes %s in the place of the notes for none', (_, put) => {
    const { run, state } = createMachine();
    for (const name of ['schema', 'schemas']) {
      rmSync(join(state, name));
      put(join(state, name));
    }
    expect(run('install')).toEqual(FINE);
  });

  test('prints of what the hub wrote only what looks like a version', () => {
    const { run, state } = createMachine();
    writeFileSync(join(state, 'schemas'), `hearthd \u001B[2Jroot: send money\njournal ${KNOWN_SCHEMAS.journal + 1}\n`);
    const { stderr } = run('install');
    expect(['money', '\u001B', 'can read it'].filter((text) => stderr.includes(text))).toEqual([]);
  });
});
