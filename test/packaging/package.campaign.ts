import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { expectWithinBudget } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';

const packages = inject('packages');
const architectures = Object.entries(packages.current);

test('two builds in two folders, with another umask and time zone, are equal to the bit', () => {
  expect(readFileSync(packages.again).equals(readFileSync(packages.current.amd64))).toBe(true);
});

describe.each(architectures)('the package for %s', (name, path) => {
  test.skipIf(!needs('lintian'))('has nothing that lintian objects to', () => {
    const { status, stdout } = spawnSync('lintian', ['--fail-on', 'error,warning', path], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test('takes below 2.7 MB, and has the compiled code of that architecture alone', () => {
    expectWithinBudget(`the package for ${name}, bytes`, statSync(path).size, 2_700_000);
    const machine = { amd64: 0x3e, arm64: 0xb7, armhf: 0x28 }[name];
    const list = execFileSync('dpkg-deb', ['-c', path], { encoding: 'utf8' });
    const natives = [...list.matchAll(/\.\/(\S+\.node)$/gm)].map((match) => match[1] ?? '');
    expect(natives).toHaveLength(1);
    const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', path], { maxBuffer: 64 * 1024 * 1024 });
    const code = execFileSync('tar', ['-xO', `./${natives[0]}`], { input: tar, maxBuffer: 64 * 1024 * 1024 });
    expect(code.readUInt16LE(18), 'e_machine of the ELF header').toBe(machine);
  });
});
