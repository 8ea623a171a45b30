import type { CommandCall } from '#cli/command.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import { runAs } from '#cli/state/run-as.ts';
import { findStateOwner, hasHandIn, type StateOwner } from '#cli/state/state-owner.ts';

/**
 * The hub's user if root must not open this file itself: that user could have made the path lead to a file of root. The
 * file is then opened with the rights of that user.
 */
export async function findFileUser({ loadConfig, place }: CommandCall, file: string): Promise<StateOwner | undefined> {
  const { stateDir } = await loadConfig();
  const owner = findStateOwner(stateDir, place);
  return owner !== undefined && hasHandIn(file, owner) ? owner : undefined;
}

/** Runs the command on this file, and on the hub of this call, with only that user's rights. */
export async function runOnFileAs(user: StateOwner, call: CommandCall, args: readonly string[]): Promise<ExitCode> {
  const { stateDir, runtimeDir } = await call.loadConfig();
  const env = { PATH: call.environment['PATH'], HEARTHD_STATE_DIR: stateDir, HEARTHD_RUNTIME_DIR: runtimeDir };
  return await runAs(user, { program: call.program, terminal: call.terminal, args, env });
}
