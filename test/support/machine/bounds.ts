import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';

/** In a campaign limits hold. At the gate they are printed: a machine that is busy elsewhere refuses no change. */
const HOLDS = process.env['HEARTHD_CAMPAIGN'] === '1';
/** The share by which what all changes grow together may exceed its budget at the gate. */
const AIR = 0.03;

/**
 * Holds a time, processor time or memory against its limit. `name` says what was measured, with the unit. Throws, at the
 * gate too, for what is no number: then nothing was measured.
 */
export function expectBelow(name: string, value: number, limit: number): void {
  if (!Number.isFinite(value)) throw new Error(`${name}: ${value} was measured`);
  note({ name, value, limit });
  if (HOLDS && !(value < limit)) throw new Error(`${name}: ${value}, which is not below ${limit}`);
}

/** Holds a size in bytes, which is the same on each machine, against a budget that all changes share. */
export function expectWithinBudget(name: string, bytes: number, budget: number): void {
  note({ name, value: bytes, limit: budget });
  if (!(bytes <= budget * (1 + (HOLDS ? 0 : AIR)))) throw new Error(`${name}: ${bytes}, which is more than ${budget}`);
}

/** The runner of the gate and that of campaigns collect figures; a test that is run by hand prints them. */
function note(figure: { readonly name: string; readonly value: number; readonly limit: number }): void {
  const collected = process.env['HEARTHD_FIGURES'];
  if (collected === undefined) {
    process.stdout.write(`FIGURE ${figure.name}: ${Number(figure.value.toPrecision(4))} (limit ${figure.limit})\n`);
    return;
  }
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  appendFileSync(collected, `${JSON.stringify({ file, ...figure })}\n`);
}

/** Returns how many milliseconds have passed since. */
export function startStopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}

/** Returns how many milliseconds of processor this process, all its threads included, has taken since. */
export function startProcessorWatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Bytes of this process: of objects in use, in buffers outside the heap, and of memory that it holds. */
export function readMemory(): { readonly heap: number; readonly outside: number; readonly resident: number } {
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed, outside: arrayBuffers, resident: rss };
}

/** Milliseconds for which this thread had a processor; waiting for one does not count. */
export function onProcessorMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** Watches for the longest stretch of work between two turns of the event loop; `stop` returns it in milliseconds. */
export function watchStalls(): { readonly stop: () => number } {
  let longestMs = 0;
  let lastMs = onProcessorMs();
  let isOn = true;
  const turn = (): void => {
    const nowMs = onProcessorMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop: () => {
      isOn = false;
      return longestMs;
    },
  };
}

/** Milliseconds of processor of another process and all its threads so far, in steps of ten (proc(5), fields 14 and 15). */
export function processorMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Megabytes of memory that another process holds. */
export function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
