import type { NetworkConfig } from '#config/config.ts';
import { readLanView, type NetworkSources } from '#lan/lan-view.ts';
import type { Finding } from './finding.ts';

/** Which addresses the hub serves, and why others not. */
export function checkNetwork(sources: NetworkSources, network: NetworkConfig): Finding {
  const subject = 'network';
  const { addresses, interfaces } = readLanView(sources, network);
  const details = interfaces.map(({ name, isLan, why, onLink }) => {
    const subnets = onLink.length === 0 ? '' : `, ${onLink.join(', ')}`;
    return `${name}: ${isLan ? 'LAN' : 'not the LAN'}, ${why}${subnets}`;
  });
  const unknown = network.interfaces.filter((name) => interfaces.every((one) => one.name !== name));
  details.push(...unknown.map((name) => `${name}: named in network.interfaces, but not there`));
  const served = addresses.filter((one) => one.interface !== 'lo').map(({ address }) => address);
  if (served.length > 0) return { level: 'ok', subject, text: `serves ${served.join(', ')} and loopback`, details };
  const advice =
    'connect the machine to the LAN; an interface that is not recognised can be named in network.interfaces';
  return { level: 'warn', subject, text: 'no LAN address, serves loopback only', advice, details };
}
