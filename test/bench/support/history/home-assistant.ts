import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SeriesDescription } from '#core/past/history/sample.ts';
import type { Day } from './day-writes.ts';

/** What the recorder of Home Assistant did with a day. */
export type Recorded = {
  readonly bytes: number;
  readonly fsyncs: number;
  readonly version: string;
  readonly changes: number;
  readonly rows: Readonly<Record<string, number>>;
};

const UNITS: Readonly<Record<string, { readonly unit: string; readonly deviceClass: string }>> = {
  celsius: { unit: '°C', deviceClass: 'temperature' },
  ppm: { unit: 'ppm', deviceClass: 'carbon_dioxide' },
  watt: { unit: 'W', deviceClass: 'power' },
  kilowatt_hour: { unit: 'kWh', deviceClass: 'energy' },
};
const CLASSES: Readonly<Record<string, string>> = {
  humidity: 'humidity',
  battery: 'battery',
  motion: 'motion',
  open: 'door',
};

/**
 * Runs the recorder of Home Assistant over a day, with `python` of an environment that has `home-assistant-requirements.txt`. Its write and
 * sync calls on its database are counted by strace.
 */
export async function recordWithHomeAssistant(python: string, day: Day, folder: string): Promise<Recorded> {
  const changes = join(folder, 'changes.jsonl');
  await writeChanges(changes, day);
  const traced = ['-f', '-y', '-s', '0', '--seccomp-bpf', '-e', 'trace=write,pwrite64,fsync,fdatasync'];
  const program = [python, join(import.meta.dirname, 'home-assistant.py'), changes, folder];
  const child = spawn('strace', [...traced, '-o', '|cat >&3', ...program], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  let said = '';
  let problems = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (problems = (problems + chunk.toString()).slice(-4_000)));
  const counted = await countCalls(child.stdio[3] as NodeJS.ReadableStream);
  const [code] = (await gone) as [number | null];
  if (code !== 0) throw new Error(`Home Assistant ended with ${code}: ${said}${problems}`);
  return { ...counted, ...(JSON.parse(said) as Omit<Recorded, 'bytes' | 'fsyncs'>) };
}

async function writeChanges(path: string, { series, changes }: Day): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${JSON.stringify(series.map(entityOf))}\n`);
  for (const { series: number, atMs, value } of changes) {
    const state = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
    file.write(`[${number},${atMs},"${state}"]\n`);
  }
  file.end();
  await once(file, 'finish');
}

function entityOf({ name, kind, unit }: SeriesDescription, index: number): object {
  const key = name.slice(name.indexOf('/') + 1);
  const domain = kind !== 'state' ? 'sensor' : key === 'on' ? 'switch' : 'binary_sensor';
  const known = UNITS[unit ?? ''];
  return {
    id: `${domain}.${key}_${index}`,
    unit: unit === null ? null : (known?.unit ?? '%'),
    state_class: kind === 'state' ? null : kind === 'counter' ? 'total_increasing' : 'measurement',
    device_class: known?.deviceClass ?? CLASSES[key] ?? null,
    name: `Device ${index + 1} ${key}`,
  };
}

/** A call that another thread interrupted has its result on a later line, which names no file. */
async function countCalls(trace: NodeJS.ReadableStream): Promise<{ readonly bytes: number; readonly fsyncs: number }> {
  let [bytes, fsyncs, isCounting] = [0, 0, false];
  const unfinished = new Set<string>();
  for await (const line of createInterface({ input: trace })) {
    const [thread = ''] = line.split(' ', 1);
    const call = /^\d+ +(\w+)\(\d+<([^>]*)>/.exec(line);
    if (call !== null && call[1]?.endsWith('sync') === true) {
      if (call[2]?.endsWith('/begin') === true) isCounting = true;
      else if (call[2]?.endsWith('/end') === true) isCounting = false;
      else if (isCounting && isDatabase(call[2])) fsyncs += 1;
      continue;
    }
    if (!isCounting) continue;
    if (call !== null && isDatabase(call[2]) && line.endsWith('<unfinished ...>')) unfinished.add(thread);
    const isOurs = call === null ? / resumed>/.test(line) && unfinished.delete(thread) : isDatabase(call[2]);
    if (isOurs) bytes += Number(/ = (\d+)$/.exec(line)?.[1] ?? 0);
  }
  return { bytes, fsyncs };
}

function isDatabase(path: string | undefined): boolean {
  return path?.includes('/home-assistant_v2.db') === true;
}
