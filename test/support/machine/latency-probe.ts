import { Worker } from 'node:worker_threads';

type Sample = { readonly path: string; readonly ms: number; readonly status: number };
export type Latency = { readonly p50: number; readonly p99: number; readonly max: number; readonly count: number };
export type LatencyProbe = {
  /** Ends it; throws where an answer was not 200. */
  readonly end: () => Promise<Latency>;
};

/** Sends small requests to the hub without a break, from a thread of its own. */
export function startLatencyProbe(
  address: string,
  token: string,
  { everyMs, paths = ['/api', '/api/v1/me'] }: { readonly everyMs: number; readonly paths?: readonly string[] },
): LatencyProbe {
  const worker = new Worker(new URL('latency-probe.mjs', import.meta.url), {
    workerData: { address, token, everyMs, paths },
  });
  return {
    end: async () => {
      const samples = await new Promise<readonly Sample[]>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject).postMessage('end');
      });
      const bad = samples.find(({ status }) => status !== 200);
      if (bad !== undefined) throw new Error(`${bad.path} was answered ${bad.status}`);
      const sorted = samples.map(({ ms }) => ms).sort((left, right) => left - right);
      const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
      return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length };
    },
  };
}

export function describeLatency({ p50, p99, max, count }: Latency): string {
  return `${count} requests, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(1)} ms`;
}
