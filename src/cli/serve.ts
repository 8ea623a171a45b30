import { systemClock } from '#base/time/clock.ts';
import { createLog, type Log, type LogLevel } from '#base/log.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { Config } from '#config/config.ts';
import type { Daemon } from '#daemon';
import { startStorageAhead } from '#storage/thread/storage-start.ts';
import { isStderrJournal } from '#systemd/journal.ts';
import { createNotifier } from '#systemd/notify.ts';
import { createService } from '#systemd/service.ts';
import { readWatchdogMs } from '#systemd/watchdog.ts';
import type { CommandCall } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { runHub } from './run-hub.ts';
import { runAs } from '#cli/state/run-as.ts';
import { findStateOwner, type StateOwner } from '#cli/state/state-owner.ts';
import { publicCommand } from './typed-command.ts';

const STOP_WITHIN_MS = 2_900;
/** Variables of root's environment that the hub gets, in addition to those that configure it. */
const PASSED_ON = new Set(['PATH', 'TZ', 'NODE_EXTRA_CA_CERTS']);

/** Runs the hub until SIGTERM or SIGINT; on SIGHUP it reads the network again. */
export async function serve(call: CommandCall): Promise<ExitCode> {
  const { environment, terminal, version } = call;
  const config = await call.loadConfig();
  const owner = findStateOwner(config.stateDir, call.place);
  if (owner !== undefined) return await serveAs(owner, call, config);
  const log = createServiceLog(config.logLevel, environment);
  const systemdLog = log.part('systemd');
  const notifier = createNotifier({ environment, pid: process.pid, log: systemdLog });
  return await runHub({
    start: () => startHub(call, config, log),
    signals: process,
    service: createService({
      notifier,
      watchdogMs: readWatchdogMs(environment, process.pid),
      startTimer: startSystemTimer,
      monotonicMs: systemClock.monotonicMs,
      monotonicUsec: () => process.hrtime.bigint() / 1000n,
      log: systemdLog,
    }),
    log,
    print: terminal.print,
    version,
    stopWithinMs: STOP_WITHIN_MS,
  });
}

/** If root starts the hub by hand on the state of another user, it runs as that user, as the service does. */
async function serveAs(
  owner: StateOwner,
  call: CommandCall,
  { file, stateDir, runtimeDir }: Config,
): Promise<ExitCode> {
  const args = ['serve', ...(file === null ? [] : ['--config', file])];
  const given = Object.entries(call.environment).filter(([name]) => name.startsWith('HEARTHD_') || PASSED_ON.has(name));
  const env = { ...Object.fromEntries(given), HEARTHD_STATE_DIR: stateDir, HEARTHD_RUNTIME_DIR: runtimeDir };
  return await runAs(owner, { program: call.program, terminal: call.terminal, args, env, isHub: true });
}

/** Opens the database while most of the program is still being evaluated. */
async function startHub({ place, program, terminal, version }: CommandCall, config: Config, log: Log): Promise<Daemon> {
  const storage = startStorageAhead({
    threadUrl: new URL('storage-thread.mjs', program),
    folders: { state: config.stateDir, runtime: config.runtimeDir },
    log: log.part('storage'),
  });
  try {
    const { startDaemon } = await import('#daemon');
    return await startDaemon({
      config,
      version,
      hubCommand: publicCommand(place, config),
      bundleUrl: program,
      openStorage: storage.open,
      log,
      announceClaimCode: (code) => terminal.print(`The hub has no owner yet. Claim code: ${code}`),
    });
  } catch (cause) {
    await storage.abandon();
    throw cause;
  }
}

/** The hub's log on stderr; in the journal's format if stderr is the journal. */
function createServiceLog(level: LogLevel, environment: Readonly<Record<string, string | undefined>>): Log {
  const journal = isStderrJournal(environment);
  return createLog({ level, journal, write: (text) => void process.stderr.write(text), wallMs: systemClock.wallMs });
}
