import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of processor that all threads of a process had so far; finer than the hundredths of /proc/PID/stat. */
export function cpuUs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + Number(onCpuNs(`${tasks}/${task}/schedstat`)) / 1_000, 0);
}

/** The same of the first thread alone, which answers requests. */
export function mainThreadUs(pid: number): number {
  return threadUs(pid, pid);
}

/** The same of one thread. */
export function threadUs(pid: number, threadId: number): number {
  return Number(onCpuNs(`/proc/${pid}/task/${threadId}/schedstat`)) / 1_000;
}

/** Resident memory. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

function onCpuNs(path: string): string {
  return readFileSync(path, 'utf8').split(' ')[0] ?? '';
}
