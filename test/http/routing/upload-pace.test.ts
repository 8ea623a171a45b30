import { expect, test } from 'vitest';
import { paceUpload } from '#http/routing/upload-pace.ts';
import { createManualTime, type ManualTime } from '#test/support/machine/manual-time.ts';

const KIB = 1024;

/** A client that sends so many bytes, so often, after so long each; then it is silent, or ends. */
async function* sendBytes(
  { startTimer }: ManualTime,
  { bytes, everyMs, times, ends = true }: { bytes: number; everyMs: number; times: number; ends?: boolean },
): AsyncGenerator<Uint8Array> {
  for (let round = 0; round < times; round += 1) {
    await new Promise<void>((resolve) => void startTimer(everyMs, resolve));
    yield new Uint8Array(bytes);
  }
  if (!ends) await new Promise(() => undefined);
}

async function timeUpload(time: ManualTime, sent: AsyncIterable<Uint8Array>, diskMs = 0) {
  let bytes = 0;
  const read = async (): Promise<string> => {
    for await (const chunk of paceUpload(sent, { startTimer: time.startTimer, ...time.clock })) {
      bytes += chunk.byteLength;
      if (diskMs > 0) await new Promise<void>((resolve) => void time.startTimer(diskMs, resolve));
    }
    return 'whole';
  };
  let end: { outcome: string; atMs: number } | undefined;
  void read().then(
    (outcome) => (end = { outcome, atMs: time.clock.monotonicMs() }),
    (cause: { code?: string }) => (end = { outcome: cause.code ?? 'unknown', atMs: time.clock.monotonicMs() }),
  );
  await time.advance(1_000_000);
  return { ...end, bytes };
}

test.each([
  ['as fast as it can', { bytes: 64 * KIB, everyMs: 1, times: 1_000 }, 'whole', 1_000],
  ['slowly but on and on', { bytes: 64 * KIB, everyMs: 9_900, times: 60 }, 'whole', 594_000],
  ['little by little', { bytes: 8 * KIB, everyMs: 1_200, times: 400 }, 'whole', 480_000],
  ['a last part that is small', { bytes: 10, everyMs: 9_000, times: 1 }, 'whole', 9_000],
  ['nothing', { bytes: 0, everyMs: 1, times: 0, ends: false }, 'REQUEST_TIMEOUT', 10_000],
  ['a byte each second', { bytes: 1, everyMs: 1_000, times: 900 }, 'REQUEST_TIMEOUT', 10_000],
  ['silence after much', { bytes: 640 * KIB, everyMs: 100, times: 10, ends: false }, 'REQUEST_TIMEOUT', 11_000],
  ['just fast enough for ever', { bytes: 64 * KIB, everyMs: 9_000, times: 100 }, 'REQUEST_TIMEOUT', 600_000],
])('H2: an upload of %s', async (...[, sent, outcome, atMs]) => {
  const time = createManualTime();
  const end = await timeUpload(time, sendBytes(time, sent));
  expect(end).toMatchObject({ outcome, atMs });
  expect(time.pendingMs()).toEqual([]);
});

test('H2: the time of a slow disk does not count against the client', async () => {
  const time = createManualTime();
  const sent = sendBytes(time, { bytes: KIB, everyMs: 100, times: 20 });
  expect(await timeUpload(time, sent, 20_000)).toEqual({ outcome: 'whole', atMs: 402_000, bytes: 20 * KIB });
});

test('the source ends when its reader stops', async () => {
  const time = createManualTime();
  let isEnded = false;
  const sent = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      isEnded = true;
    }
  };
  for await (const _ of paceUpload(sent(), { startTimer: time.startTimer, ...time.clock })) break;
  expect(isEnded).toBe(true);
});
