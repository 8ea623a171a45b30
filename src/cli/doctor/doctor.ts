import { systemClock } from '#base/time/clock.ts';
import type { Config } from '#config/config.ts';
import { systemSources } from '#lan/lan-watch.ts';
import { readUnitState } from '#systemd/unit-state.ts';
import type { CommandCall } from '#cli/command.ts';
import { checkBroker } from './doctor-broker.ts';
import { checkHistory } from './doctor-history.ts';
import { checkHub } from './doctor-hub.ts';
import { checkClock, checkConfiguration, checkStateFolder } from './doctor-machine.ts';
import { checkOwner } from './doctor-owner.ts';
import { checkNetwork, checkPort } from './doctor-network.ts';
import { checkSandbox } from './doctor-sandbox.ts';
import { checkService, UNIT } from './doctor-service.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { describeFinding, type Finding } from './finding.ts';
import { typedCommand } from '#cli/typed-command.ts';

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

/** Folder of the control socket of the hub that the package installed. */
const SYSTEM_RUNTIME = '/run/hearthd';

async function installedFindings(config: Config): Promise<Finding[]> {
  const unit = await readUnitState(UNIT);
  if (unit === undefined) return checkOwner(config);
  return [...checkOwner(config), checkService(unit), ...checkSandbox(config, unit)];
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
  if (hub.pid === null || config.sources['mqtt.url'].kind !== 'default') yield await checkBroker(config.mqtt);
  yield* hub.findings;
  if (isOfSystem) yield* await installedFindings(config);
  yield checkPort(config, hub.pid);
}
