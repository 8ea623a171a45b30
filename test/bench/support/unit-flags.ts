import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const UNIT = readFileSync(join(import.meta.dirname, '../../../systemd/hearthd.service'), 'utf8');

/** What the unit gives to Node.js, as NODE_OPTIONS: the hub is measured as it is installed. */
export const UNIT_FLAGS = /^ExecStart=\/usr\/bin\/node (--.+) \//m.exec(UNIT)?.[1] ?? '';

/** What else the unit puts into the environment. */
export const UNIT_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  [...UNIT.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);
