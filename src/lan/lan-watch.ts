import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { errnoOf } from '#base/errno.ts';
import type { Log } from '#base/log.ts';
import type { LanView, NetworkSources } from './lan-view.ts';

/** Keeps the last look at the network; from the first `refresh` on, logs what an interface is when that changes. */
export function createLanWatch(read: () => LanView, log: Log) {
  let view = read();
  let isBlind = false;
  let described = new Map<string, string>();
  const logChanges = (): void => {
    const next = new Map(
      view.interfaces
        .filter(({ name }) => name !== 'lo')
        .map(({ name, isLan, why }) => [name, `${name} is ${isLan ? 'of the LAN' : 'not served'}: ${why}`]),
    );
    for (const [name, line] of next) if (described.get(name) !== line) log.info(line);
    for (const name of described.keys()) if (!next.has(name)) log.info(`${name} is gone`);
    described = next;
  };
  return {
    view: (): LanView => view,
    /** Looks at the network again. If the kernel cannot be asked (no free descriptor), the last view stays. */
    refresh: (): LanView => {
      try {
        view = read();
        isBlind = false;
        logChanges();
      } catch (cause) {
        if (!isBlind) log.error('cannot look at the network interfaces: serving as before', { cause });
        isBlind = true;
      }
      return view;
    },
  };
}

/** The real network of the process's network namespace. */
export const systemSources: NetworkSources = {
  sysClassNet: '/sys/class/net',
  networkInterfaces,
  readProcNet: (name) => {
    try {
      return readFileSync(`/proc/net/${name}`, 'utf8');
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return '';
      throw cause;
    }
  },
};
