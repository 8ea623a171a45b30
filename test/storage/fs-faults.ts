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

export type FileWatch = {
  readonly operations: () => number;
  readonly bytesWritten: () => number;
  readonly fsyncs: () => number;
  readonly stop: () => void;
};

/** Counts the synchronous file operations of this thread and lets one of them go wrong, until stopped. */
export function watchFiles(fault?: Fault): FileWatch {
  const target = fs as unknown as Record<string, Call>;
  const originals = new Map<string, Call>();
  const names = fault?.kind === 'fail' ? [...CHANGES, ...READS] : CHANGES;
  let operations = 0;
  let bytesWritten = 0;
  let fsyncs = 0;
  for (const name of names) {
    const original = target[name] as Call;
    originals.set(name, original);
    target[name] = (...args) => {
      operations += 1;
      const hit = fault !== undefined && (fault.kind === 'kill' ? operations >= fault.at : operations === fault.at);
      if (hit) throw errnoError(fault.kind === 'fail' ? fault.code : 'EIO', name);
      const answer = original(...args);
      if (name === 'writeSync') bytesWritten += Number(answer);
      if (name === 'fsyncSync') fsyncs += 1;
      return answer;
    };
  }
  syncBuiltinESMExports();
  return {
    operations: () => operations,
    bytesWritten: () => bytesWritten,
    fsyncs: () => fsyncs,
    stop: () => {
      for (const [name, original] of originals) target[name] = original;
      syncBuiltinESMExports();
    },
  };
}

/** Runs synchronous work under watch; its error is a result. */
export function withFault<Result>(fault: Fault | undefined, work: () => Result): FaultRun<Result> {
  const watch = watchFiles(fault);
  const counts = () => ({ operations: watch.operations(), bytesWritten: watch.bytesWritten() });
  try {
    const result = work();
    return { result, error: undefined, ...counts() };
  } catch (error) {
    return { result: undefined, error, ...counts() };
  } finally {
    watch.stop();
  }
}

function errnoError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${syscall}`), { code, syscall, errno: -5 });
}
