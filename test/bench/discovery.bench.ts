import { expect, test } from 'vitest';
import { createDeviceCrowd, powerSensor } from '#test/support/discovery/device-crowd.ts';
import { median, recordFigure, ROUNDS } from './support/figure.ts';

const ENTITIES = 1_000;
const MESSAGES = 20_000;
const STATE = JSON.stringify({
  p: 41.25,
  voltage: 230.4,
  current: 0.18,
  energy: 1_234.5,
  linkquality: 120,
  state: 'ON',
});

/** A home of a hundred devices with ten entities each, without a broker. */
async function openHome() {
  const crowd = createDeviceCrowd();
  const changed = new Set<string>();
  for (let at = 0; at < ENTITIES; at += 1) {
    const payload = Buffer.from(JSON.stringify(powerSensor(at)));
    for (const id of crowd.announce(`u${at}`, payload)) changed.add(id);
  }
  await crowd.describe(changed);
  return crowd;
}

const usPerMessage = (startMs: number): number => ((performance.now() - startMs) * 1_000) / MESSAGES;

test('a state message of a discovered entity, beside the reading of its JSON alone', async () => {
  const standMs: number[] = [];
  const hubUs: number[] = [];
  const bareUs: number[] = [];
  const bytes = Buffer.from(STATE);
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    const { book, sink } = await openHome();
    standMs.push(performance.now() - startMs);
    const hubStartMs = performance.now();
    for (let at = 0; at < MESSAGES; at += 1)
      book.onState({ topic: `meter/${at % ENTITIES}`, payload: bytes, retained: false });
    while ((sink.calls.get('reportValues') ?? 0) < MESSAGES) await new Promise((resolve) => setTimeout(resolve, 1));
    hubUs.push(usPerMessage(hubStartMs));
    const bareStartMs = performance.now();
    let sum = 0;
    for (let at = 0; at < MESSAGES; at += 1) sum += (JSON.parse(bytes.toString('utf8')) as { readonly p: number }).p;
    bareUs.push(usPerMessage(bareStartMs));
    expect(sum).toBeGreaterThan(0);
    book.stop();
  }
  const [hub, bare] = [median(hubUs), median(bareUs)];
  recordFigure({
    what: `a state message of one of ${ENTITIES} discovered entities`,
    hub: `${hub.toFixed(1)} µs`,
    reference: `${bare.toFixed(1)} µs for its JSON alone`,
    ratio: hub / bare,
  });
  recordFigure({
    what: `${ENTITIES} discovered entities stand`,
    hub: `${median(standMs).toFixed(0)} ms`,
    reference: '1000 ms',
    ratio: median(standMs) / 1_000,
    target: { atMost: 1 },
  });
});
