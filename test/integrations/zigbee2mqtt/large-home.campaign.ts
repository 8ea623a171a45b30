import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBrokeredZigbee2mqtt } from '#test/support/kinds/mqtt-broker-instance.ts';
import { deviceEntryTexts } from '#test/support/peers/device-definitions.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { needs } from '#test/support/machine/requires.ts';
import { watchStalls } from '#test/support/machine/bounds.ts';

const LIMIT_MS = 50;
const PATIENCE = { timeout: 40_000, interval: 5 };

/** Publishes from another process, so that its work is not measured. Each line of input is `[topic, payload]`. */
const PUBLISHER = `
  const client = require('mqtt').connect(process.argv[1]);
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const [topic, payload] = JSON.parse(line);
    client.publish('zigbee2mqtt/' + topic, payload, { qos: 1, retain: true }, () => process.stdout.write('done\\n'));
  });
`;

describe.skipIf(!needs('mosquitto'))('I1: a home with one of each of the 4,478 devices', () => {
  let broker: Mosquitto;
  let publish: (topic: string, payload: string) => Promise<void>;
  let stopPublisher: () => void;

  beforeAll(async () => {
    broker = await startMosquitto();
    const child = spawn(process.execPath, ['-e', PUBLISHER, broker.url], {
      cwd: join(import.meta.dirname, '../../..'),
    });
    publish = async (topic, payload) => {
      child.stdin.write(`${JSON.stringify([topic, payload])}\n`);
      await once(child.stdout, 'data');
    };
    stopPublisher = () => void child.kill();
  });

  afterAll(async () => {
    stopPublisher();
    await broker.stop();
  });

  test('is taken over without a stall, and so is a change in it', { timeout: 90_000 }, async () => {
    const texts = [...deviceEntryTexts()];
    const list = `[${texts.join(',')}]`;
    await publish('bridge/state', '{"state":"online"}');
    await publish('bridge/devices', list);
    const sink = createRecordingSink();
    const { log, lines } = createRecordingLog();
    const abort = new AbortController();
    const measure = async (name: string, until: () => void): Promise<number> => {
      const stalls = watchStalls();
      const startedAt = performance.now();
      await vi.waitFor(until, PATIENCE);
      const tookMs = performance.now() - startedAt;
      const stallMs = stalls.stop();
      const rss = Math.round(process.memoryUsage().rss / 1e6);
      process.stdout.write(
        `${name}: ${Math.round(tookMs)} ms, longest stall ${stallMs.toFixed(1)} ms, RSS ${rss} MB\n`,
      );
      return stallMs;
    };

    const running = createBrokeredZigbee2mqtt({ url: broker.url }, { log }).run(sink, abort.signal);
    try {
      const first = await measure(`${texts.length} devices, ${list.length} bytes`, () =>
        expect(sink.devices.size).toBe(4_478),
      );
      expect(first).toBeLessThan(LIMIT_MS);

      const changed = texts.with(2_000, texts[2_000]?.replace('"friendly_name":"', '"friendly_name":"Renamed ') ?? '');
      await publish('bridge/devices', `[${changed.join(',')}]`);
      const second = await measure('one of them renamed', () => expect(sink.calls.get('describeDevice')).toBe(1));
      expect(second).toBeLessThan(LIMIT_MS);
      expect(sink.calls.get('syncDevices')).toBe(1);
      expect(lines.filter((line) => /^<[34]>/.test(line))).toEqual([]);
    } finally {
      abort.abort();
      await running;
    }
  });
});
