import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';
import { deviceEntry, deviceEntryTexts } from '#test/support/peers/device-definitions.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { COORDINATOR } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { drawSeed } from '#test/support/machine/runs.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { fuzzRequests } from '#test/fuzz/http/fuzz-hub.ts';
import { hostileReport, mutated, mutatedText } from './mutated-definition.ts';
import { MAX_ANSWER_MS, type Stall, startStallProbe } from './stall-probe.ts';

const seed = drawSeed();
const ROUND = 60;
const WITNESS = { ...deviceEntry('IKEA/LED1624G9'), ieee_address: '0x00000000000fe551', friendly_name: 'Witness' };
/** One line for each device with a refused message, and the payloads of no device. */
const LOGGED_BYTES_PER_DEVICE = 400;
const READABLE = 0.6;
const SOON = { interval: 20 };

/** All definitions at full size, otherwise a share of them from a place that the seed gives. */
function drawEntries(): readonly string[] {
  const all = deviceEntryTexts();
  const count = Math.min(all.length, Math.ceil((all.length * fuzzRequests()) / 30_000));
  const start = seed % all.length;
  return [...all.slice(start), ...all.slice(0, start)].slice(0, count);
}

describe(`I1, X: mutated definitions of real devices, HEARTHD_TEST_SEED=${seed}`, { timeout: 600_000 }, () => {
  const dice = createDice(seed);
  const entries = drawEntries();
  let broker: TestBroker;
  let folder: HubFolder;
  let hub: HubProcess;
  let token: string;
  let stall: Stall;

  const send = (topic: string, payload: string | Buffer): Promise<void> =>
    broker.publish(`zigbee2mqtt/${topic}`, payload);
  /** `ask` itself checks every answer against the document. */
  const expectWitness = (percent: number, report: string): Promise<void> =>
    vi.waitFor(async () => {
      // Sent again, as the hub does not subscribe at once to a device that the last list left out.
      await send('Witness', report);
      const { status, json } = await hub.ask('GET', '/api/v1/device/witness', { token });
      expect(status).toBe(200);
      const { features } = json as { features: { key: string; value: unknown }[] };
      expect(features.find(({ key }) => key === 'brightness')?.value).toBe(percent);
    }, SOON);

  const sendRound = async (round: readonly string[], index: number): Promise<void> => {
    // The hub refuses a list with anything but objects; the changed bytes below try that.
    const texts = round.map((text) => {
      const changed = mutated(JSON.parse(text) as never, dice);
      return typeof changed === 'object' && changed !== null && !Array.isArray(changed)
        ? JSON.stringify(changed)
        : text;
    });
    const devices = `[${[JSON.stringify(COORDINATOR), JSON.stringify(WITNESS), ...texts].join(',')}]`;
    await send('bridge/devices', devices);
    for (const text of round) {
      const entry = JSON.parse(text) as { friendly_name: string };
      await send(entry.friendly_name, hostileReport(entry, dice));
      await send(entry.friendly_name, mutatedText(hostileReport(entry, dice), dice));
      if (dice() < 0.1) await send(`${entry.friendly_name}/availability`, mutatedText('{"state":"online"}', dice));
    }
    await send('bridge/devices', mutatedText(devices, dice));
    const hostile = hostilePayloads();
    await send('Witness/availability', hostile[index % hostile.length] ?? '');
    await send('bridge/event', hostile[(index * 7) % hostile.length] ?? '');
    // Zigbee2MQTT would send it again as well; the changed list may have left out the witness.
    await send('bridge/devices', devices);
    const brightness = 10 + (index % 240);
    await expectWitness(Math.round((brightness * 100) / 254), JSON.stringify({ state: 'ON', brightness }));
    await vi.waitFor(async () => {
      const { json } = await hub.ask('GET', '/api/v1/device', { token });
      // Most definitions are still devices after one change.
      expect((json as unknown[]).length).toBeGreaterThan(round.length * READABLE);
    }, SOON);
  };

  beforeAll(async () => {
    broker = await startBroker();
    folder = createHubFolder();
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url, HEARTHD_LOG: 'info' });
    token = (await claimHub(hub)).access_token;
    await vi.waitFor(() => {
      if (!broker.subscriptions().has('zigbee2mqtt/bridge/devices')) throw new Error('the hub does not listen yet');
    }, SOON);
    await send('bridge/state', '{"state":"online"}');
    await send('bridge/devices', JSON.stringify([COORDINATOR, WITNESS]));
  });
  afterAll(async () => {
    await folder.close();
    await broker.close();
  });

  test('an honest device among them works as if alone, and every answer follows the document', async () => {
    const probe = startStallProbe(hub.address, hub.pid);
    const startMs = performance.now();
    for (let at = 0; at < entries.length; at += ROUND) await sendRound(entries.slice(at, at + ROUND), at / ROUND);
    stall = await probe.end();
    expect(hub.stderr()).not.toContain('Error');
    const loggedBytes = hub.stdout().length + hub.stderr().length;
    const figures = { devices: entries.length, seed, tookMs: performance.now() - startMs, stall, loggedBytes };
    process.stdout.write(`fuzz of MQTT: ${JSON.stringify(figures)}\n`);
  });

  test('the event loop never stands still for longer than 50 ms', () => {
    expect(stall.samples).toBeGreaterThan(0);
    expectBelow(
      'the longest standstill of the event loop under changed definitions, ms',
      stall.longestMs,
      MAX_ANSWER_MS,
    );
  });

  test('the log stays short and has no error', () => {
    const log = hub.stdout() + hub.stderr();
    expect(log.length).toBeLessThan(16_000 + entries.length * LOGGED_BYTES_PER_DEVICE);
    expect(log.match(/^.* error .*$/gm) ?? []).toEqual([]);
  });
});
