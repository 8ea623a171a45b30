import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CHANGES = [
  'openSync',
  'writeSync',
  'writeFileSync',
  'ftruncateSync',
  'fsyncSync',
  'mkdirSync',
  'rmdirSync',
  'rmSync',
  'unlinkSync',
  'renameSync',
  'linkSync',
  'copyFileSync',
  'chmodSync',
] as const;
const READS = ['readSync', 'readFileSync', 'statSync', 'lstatSync', 'fstatSync', 'readdirSync', 'statfsSync'] as const;

type Call = (...args: unknown[]) => unknown;
export type FaultRun<Result> = {
  readonly result: Result | undefined;
  readonly error: unknown;
  /** File operations that were counted. */
  readonly operations: number;
  readonly bytesWritten: number;
};
export type Fault =
  /** The n-th operation and everything after it has no effect: what is on disk then is what a killed process leaves. */
  | { readonly kind: 'kill'; readonly at: number }
  /** The n-th operation alone fails. */
  | { readonly kind: 'fail'; readonly at: number; readonly code: string };

/** Runs `work` while file operations are counted and one of them goes wrong. Only synchronous work is seen whole. */
export function withFault<Result>(fault: Fault | undefined, work: () => Result): FaultRun<Result> {
  const target = fs as unknown as Record<string, Call>;
  const originals = new Map<string, Call>();
  const names = fault?.kind === 'fail' ? [...CHANGES, ...READS] : CHANGES;
  let operations = 0;
  let bytesWritten = 0;
  for (const name of names) {
    const original = target[name] as Call;
    originals.set(name, original);
    target[name] = (...args) => {
      operations += 1;
      const hit = fault !== undefined && (fault.kind === 'kill' ? operations >= fault.at : operations === fault.at);
      if (hit) throw errnoError(fault.kind === 'fail' ? fault.code : 'EIO', name);
      const answer = original(...args);
      if (name === 'writeSync') bytesWritten += Number(answer);
      return answer;
    };
  }
  syncBuiltinESMExports();
  const outcome: { result: Result | undefined; error: unknown } = { result: undefined, error: undefined };
  try {
    outcome.result = work();
  } catch (cause) {
    outcome.error = cause;
  } finally {
    for (const [name, original] of originals) target[name] = original;
    syncBuiltinESMExports();
  }
  return { ...outcome, operations, bytesWritten };
}

function errnoError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${syscall}`), { code, syscall, errno: -5 });
}
