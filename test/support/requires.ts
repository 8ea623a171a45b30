import { spawnSync } from 'node:child_process';

export type Tool = 'root' | 'mosquitto' | 'chromium' | 'ip' | 'script';

/** True to run, false to skip; with `CI=true` a tool that is missing is a failure, for there nothing is skipped. */
export function needs(tool: Tool): boolean {
  const isThere = tool === 'root' ? process.getuid?.() === 0 : spawnSync('which', [tool]).status === 0;
  if (!isThere && process.env['CI'] === 'true') throw new Error(`CI needs ${tool}, which is not there`);
  return isThere;
}
