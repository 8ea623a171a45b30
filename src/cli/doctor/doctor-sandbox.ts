import { isIP } from 'node:net';
import { readBrokerUrl } from '#base/broker-url.ts';
import type { Config } from '#config/config.ts';
import { formatSubnet, isInSubnet, readSubnet } from '#base/ip-address.ts';
import type { UnitState } from '#systemd/unit-state.ts';
import type { Finding } from '#core/past/hour/history-check.ts';
import { namedBroker } from './named-broker.ts';

const subject = 'sandbox';
const OWN_STATE = '/var/lib/hearthd';
/** The unit does not see these folders: `ProtectHome=`, `PrivateTmp=`. */
const HIDDEN = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];

type Need = { readonly line: string; readonly what: string };

/** Finds what the configuration needs but the unit does not allow, with the lines that allow it. */
export function checkSandbox(config: Config, unit: UnitState): Finding[] {
  const needs = [...portNeeds(config, unit), ...subnetNeeds(config, unit), ...folderNeeds(config, unit)];
  const findings: Finding[] = [];
  if (needs.length > 0) {
    const text = `the unit does not allow what the configuration needs: ${needs.map(({ what }) => what).join(', ')}`;
    const advice = 'systemctl edit hearthd, insert these lines, then systemctl restart hearthd';
    findings.push({ level: 'fail', subject, text, advice, details: ['[Service]', ...needs.map(({ line }) => line)] });
  }
  const { key, value: passwordFile } = namedBroker(config).passwordFile;
  if (passwordFile !== null && HIDDEN.some((folder) => passwordFile.startsWith(`${folder}/`))) {
    const text = `the unit hides ${passwordFile}`;
    const advice = `move the password to /etc/hearthd, readable for the group hearthd, and correct ${key}`;
    findings.push({ level: 'fail', subject, text, advice });
  }
  return findings.length > 0 ? findings : [{ level: 'ok', subject, text: 'allows what the configuration needs' }];
}

function portNeeds({ port }: Config, { ports }: UnitState): Need[] {
  if (port === 0 || ports === null || ports.some(([from, to]) => from <= port && port <= to)) return [];
  return [{ line: `SocketBindAllow=tcp:${port}`, what: `port ${port}` }];
}

function subnetNeeds(config: Config, { subnets }: UnitState): Need[] {
  if (subnets === null) return [];
  const { network } = config;
  const { value: url } = namedBroker(config).url;
  const wanted: [subnet: string, what: string][] = [];
  if (network.allowGua) wanted.push(['2000::/3', 'network.allow_gua']);
  if (network.allowCgnat) wanted.push(['100.64.0.0/10', 'network.allow_cgnat']);
  for (const subnet of network.extraSubnets) wanted.push([subnet, `${subnet} of network.extra_subnets`]);
  const broker = url === null ? '' : (readBrokerUrl(url)?.host ?? '');
  const version = isIP(broker);
  if (version !== 0) wanted.push([`${broker}/${version === 4 ? 32 : 128}`, `the broker at ${broker}`]);
  return wanted
    .filter(([subnet]) => !subnets.some((open) => isWithin(subnet, open)))
    .map(([subnet, what]) => ({ line: `IPAddressAllow=${plainSubnet(subnet)}`, what }));
}

/** systemd takes `::ffff:10.0.0.0/104` for a subnet of IPv6, which does not allow 10.0.0.0/8. */
function plainSubnet(text: string): string {
  const subnet = readSubnet(text);
  return subnet === undefined ? text : formatSubnet(subnet);
}

function isWithin(subnet: string, other: string): boolean {
  const [inner, outer] = [readSubnet(subnet), readSubnet(other)];
  if (inner === undefined || outer === undefined) return false;
  return inner.prefix >= outer.prefix && isInSubnet(inner.address, outer);
}

function folderNeeds({ stateDir }: Config, { writable }: UnitState): Need[] {
  const isWritable = [OWN_STATE, ...writable].some((folder) => `${stateDir}/`.startsWith(`${folder}/`));
  return isWritable ? [] : [{ line: `ReadWritePaths=${stateDir}`, what: `the state folder ${stateDir}` }];
}
