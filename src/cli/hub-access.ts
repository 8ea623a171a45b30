import { controlSocketPath, type Config } from '#config/config.ts';
import { connectControl } from '#control/control-client.ts';
import type { HubAdmin } from '#control/hub-admin.ts';

/** Runs an administrator's task on the running hub, or on its state where no hub runs. */
export async function withHubAdmin<Result>(
  config: Config,
  task: (admin: HubAdmin) => Promise<Result>,
): Promise<Result> {
  const running = await connectControl(controlSocketPath(config));
  if (running !== undefined) return await task(running);
  // Loaded only here: most calls go to a running hub and need none of its parts.
  const { openOfflineAdmin } = await import('./offline-admin.ts');
  const offline = await openOfflineAdmin(config);
  try {
    return await task(offline.admin);
  } finally {
    await offline.close();
  }
}
