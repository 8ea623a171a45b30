import { controlSocketPath, type Config } from '#config/config.ts';
import { connectControl } from '#control/control-client.ts';
import type { HubAdmin } from '#control/hub-admin.ts';
import { CliError, EXIT } from './exit-code.ts';

/** Runs an administrator's task on the running hub. */
export async function withHubAdmin<Result>(
  config: Config,
  task: (admin: HubAdmin, isRunning: boolean) => Promise<Result>,
): Promise<Result> {
  const running = await connectControl(controlSocketPath(config));
  if (running === undefined) throw new CliError(EXIT.unavailable, `no hub is running on ${config.stateDir}`);
  return await task(running, true);
}
