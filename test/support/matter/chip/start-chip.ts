import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestCert_PAA_FFF1_Cert, TestCert_PAA_NoVID_Cert } from '@matter/main/protocol';
import type { Namespace } from '#test/support/machine/namespaces.ts';
import { awaitController, type Controller } from '#test/support/matter/controller-process.ts';

/**
 * The SDK writes to fixed places in /tmp and in /data: they are the folder's own. It works in the folder itself, and this
 * one, which may be in /tmp, is at /data/sdk.
 */
const PRIVATE = `
  mount --make-rprivate /
  mkdir -p tmp /data
  mount -t tmpfs none /data
  mkdir /data/sdk
  mount --bind "$1" /data/sdk
  mount --bind tmp /tmp
  exec /data/sdk/venv/bin/python /data/sdk/controller.py . roots
`;

/** The SDK of the alliance as a controller. What it knows is in the folder. */
export function startChip(space: Namespace, folder: string): Promise<Controller> {
  mkdirSync(join(folder, 'roots'), { recursive: true });
  writeFileSync(join(folder, 'roots/one.der'), TestCert_PAA_FFF1_Cert);
  writeFileSync(join(folder, 'roots/two.der'), TestCert_PAA_NoVID_Cert);
  const inFolder = ['-C', folder, 'unshare', '-m', 'sh', '-ec', PRIVATE, 'sh', import.meta.dirname];
  return awaitController(space.start('env', inFolder, { CHIP_LOG: process.env['CHIP_LOG'] ?? 'error' }));
}
