import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, hostname, release, totalmem, uptime } from 'node:os';
import { errnoOf } from '#base/errno.ts';
import type { JsonObject } from '#base/json.ts';
import { timeJson } from '#http/answer/time-json.ts';

type SystemInfoDeps = {
  readonly version: string;
  /** A folder on the file system whose free space is reported. */
  readonly stateDir: string;
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  readonly wallMs: () => number;
  readonly isClockSynced: () => boolean;
};

/** The hub's version and machine, as the API writes them. It does not use the storage, so it answers while that hangs. */
export function createSystemInfo(deps: SystemInfoDeps): () => Promise<JsonObject> {
  const { arch, version: node } = process;
  const machine = {
    model: readModel(),
    architecture: arch,
    operating_system: readOperatingSystem(),
    kernel: release(),
    node,
    processors: availableParallelism(),
    memory_bytes: totalmem(),
  };
  return async () => ({
    version: deps.version,
    uptime_seconds: Math.floor(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    machine: { hostname: hostname(), ...machine, uptime_seconds: Math.floor(uptime()) },
    addresses: deps.addresses(),
    clock: { now: timeJson(deps.wallMs()), synced: deps.isClockSynced() },
    disk: await readDisk(deps.stateDir),
  });
}

/** Small boards have it in the device tree, others in the firmware's tables. */
function readModel(): string | null {
  return readLine('/sys/firmware/devicetree/base/model') ?? readLine('/sys/class/dmi/id/product_name');
}

function readOperatingSystem(): string | null {
  const text = readText('/etc/os-release') ?? readText('/usr/lib/os-release') ?? '';
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? null;
}

function readLine(path: string): string | null {
  const [line = ''] = (readText(path) ?? '').split(/[\0\n]/);
  return line.trim() || null;
}

/** Reads a file of the machine; `null` where it has none or does not show it to this user. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) !== undefined) return null;
    throw error;
  }
}

async function readDisk(folder: string): Promise<JsonObject> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return { free_bytes: null, total_bytes: null };
  }
}
