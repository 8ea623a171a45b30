import type { Config, NetworkConfig } from '#config/config.ts';
import { readLanView, type NetworkSources } from '#lan/lan-view.ts';
import type { Finding } from './finding.ts';
import { findPortHolders, type PortHolder } from './port-holder.ts';

/** Which addresses the hub serves, and why it does not serve others. */
export function checkNetwork(sources: NetworkSources, network: NetworkConfig): Finding {
  const subject = 'network';
  const { addresses, interfaces } = readLanView(sources, network);
  const details = interfaces.map(({ name, isLan, why, onLink }) => {
    const subnets = onLink.length === 0 ? '' : `, ${onLink.join(', ')}`;
    return `${name}: ${isLan ? 'LAN' : 'not the LAN'}, ${why}${subnets}`;
  });
  const unknown = network.interfaces.filter((name) => interfaces.every((one) => one.name !== name));
  details.push(...unknown.map((name) => `${name}: named in network.interfaces, but does not exist`));
  const served = addresses.filter((one) => one.interface !== 'lo').map(({ address }) => address);
  if (served.length > 0) return { level: 'ok', subject, text: `serves ${served.join(', ')} and loopback`, details };
  const advice =
    'connect the machine to the LAN; an interface that is not recognised can be named in network.interfaces';
  return { level: 'warn', subject, text: 'no LAN address, serves loopback only', advice, details };
}

/** Whether the hub has the API's port, or the port is free. `hubPid` is the process of the running hub. */
export function checkPort({ port, file }: Pick<Config, 'port' | 'file'>, hubPid: number | null): Finding {
  const subject = 'port';
  const holders = port === 0 ? [] : findPortHolders(port);
  const others = holders.filter(({ pid }) => pid !== hubPid || pid === null);
  if (holders.length === 0) {
    if (hubPid === null || port === 0) return { level: 'ok', subject, text: `${port} is free` };
    const text = `the hub is running, but no program listens on ${port}`;
    const advice =
      'the machine has no LAN address, the unit does not allow this port, or the hub was started with another port';
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
