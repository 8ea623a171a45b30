import { expect, vi } from 'vitest';
import type { HubProcess } from '#test/support/daemon/hub-process.ts';

/** Memory in use after a garbage collection, buffers and all, in MiB, of a hub that has loaded `fast-time.mjs`. */
export async function heapMb(hub: HubProcess): Promise<number> {
  const lines = (): readonly string[] => hub.stderr().match(/^soak .*$/gm) ?? [];
  const known = lines().length;
  process.kill(hub.pid, 'SIGUSR2');
  await vi.waitFor(() => expect(lines().length).toBeGreaterThan(known), { timeout: 10_000, interval: 20 });
  const { heapUsed, external } = JSON.parse(lines().at(-1)?.slice(5) ?? '') as NodeJS.MemoryUsage;
  return (heapUsed + external) / 2 ** 20;
}
