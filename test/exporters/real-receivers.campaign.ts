import { expect, onTestFinished, test, vi, describe } from 'vitest';
import { randomUUID } from 'node:crypto';
import { systemRandom } from '#base/random.ts';
import { createStopList } from '#base/stop-list.ts';
import { loadConfig } from '#config/load-config.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { ExporterSettings } from '#core/exporter/exporter.ts';
import type { HistoryStore, NewSample, NumberedSample } from '#core/past/history/history-store.ts';
import { isGap } from '#core/past/history/sample.ts';
import { type ExportSample, selectSamples } from '#exporters/export-sample.ts';
import { lineOf } from '#core/past/archive/line-protocol.ts';
import { openHubExporters } from '#hub/exporter/hub-exporters.ts';
import { createMqttLinks } from '#integrations/mqtt-links.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { needs } from '#test/support/machine/requires.ts';
import { startMosquitto } from '#test/support/peers/mosquitto.ts';
import { type Fate, listen, type Points, startCutter, startInflux, startRelay, startVictoria } from './receivers.ts';

const DAY_MS = 86_400_000;
const SOON = { timeout: 60_000, interval: 50 };
/** Pauses of five minutes take a third of a second. */
const FASTER = 1_000;
/** A broker has 5 s to acknowledge a message, which is a quarter of a second so. */
const FASTER_THAN_BROKER = 20;
/** A receiver has 30 s to answer, which is one and a half seconds so. */
const FASTER_THAN_REFUSALS = 20;
const NASTY = 'we,ird=de vice\\';

/** Samples of all kinds over some days, as a home has them, with names and texts that need care. */
function samplesOf(seed: number, [startMs, days]: readonly [number, number], count: number): NewSample[] {
  const dice = createDice(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(dice() * items.length)] as Item;
  return Array.from({ length: count }, (_, index): NewSample => {
    const atMs = startMs + Math.floor(((index / count) * days * DAY_MS) / 100) * 100;
    const device = pick(['lamp', 'plug', 'sensor', NASTY]);
    const key = pick(['temperature', 'energy', 'huge', 'on', 'mode', 'kind']);
    const number = Math.round(dice() * 1e5) / pick([1, 10, 1000]);
    const value = {
      temperature: number,
      energy: pick([number, 1e9, -0.1]),
      // VictoriaMetrics has one exponent for a block.
      huge: pick([1e300, -1e300]),
      on: dice() < 0.5,
      mode: pick(['open', 'say "hi", a=b', 'two\nlines', 'back\\slash\\', 'Grüße 🏠', '']),
      // A feature that becomes another one.
      kind: index < count / 2 ? number : 'text',
    }[key as 'on'];
    return { series: `${device}/${key}`, atMs, value: dice() < 0.05 ? { gap: 'offline' } : value };
  });
}

/** The exporters of a hub over its storage, both of which can be restarted. */
async function openHub(bench: Bench, faster = FASTER) {
  const time = createFastTime(faster);
  const { log } = createRecordingLog();
  const loaded = loadConfig({ environment: {}, stateDir: bench.folders.state, installed: false });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  const isLanAddress = (): boolean => true;
  const isOwnAddress = (): boolean => true;
  const storage = storageInProcess(await bench.openOwned());
  const events: HomeEvent[] = [];
  const stops = createStopList(log);
  const exporters = await openHubExporters({
    config: loaded.config,
    storage,
    ...time,
    hubClock: { nowMs: Date.now },
    random: systemRandom,
    safeMode: { note: () => null },
    log,
    stops,
    isLanAddress,
    isOwnAddress,
    findAddresses: createAddressFinder({ isLanAddress, isOwnAddress, lookup: async () => [] }),
    devices: { findDevice: () => undefined },
    rooms: { findRoom: () => undefined },
    events: { append: (event) => void events.push(event) },
    integrations: { links: createMqttLinks(time.startTimer) },
    newId: randomUUID,
  });
  const close = async (): Promise<void> => {
    await stops.stop();
    await storage.close();
  };
  onTestFinished(close);
  return { storage, exporters, events, close };
}

const settingsOf = (type: ExporterSettings['type'], url: string): ExporterSettings => ({
  type,
  name: null,
  url,
  broker: null,
  mayReachHub: true,
  filter: { deviceIds: null, roomIds: null, keys: null },
  enabled: true,
});

/** What the receiver must have, in order. */
async function readAll(history: Pick<HistoryStore, 'readNumbered'>): Promise<readonly ExportSample[]> {
  const samples: NumberedSample[] = [];
  for (let from = 0; ;) {
    const part = await history.readNumbered(from);
    samples.push(...part.samples);
    if (part.isEnd) break;
    from = part.next;
  }
  const labelsOf = (series: string) => {
    const [device = '', key = ''] = series.split('/');
    return { device, key, room: null, unit: null, deviceId: null, roomId: null };
  };
  return selectSamples(samples, { filter: settingsOf('mqtt', '').filter, start: null }, labelsOf);
}

/** The points as a receiver has them: it cannot know a backslash in a label, or a line feed in a text. */
function pointsOf(samples: readonly ExportSample[], asNumbers: boolean): Points {
  return new Map(
    samples.map(({ labels, value, atMs }) => {
      const field = isGap(value)
        ? 'gap'
        : { number: 'value', boolean: 'state', string: 'text' }[typeof value as 'string'];
      const text = isGap(value) ? value.gap : value;
      const full = typeof text === 'string' ? text.replaceAll('\n', '\\n') : text;
      const shown = asNumbers ? (typeof full === 'string' ? 0 : Number(full)) : full;
      return [`${labels.device.replaceAll('\\', '/')}|${labels.key}|${field}|${atMs}`, JSON.stringify(shown)];
    }),
  );
}

/** In their order, the first time that each came. */
function firstOnes<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}

async function append(
  { history }: Pick<Awaited<ReturnType<typeof openHub>>['storage'], 'history'>,
  samples: readonly NewSample[],
) {
  history.append({ epoch: 'e1', samples });
  await history.flush();
}

describe.each([
  { name: 'InfluxDB', tool: 'influxd', startReceiver: startInflux, asNumbers: false },
  { name: 'VictoriaMetrics', tool: 'victoria-metrics', startReceiver: startVictoria, asNumbers: true },
] as const)('a real $name', ({ tool, startReceiver, asNumbers }) => {
  test.skipIf(!needs(tool))(
    'gets every sample in its order over kills, cuts, refusals and a week away, and gives each back',
    { timeout: 120_000 },
    async () => {
      const bench = createBench();
      let hub = await openHub(bench);
      const nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const receiver = await startReceiver();
      const fates: Record<number, Fate> = {
        2: 503,
        3: 429,
        5: 'cut',
        7: 404,
        9: () => new Promise((resolve) => setTimeout(resolve, 300)),
      };
      // The receiver dies with the twelfth request in its hands. To a hub in a hurry that may take too long: it asks again.
      let dying: Promise<void> | undefined;
      const die = (): Promise<void> => (dying ??= receiver.settle().then(receiver.kill));
      const relay = await startRelay(receiver, (request) => fates[request] ?? (request < 12 ? 'pass' : die));
      // A week that is in the file of its month, and a day that is in the journal.
      await append(hub.storage, samplesOf(1, [nowMs - 8 * DAY_MS, 7], 4_000));
      const url = `http://127.0.0.1:${relay.port}${receiver.path}`;
      const added = await hub.exporters.addExporter({ settings: settingsOf('line_protocol', url), from: 'beginning' });
      const { id } = added.exporter;
      const stateOf = () => hub.exporters.findExporter(id)?.state;
      await vi.waitFor(() => expect(relay.seen.requests).toBeGreaterThan(16), SOON);
      const away = { status: 'failing', error: { code: 'connection_failed' } };
      await vi.waitFor(() => expect(stateOf()).toMatchObject(away), SOON);
      // The hub restarts while the receiver is away, and goes on recording.
      await hub.close();
      hub = await openHub(bench);
      await append(hub.storage, samplesOf(2, [nowMs - DAY_MS, 1], 500));
      await receiver.start();
      await vi.waitFor(() => expect(stateOf()).toMatchObject({ status: 'ok', behindS: 0 }), SOON);
      // What comes now follows.
      await append(hub.storage, [{ series: 'lamp/on', atMs: nowMs, value: true }]);
      const expected = await readAll(hub.storage.history);
      await vi.waitFor(() => expect(stateOf()?.ackedAtMs).toBe(nowMs), SOON);

      expect(expected.length).toBe(4_501);
      expect(firstOnes(relay.lines)).toEqual(expected.map(lineOf));
      expect(relay.lines.length).toBeGreaterThan(expected.length);
      const found = await receiver.readBack();
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(pointsOf(expected, asNumbers)));
      expect(relay.seen).toMatchObject({ mostOpen: 1 });
      expect(relay.seen.mostLines).toBeLessThanOrEqual(5_000);
      expect(relay.seen.mostBytes).toBeLessThanOrEqual(1024 * 1024);
      expect(stateOf()).toMatchObject({ setAsideCount: 0, gaps: 0 });
    },
  );
});

test.skipIf(!needs('influxd'))(
  'a sample whose field has another type in InfluxDB is set aside and shown, and the others arrive',
  { timeout: 60_000 },
  async () => {
    const hub = await openHub(createBench());
    const receiver = await startInflux();
    const dayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const place = `http://127.0.0.1:${receiver.port}${receiver.path}`;
    // Another program has made `value` a text in this week.
    const foreign = `hearthd_feature,device=x,key=y value="text" ${dayMs}`;
    await fetch(`${place}&precision=ms`, { method: 'POST', body: foreign });
    const bad = { series: 'plug/power', atMs: dayMs + 1_000, value: 21.5 };
    const good = Array.from({ length: 40 }, (_, index) => ({
      series: 'plug/on',
      atMs: dayMs + index * 100,
      value: index % 2 === 0,
    }));
    // A week has types of its own.
    const old = { series: 'plug/power', atMs: dayMs - 14 * DAY_MS, value: 20.5 };
    await append(hub.storage, [old, ...good.slice(0, 11), bad, ...good.slice(11)]);
    const { exporter } = await hub.exporters.addExporter({
      settings: settingsOf('line_protocol', place),
      from: 'beginning',
    });
    const stateOf = () => hub.exporters.findExporter(exporter.id)?.state;
    await vi.waitFor(() => expect(stateOf()).toMatchObject({ status: 'ok', behindS: 0, setAsideCount: 1 }), SOON);
    const error = { code: 'sample_refused', detail: expect.stringContaining('field type conflict') };
    expect(stateOf()?.setAside).toMatchObject([{ ...bad, error }]);
    const found = await receiver.readBack();
    const expected = pointsOf(await readAll(hub.storage.history), false);
    const key = `plug|power|value|${bad.atMs}`;
    expect([...found.keys()].filter((one) => !one.startsWith('x|')).toSorted()).toEqual(
      [...expected.keys()].filter((one) => one !== key).toSorted(),
    );
  },
);

test.skipIf(!needs('influxd'))(
  'a database that is missing makes no sample a bad one',
  { timeout: 60_000 },
  async () => {
    const hub = await openHub(createBench(), FASTER_THAN_REFUSALS);
    const receiver = await startInflux();
    const dayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await append(hub.storage, [{ series: 'plug/on', atMs: dayMs, value: true }]);
    // Without a database InfluxDB answers 400, with one that it does not have 404.
    for (const path of ['/write', '/write?db=none']) {
      const settings = settingsOf('line_protocol', `http://127.0.0.1:${receiver.port}${path}`);
      const { exporter } = await hub.exporters.addExporter({ settings, from: 'beginning' });
      const stateOf = () => hub.exporters.findExporter(exporter.id)?.state;
      const error = { code: 'bad_status', detail: expect.stringContaining('database') as unknown };
      const failing = { status: 'failing', setAsideCount: 0, ackedAtMs: null, error };
      await vi.waitFor(() => expect(stateOf()).toMatchObject(failing), SOON);
    }
  },
);

test.skipIf(!needs('mosquitto'))(
  'a real Mosquitto gets every value in its order over cuts and a kill, and keeps the last of each',
  { timeout: 60_000 },
  async () => {
    const hub = await openHub(createBench(), FASTER_THAN_BROKER);
    const broker = await startMosquitto();
    onTestFinished(broker.stop);
    const relay = await startCutter(broker.port);
    const dayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const heard: string[] = [];
    let listener = await listen(broker.url, (topic, payload) => heard.push(`${topic} ${payload}`));
    const values = (from: number, count: number): NewSample[] =>
      Array.from({ length: count }, (_, index) => ({
        series: `plug/${index % 2 === 0 ? 'power' : 'energy'}`,
        atMs: dayMs + (from + index) * 100,
        value: from + index,
      }));
    await append(hub.storage, values(0, 600));
    const settings = settingsOf('mqtt', `mqtt://127.0.0.1:${relay.port}`);
    const { exporter } = await hub.exporters.addExporter({ settings, from: 'beginning' });
    const stateOf = () => hub.exporters.findExporter(exporter.id)?.state;
    // The connection breaks in the middle of a batch, again and again.
    for (let cut = 1; cut <= 3; cut += 1) {
      await vi.waitFor(() => expect(heard.length).toBeGreaterThan(cut * 100), SOON);
      relay.cut();
    }
    await vi.waitFor(() => expect(stateOf()).toMatchObject({ status: 'ok', behindS: 0 }), SOON);
    // The broker dies while the hub cannot reach it, so that nothing is lost that it had acknowledged.
    relay.close();
    await listener.endAsync(true);
    await broker.kill();
    await append(hub.storage, [
      { series: 'plug/mode', atMs: dayMs + 70_000, value: 'say "hi"' },
      ...values(701, 100),
      { series: 'plug/on', atMs: dayMs + 90_000, value: { gap: 'offline' } },
    ]);
    await broker.start();
    listener = await listen(broker.url, (topic, payload) => heard.push(`${topic} ${payload}`));
    onTestFinished(() => listener.endAsync(true));
    relay.open();
    // A batch whose acknowledgement came late is sent once more, so the first null may not be the last message.
    await vi.waitFor(() => expect(stateOf()?.ackedAtMs).toBe(dayMs + 90_000), SOON);
    await vi.waitFor(() => expect(heard.at(-1)).toBe('hearthd/plug/on null'), SOON);
    const wanted = (await readAll(hub.storage.history)).map(({ labels, value }) => {
      return `hearthd/${labels.device}/${labels.key} ${isGap(value) ? 'null' : JSON.stringify(value)}`;
    });
    expect(firstOnes(heard)).toEqual(wanted);
    const kept = new Map<string, string>();
    const late = await listen(broker.url, (topic, payload) => kept.set(topic, payload));
    onTestFinished(() => late.endAsync(true));
    await vi.waitFor(() => expect(kept.size).toBe(4), SOON);
    expect(Object.fromEntries(kept)).toEqual({
      'hearthd/plug/energy': '800',
      'hearthd/plug/mode': '"say \\"hi\\""',
      'hearthd/plug/on': 'null',
      'hearthd/plug/power': '799',
    });
  },
);
