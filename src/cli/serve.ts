import { startDaemon } from '#daemon';
import type { CommandCall } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { runHub } from './run-hub.ts';
import { createServiceLog } from './service-log.ts';

const STOP_WITHIN_MS = 2_900;

/** Runs the hub until SIGTERM or SIGINT; SIGHUP makes it look at the network anew. */
export async function serve(call: CommandCall): Promise<ExitCode> {
  const { environment, program, terminal, version } = call;
  const config = await call.loadConfig();
  const log = createServiceLog(config.logLevel, environment);
  return await runHub({
    start: () =>
      startDaemon({
        config,
        version,
        bundleUrl: program,
        log,
        announceClaimCode: (code) => terminal.print(`The hub has no owner yet. Claim code: ${code}`),
      }),
    signals: process,
    log,
    print: terminal.print,
    version,
    stopWithinMs: STOP_WITHIN_MS,
  });
}
