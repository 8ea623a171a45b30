import { readHost, readHostPort } from '#base/network/host-port.ts';
import type { Instance } from '#core/integration/instance.ts';
import { createLanClient, type LanClient, type LanClientDeps } from '#lan/client/lan-client.ts';

type NetworkPorts = Omit<LanClient, 'close'>;

/** Opens the network for one run of an instance or one set-up; all of it ends with the signal. */
export type OpenNetwork = (mayReachHub: (host: string) => boolean, signal: AbortSignal) => NetworkPorts;

export function createNetworkOpener(deps: Pick<LanClientDeps, 'findAddresses' | 'startTimer' | 'random'>): OpenNetwork {
  return (mayReachHub, signal) => {
    const { close, ...ports } = createLanClient({ ...deps, mayReachHub, keepAlive: true });
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return ports;
  };
}

/**
 * Under which hosts an instance may reach the hub itself: those in its settings, if an owner or the configuration gave
 * them. What a device or a redirect names is never among them.
 */
export function createHubHosts({
  mayReachHub,
  settings,
}: Pick<Instance, 'mayReachHub' | 'settings'>): (host: string) => boolean {
  if (!mayReachHub) return () => false;
  const hosts = new Set(Object.values(settings).flatMap(hostsIn));
  return (host) => hosts.has(readHost(host) ?? host);
}

/** The host of a setting that is a host, with a port or without, or a URL. */
function hostsIn(setting: unknown): readonly string[] {
  if (typeof setting !== 'string') return [];
  const ofUrl = URL.canParse(setting) ? readHost(new URL(setting).hostname.replace(/^\[(.*)\]$/, '$1')) : undefined;
  const host = readHostPort(setting)?.host ?? ofUrl;
  return host === undefined ? [] : [host];
}
