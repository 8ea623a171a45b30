import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type FakedMachine = {
  /** The command that starts a program on this machine. */
  readonly env: Readonly<Record<string, string>>;
  readonly through: readonly string[];
  /** Seconds by which its wall clock is ahead of the true one. */
  readonly setWall: (aheadS: number) => void;
  /** Whether systemd-timesyncd says that the clock is synchronised. */
  readonly setSynced: (isSynced: boolean) => void;
  /** Starts a new boot, or sets the uptime of the present one. */
  readonly setUptime: (boot: number, seconds: number) => void;
};

const ENTER = [
  'mount -t tmpfs none /run && mkdir -p /run/systemd/timesync',
  'mount --bind "$0/timesync" /run/systemd/timesync',
  'mount --bind "$0/boot_id" /proc/sys/kernel/random/boot_id',
  'mount --bind "$0/uptime" /proc/uptime',
  'exec "$@"',
].join(' && ');

/** A machine whose wall clock libfaketime sets, and whose boot, uptime and synchronisation are mounts. Needs root. */
export function createFakedMachine(folder: string): FakedMachine {
  const path = (name: string): string => join(folder, name);
  mkdirSync(path('timesync'), { recursive: true });
  const library = readdirSync('/usr/lib')
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((name) => readdirSync(join('/usr/lib', name)).map((file) => join('/usr/lib', name, file)))
    .find((file) => file.endsWith('/faketime'));
  return {
    env: {
      LD_PRELOAD: `${library}/libfaketimeMT.so.1`,
      FAKETIME_TIMESTAMP_FILE: path('faketime'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    through: ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', ENTER, folder],
    setWall: (aheadS) => writeFileSync(path('faketime'), `${aheadS < 0 ? '' : '+'}${Math.round(aheadS)}\n`),
    setSynced: (isSynced) => {
      if (isSynced) writeFileSync(path('timesync/synchronized'), '');
      else rmSync(path('timesync/synchronized'), { force: true });
    },
    setUptime: (boot, seconds) => {
      writeFileSync(path('boot_id'), `00000000-0000-4000-8000-00000000000${boot}\n`);
      writeFileSync(path('uptime'), `${seconds}.00 ${seconds}.00\n`);
    },
  };
}
