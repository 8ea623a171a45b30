import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the kernel shows of one interface under `/sys/class/net`. */
export type FakeInterface = {
  readonly type?: number;
  readonly devtype?: string;
  readonly device?: true;
  readonly tunFlags?: string;
  /** Makes it a bridge. */
  readonly ports?: readonly string[];
  readonly lower?: readonly string[];
};

/** A tree as `/sys/class/net`, with its links; the second value removes it. */
export function createFakeSysfs(
  interfaces: Readonly<Record<string, FakeInterface>>,
): [root: string, remove: () => void] {
  const root = mkdtempSync(join(tmpdir(), 'hearthd-sysfs-'));
  for (const [name, fake] of Object.entries(interfaces)) writeInterface(root, name, fake);
  return [root, () => rmSync(root, { recursive: true, force: true })];
}

function writeInterface(root: string, name: string, fake: FakeInterface): void {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'type'), `${fake.type ?? 1}\n`);
  const devtype = fake.devtype === undefined ? '' : `DEVTYPE=${fake.devtype}\n`;
  writeFileSync(join(folder, 'uevent'), `${devtype}INTERFACE=${name}\nIFINDEX=7\n`);
  if (fake.tunFlags !== undefined) writeFileSync(join(folder, 'tun_flags'), fake.tunFlags);
  if (fake.device === true) mkdirSync(join(folder, 'device'));
  if (fake.ports !== undefined) {
    mkdirSync(join(folder, 'bridge'));
    mkdirSync(join(folder, 'brif'));
    for (const port of fake.ports) symlinkSync(join(root, port), join(folder, 'brif', port));
  }
  for (const below of [...(fake.lower ?? []), ...(fake.ports ?? [])]) {
    symlinkSync(join(root, below), join(folder, `lower_${below}`));
  }
}
