import type { Config } from '#config/config.ts';
import type { Finding } from './finding.ts';
import { findPortHolders, type PortHolder } from './port-holder.ts';

/** Whether the API's port is the hub's, or free for it. `hubPid` is the running hub's. */
export function checkPort({ port, file }: Pick<Config, 'port' | 'file'>, hubPid: number | null): Finding {
  const subject = 'port';
  const holders = port === 0 ? [] : findPortHolders(port);
  const others = holders.filter(({ pid }) => pid !== hubPid || pid === null);
  if (holders.length === 0) {
    if (hubPid === null || port === 0) return { level: 'ok', subject, text: `${port} is free` };
    const text = `the hub is running, but nobody listens on ${port}`;
    const advice = 'the machine has no LAN address, the unit keeps the port shut, or the hub was started with another';
    return { level: 'warn', subject, text, advice };
  }
  if (others.length === 0) return { level: 'ok', subject, text: `${port} is held by the hub` };
  const who = others.map(describeHolder).join(' and ');
  if (hubPid !== null && others.every(({ pid }) => pid === null)) {
    return { level: 'ok', subject, text: `${port} is held by ${who}, likely the hub` };
  }
  const units = [...new Set(others.flatMap(({ unit }) => unit ?? []))];
  const stop = units.length === 0 ? 'stop it' : `systemctl disable --now ${units.join(' ')}`;
  const advice = `${stop}, or set another port in ${file ?? '/etc/hearthd/hearthd.toml'}`;
  return { level: 'fail', subject, text: `${port} is held by ${who}`, advice };
}

function describeHolder({ pid, name, unit }: PortHolder): string {
  if (pid === null) return 'a process of another user';
  return `${name ?? 'a process'} (process ${pid}${unit === null ? '' : `, ${unit}`})`;
}
