import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkOwner } from '#cli/doctor/doctor.ts';
import { needs } from '#test/support/machine/requires.ts';

const USER = 4711;
const brokerWith = (value: string | null) =>
  ({ name: 'MQTT broker', passwordFile: { key: 'mqtt.password_file', value } }) as const;

function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const stateDir = join(folder, 'state');
  mkdirSync(join(stateDir, 'backups'), { recursive: true });
  const password = join(folder, 'password');
  for (const file of [join(stateDir, 'hearthd.db'), join(stateDir, 'backups/one.db'), password])
    writeFileSync(file, '');
  for (const name of ['.', 'backups', 'hearthd.db', 'backups/one.db']) chownSync(join(stateDir, name), USER, USER);
  const look = (passwordFile: string | null = null): string[] =>
    checkOwner({ stateDir }, brokerWith(passwordFile)).flatMap(({ text, details = [] }) => [text, ...details]);
  return { folder, stateDir, password, look };
}

describe.runIf(needs('root'))('for root, who can use everything,', () => {
  test('files in the state that belong to other users are reported', () => {
    const { stateDir, look } = prepare();
    expect(look()).toEqual([]);
    chownSync(join(stateDir, 'backups/one.db'), 0, 0);
    expect(look()).toEqual(['1 of its files belong to other users', join(stateDir, 'backups/one.db')]);
  });

  test('a password that only root can read is reported, by the rights of the file or of a folder', () => {
    const { folder, password, look } = prepare();
    chmodSync(password, 0o640);
    const told = [`the user of the hub cannot read the password file ${password}`];
    expect(look(password)).toEqual(told);
    chownSync(password, 0, USER);
    expect(look(password)).toEqual([]);
    chmodSync(folder, 0o700);
    expect(look(password)).toEqual(told);
  });
});

test('a state folder that does not exist yet has no owner', () => {
  expect(checkOwner({ stateDir: '/nowhere' }, brokerWith(null))).toEqual([]);
});
