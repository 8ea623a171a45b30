import { HubError } from '#base/hub-error.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';

export type UploadPaceDeps = Pick<Clock, 'monotonicMs'> & { readonly startTimer: StartTimer };

/** A weak Wi-Fi carries many times this. */
const BYTES = 64 * 1024;
const FOR_BYTES_MS = 10_000;
const IN_ALL_MS = 600_000;

/**
 * The same content, with a lowest speed: each 64 KiB must come within 10 s, all of it within 10 min, or it throws
 * HubError REQUEST_TIMEOUT. Only the time spent waiting for the client counts towards the 10 s, not the hub's slow disk.
 */
export async function* paceUpload(
  content: AsyncIterable<Uint8Array>,
  { startTimer, monotonicMs }: UploadPaceDeps,
): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  const endMs = monotonicMs() + IN_ALL_MS;
  let leftMs = FOR_BYTES_MS;
  let bytes = 0;
  let isWaiting = false;
  try {
    for (;;) {
      const startMs = monotonicMs();
      isWaiting = true;
      const next = await inTime(chunks.next(), Math.min(leftMs, endMs - startMs), startTimer);
      isWaiting = false;
      if (next.done === true) return;
      leftMs -= monotonicMs() - startMs;
      bytes += next.value.byteLength;
      if (bytes >= BYTES) {
        leftMs = FOR_BYTES_MS;
        bytes = 0;
      }
      yield next.value;
    }
  } finally {
    // While a chunk is missing, `return` would wait for it too.
    if (!isWaiting) await chunks.return?.();
  }
}

async function inTime<Result>(result: Promise<Result>, ms: number, startTimer: StartTimer): Promise<Result> {
  let stopTimer: () => void = () => undefined;
  const end = new Promise<never>((_resolve, reject) => {
    stopTimer = startTimer(Math.max(ms, 0), () => reject(tooSlow()));
  });
  try {
    return await Promise.race([result, end]);
  } finally {
    stopTimer();
  }
}

function tooSlow(): HubError {
  return new HubError(
    'REQUEST_TIMEOUT',
    'The file came too slowly: send at least 64 KiB every 10 s and all of it within 10 min.',
    {
      headers: { Connection: 'close' },
    },
  );
}
