import { HubError } from '#base/hub-error.ts';
import type { Guard } from './request-facts.ts';
import type { Authority } from './authority.ts';
import { readAuthority } from './authority.ts';

export type HostRule = {
  /** True for an IP literal of the LAN or of loopback. */
  readonly isLanLiteral: (address: string) => boolean;
  /** The current names of the hub in lower case: of the machine, advertised and configured. */
  readonly names: () => ReadonlySet<string>;
};

/** Zones that no name server of the internet may answer for. */
const HOME_ZONES = ['.home.arpa', '.internal', '.lan', '.home'];

/**
 * The defence against DNS rebinding (N5): a page whose name was made to resolve to the hub's address still sends that
 * name. A public address as the host is the sign of a port forward.
 */
export function createHostGuard(rule: HostRule): Guard {
  return (facts) => {
    const text = facts.header('host');
    // The malformed guard refuses a request without this field.
    if (text === undefined) return undefined;
    const authority = readAuthority(text);
    if (authority === undefined) return new HubError('MALFORMED_REQUEST', 'The header field host is unreadable.');
    if (isHubHost(authority, rule)) return undefined;
    return new HubError(
      'MISDIRECTED_REQUEST',
      'Use the address of the hub in the local network, hearthd.local, or a name from network.hosts of its configuration.',
    );
  };
}

export function isHubHost({ host, isIpv6 }: Authority, rule: HostRule): boolean {
  if (isIpv6 || /^[\d.]+$/.test(host)) return rule.isLanLiteral(host);
  return host === 'localhost' || rule.names().has(host) || HOME_ZONES.some((zone) => host.endsWith(zone));
}
