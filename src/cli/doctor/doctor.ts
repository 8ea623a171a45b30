import { systemClock } from '#base/time/clock.ts';
import type { Config, NetworkConfig } from '#config/config.ts';
import { systemSources } from '#lan/lan-watch.ts';
import { readUnitState, type UnitState } from '#systemd/unit-state.ts';
import type { CommandCall } from '#cli/command.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { typedCommand } from '#cli/typed-command.ts';
import { parseJson } from '#base/json.ts';
import type { Finding } from '#core/past/hour/history-check.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { connect } from 'node:net';
import { type BrokerAddress, readBrokerUrl } from '#base/broker-url.ts';
import { codeOf, errnoOf } from '#base/errno.ts';
import { readLanView, type NetworkSources } from '#lan/lan-view.ts';
import { dirname } from 'node:path';
import { findForeign } from '#cli/state/foreign-files.ts';
import { rightsOf } from '#cli/state/run-as.ts';
import { checkHub } from './doctor-hub.ts';
import { checkClock, checkConfiguration, checkStateFolder } from './doctor-machine.ts';
import { checkSandbox } from './doctor-sandbox.ts';
import { type NamedBroker, namedBroker } from './named-broker.ts';
import { findPortHolders, type PortHolder } from './port-holder.ts';
import { escapeControls } from '#base/log.ts';

/** Folder of the control socket of the hub that the package installed. */
const SYSTEM_RUNTIME = '/run/hearthd';
/** No line with a finding is as long. */
const MAX_LINE = 1024 ** 2;
const UNIT = 'hearthd.service';
const LOG = `journalctl -u ${UNIT} -n 50`;
const CONNECT_WAIT_MS = 3000;
const BROKER_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the machine is there, the broker is not',
  EHOSTUNREACH: 'the machine does not answer',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'the name could not be looked up',
};
const SHOWN_FILES = 5;

/** Runs every check, even after a failed one; 69 if one failed. */
export async function doctor(call: CommandCall): Promise<ExitCode> {
  if (call.flag('history') || call.flag('repair')) return checkHistory(call);
  const { terminal } = call;
  const config = await call.loadConfig();
  let failed = false;
  for await (const finding of findings(call, config)) {
    failed ||= finding.level === 'fail';
    describeFinding(finding).forEach(terminal.print);
  }
  return failed ? EXIT.unavailable : EXIT.ok;
}

async function installedFindings(config: Config): Promise<Finding[]> {
  const unit = await readUnitState(UNIT);
  const ofOwner = checkOwner(config, namedBroker(config));
  if (unit === undefined) return ofOwner;
  return [...ofOwner, checkService(unit), ...checkSandbox(config, unit)];
}

async function* findings(call: CommandCall, config: Config): AsyncGenerator<Finding> {
  const { arch, platform, version: node } = process;
  const isOfSystem = config.runtimeDir === SYSTEM_RUNTIME;
  yield { level: 'ok', subject: 'program', text: `hearthd ${call.version}, Node ${node}, ${platform} ${arch}` };
  yield checkConfiguration(config);
  yield checkStateFolder(config);
  yield await checkClock(systemClock.wallMs());
  yield checkNetwork(systemSources, config.network);
  const hub = await checkHub(
    call,
    isOfSystem ? 'systemctl start hearthd' : `${typedCommand(call.place, config)} serve`,
  );
  // Only the running hub knows an address that was set over the API; it reports the state of its broker itself.
  const broker = namedBroker(config);
  if (hub.pid === null || config.sources[broker.url.key].kind !== 'default') yield await checkBroker(broker);
  yield* hub.findings;
  if (isOfSystem) yield* await installedFindings(config);
  yield checkPort(config, hub.pid);
}

/** Reads all of the history, prints each finding as it comes, and returns 69 if something is wrong. */
async function checkHistory(call: CommandCall): Promise<ExitCode> {
  const { terminal } = call;
  let hasFailed = false;
  await withHubAdmin(call, async (admin) => {
    for await (const line of linesOf(await admin.checkHistory({ repairs: call.flag('repair') }))) {
      // Both ends are the same program. An empty line says that the check goes on.
      const finding = parseJson(line) as unknown as Finding | undefined;
      if (finding === undefined) continue;
      hasFailed ||= finding.level === 'fail';
      describeFinding(finding).forEach(terminal.print);
    }
  });
  return hasFailed ? EXIT.unavailable : EXIT.ok;
}

async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of content) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
    text = lines.pop() ?? '';
    if (text.length > MAX_LINE) throw new Error('the hub sends a line that no finding has');
    yield* lines;
  }
}

/** The state of the hub's unit in systemd. */
export function checkService({ active, sub, result, exitStatus, restarts, statusText, file }: UnitState): Finding {
  const subject = 'service';
  const ended = result === 'exit-code' ? `exit code ${exitStatus}` : result;
  if (active === 'failed') {
    // The configuration is good by now: a bad one would have ended this program before.
    const advice = exitStatus === EXIT.config ? `${LOG}, then systemctl restart hearthd` : LOG;
    return { level: 'fail', subject, text: `failed (${ended})`, advice };
  }
  if (sub === 'auto-restart' || sub === 'auto-restart-queued') {
    const text = `keeps ending (${ended}), restarted ${times(restarts)}`;
    return { level: 'fail', subject, text, advice: LOG };
  }
  if (file === 'masked') {
    return { level: 'warn', subject, text: 'is masked', advice: 'systemctl unmask hearthd' };
  }
  if (active === 'inactive') {
    const advice = `systemctl ${file === 'enabled' ? 'start' : 'enable --now'} hearthd`;
    return { level: 'warn', subject, text: 'is stopped', advice };
  }
  const text = [active, statusText].filter((part) => part !== '').join(', ');
  if (file !== 'enabled') {
    const advice = 'systemctl enable hearthd';
    return { level: 'warn', subject, text: `${text}, but is not started with the machine`, advice };
  }
  return {
    level: 'ok',
    subject,
    text: restarts === 0 ? text : `${text}; restarted ${times(restarts)} since its start`,
  };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Whether the MQTT broker's address accepts connections, and whether the password can be read. */
export async function checkBroker(broker: NamedBroker): Promise<Finding> {
  const { name: subject, passwordFile, users } = broker;
  const { key, value: url } = broker.url;
  if (url === null) return { level: 'ok', subject, text: 'off' };
  if (passwordFile.value !== null) {
    try {
      accessSync(passwordFile.value, constants.R_OK);
    } catch (error) {
      const text = `the password file ${passwordFile.value} cannot be read (${errnoOf(error)})`;
      return { level: 'fail', subject, text, advice: `correct ${passwordFile.key} or the rights of the file` };
    }
  }
  const address = readBrokerUrl(url);
  if (address === undefined) throw new Error(`not the URL of a broker: ${url}`);
  const problem = await tryConnect(address);
  if (problem === undefined) return { level: 'ok', subject, text: `${url} accepts connections` };
  const advice = `start the broker or correct ${key}; without ${users.join(' and ')} set ${key} to off`;
  const reason = BROKER_REASONS[problem] === undefined ? problem : `${BROKER_REASONS[problem]}, ${problem}`;
  return { level: 'warn', subject, text: `${url} cannot be reached (${reason})`, advice };
}

/** The reason why not, or `undefined` when it connects. */
async function tryConnect({ host, port }: BrokerAddress): Promise<string | undefined> {
  const socket = connect({ host, port, timeout: CONNECT_WAIT_MS });
  const problem = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('timeout', () => resolve(`no answer within ${CONNECT_WAIT_MS / 1000} s`));
    // For a name with several addresses it is an AggregateError, which has a code but neither `syscall` nor message.
    socket.once('error', (error) => resolve(codeOf(error) ?? error.message));
  });
  socket.destroy();
  return problem;
}

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

/** Whether the user of the hub can read and write its files: root, who may be running this, always can. */
export function checkOwner(
  { stateDir }: Pick<Config, 'stateDir'>,
  { name: subject, passwordFile: { value: passwordFile } }: Pick<NamedBroker, 'name' | 'passwordFile'>,
): Finding[] {
  const owner = find(stateDir);
  if (owner === undefined || owner.uid === 0) return [];
  const findings: Finding[] = [];
  const foreign = findForeign(stateDir, owner.uid);
  if (foreign.length > 0) {
    const text = `${foreign.length} of its files belong to other users`;
    const advice = `chown -R --reference=${stateDir} ${stateDir}, then systemctl restart hearthd`;
    findings.push({ level: 'fail', subject: 'state folder', text, advice, details: foreign.slice(0, SHOWN_FILES) });
  }
  if (passwordFile !== null && !canRead(passwordFile, owner)) {
    const text = `the user of the hub cannot read the password file ${passwordFile}`;
    const advice = `chgrp ${owner.gid} ${passwordFile} && chmod 640 ${passwordFile}`;
    findings.push({ level: 'fail', subject, text, advice });
  }
  return findings;
}

/** Judges by the modes of the file and its folders; `true` for a missing file, which another check reports. */
function canRead(path: string, user: Stats): boolean {
  const file = find(path);
  if (file === undefined) return true;
  let isReached = (rightsOf(file, user) & 0o4) !== 0;
  for (let folder = dirname(path); isReached && folder !== dirname(folder); folder = dirname(folder)) {
    const stats = find(folder);
    isReached = stats === undefined || (rightsOf(stats, user) & 0o1) !== 0;
  }
  return isReached;
}

/** Files come and go during the check, and some can be read only by root. */
function find(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}

function describeFinding({ level, subject, text, advice, details = [] }: Finding): string[] {
  const lines = [`${level.padEnd(4)}  ${subject}: ${text}`];
  if (advice !== undefined) lines.push(`      → ${advice}`);
  lines.push(...details.map((detail) => `      ${detail}`));
  return lines.map(escapeControls);
}
