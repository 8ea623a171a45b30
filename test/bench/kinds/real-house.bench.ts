import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { openStreamClient, type StreamClient } from '#test/support/daemon/event-client.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { logInOnPage, openWebPage, PHONE } from '#test/support/page/web-page.ts';
import { type Point, slopePerS } from '#test/soak/support/slope.ts';
import { percentile, recordFigure, RESULTS_FOLDER } from '#test/bench/support/figure.ts';
import { heapMb } from '#test/bench/support/house/heap.ts';
import { type RealPeer, startRealHouse } from '#test/bench/support/house/real-house.ts';
import { UNIT_FLAGS } from '#test/bench/support/unit-flags.ts';

type FeatureJson = {
  readonly key: string;
  readonly capability: string;
  readonly writable: boolean;
  readonly value_type: string;
  readonly value: unknown;
};
type DeviceJson = {
  readonly id: string;
  readonly name: string;
  readonly selector: string;
  readonly integration: string;
  readonly availability: { readonly state: string };
  readonly features: readonly FeatureJson[];
};
type Tally = { confirmed: number; away: number; readonly others: string[]; readonly tookMs: number[] };

const MINUTES = Number(process.env['MINUTES'] ?? 60);
const MINUTE_MS = 60_000;
const COMMAND_EVERY_MS = 500;
const COMMAND_WITHIN_S = 15;
/** A peer is gone for this long, a tenth of the time between two of them at most. */
const AWAY_MS = 20_000;
/** Nodes of Z-Wave JS are asked for a minute after the driver has started. */
const BACK = { timeout: 300_000, interval: 500 };
const FAST_TIME = pathToFileURL(join(import.meta.dirname, '../../soak/support/fast-time.mjs')).href;
const PICTURES = join(RESULTS_FOLDER, 'real-house');

test('an hour in a house of real peers: no leak, no lost state', { timeout: (MINUTES + 20) * MINUTE_MS }, async () => {
  const house = await startRealHouse();
  const hubs = createHubFolder();
  try {
    const env = {
      HEARTHD_SIMULATE: '0',
      HEARTHD_MQTT_URL: house.brokerUrl,
      NODE_OPTIONS: `${UNIT_FLAGS} --import ${FAST_TIME} ${process.env['HUB_OPTIONS'] ?? ''}`,
    };
    let hub = await hubs.serve(env);
    const { access_token: token } = await claimHub(hub);
    await house.join(hub, token);
    const list = async (): Promise<readonly DeviceJson[]> =>
      (await hub.ask('GET', '/api/v1/device', { token })).json as readonly DeviceJson[];
    const untilOnline = (): Promise<readonly DeviceJson[]> =>
      vi.waitFor(async () => {
        const devices = await list();
        expect(awayIn(devices)).toEqual([]);
        expect(new Set(devices.map(({ integration }) => integration)).size).toBe(house.kinds);
        return devices;
      }, BACK);
    const devices = await untilOnline();
    await takePictures(hub, 'begin');
    const stream = await openStreamClient(Number(new URL(hub.address).port), { token });
    const tally = new Map<string, Tally>();
    const away = new Set<string>();
    const abort = new AbortController();
    const commanding = command({ hub, token, devices, tally, away, signal: abort.signal });
    const back: string[] = [];
    const points: Point[] = [];
    const startMs = performance.now();
    const elapsedMs = (): number => performance.now() - startMs;
    const firstMb = await heapMb(hub);
    const firstMemoryMb = hub.memoryMb();
    const sampleUntil = async (untilMs: number): Promise<void> => {
      while (elapsedMs() < untilMs) {
        await wait(Math.min(MINUTE_MS / 2, untilMs - elapsedMs()));
        points.push({ atS: elapsedMs() / 1_000, value: await heapMb(hub) });
      }
    };
    const peers = Object.entries(house.peers);
    // Each peer is killed once, one after the other.
    for (const [index, [name, peer]] of peers.entries()) {
      await sampleUntil((MINUTES * MINUTE_MS * (index + 1)) / (peers.length + 2));
      back.push(`${name} ${await awayFor(peer, away, untilOnline)}`);
    }
    await sampleUntil(MINUTES * MINUTE_MS);
    abort.abort();
    await commanding;
    for (const [kind, { confirmed, away, others, tookMs }] of tally) {
      const p = [0.5, 0.95].map((share) => percentile(tookMs, share).toFixed(0));
      console.log(
        `${kind}: ${confirmed} confirmed (p50 ${p[0]}, p95 ${p[1]} ms), ${away} while it was away, others: ${others.join(', ') || 'none'}`,
      );
    }
    console.log(`back after ${AWAY_MS / 1_000} s away: ${back.join('; ')}`);
    const after = await untilOnline();
    await takePictures(hub, 'end');
    const memoryMb = hub.memoryMb();
    const events = stream.events().length;
    const missed = missedIn(stream);
    stream.close();
    const log = hub
      .stderr()
      .split('\n')
      .filter((line) => / error /.test(line));
    // A power cut for the hub: the same devices, with what they were.
    const before = describe(after);
    await hub.end('SIGKILL');
    hub = await hubs.serve(env);
    const returned = describe(await untilOnline());
    console.log(`${events} events, ${missed} missed; errors in the log: ${JSON.stringify(log)}`);
    recordFigure({
      what: `memory in use in a house of ${house.kinds} kinds and ${devices.length} devices, after ${MINUTES} minutes and ${events} events`,
      hub: `${points.at(-1)?.value.toFixed(1)} MB, resident ${memoryMb.toFixed(0)} MB`,
      reference: `${firstMb.toFixed(1)} MB, resident ${firstMemoryMb.toFixed(0)} MB at the start`,
      ratio: (points.at(-1)?.value ?? Number.NaN) / firstMb,
    });
    const perHourMb = slopePerS(points) * 3_600;
    recordFigure({
      what: 'growth in the second half, in an hour',
      hub: `${perHourMb.toFixed(2)} MB (${points.map(({ value }) => value.toFixed(1)).join(' ')})`,
      reference: '1 MB, beside the log of events while it fills',
      ratio: perHourMb,
    });
    expect(missed).toBe(0);
    expect(log).toEqual([]);
    expect(describe(after)).toEqual(describe(devices));
    expect(returned).toEqual(before);
    expect([...tally.values()].flatMap(({ others }) => others)).toEqual([]);
  } finally {
    await hubs.close();
    await house.close();
  }
});

const awayIn = (devices: readonly DeviceJson[]): readonly string[] =>
  devices.flatMap(({ name, availability: { state } }) =>
    state === 'online' || state === 'asleep' ? [] : [`${name} ${state}`],
  );

/** What nobody changed: the devices, their names and features. */
const describe = (devices: readonly DeviceJson[]): unknown =>
  devices
    .map(({ id, name, selector, features }) => ({
      id,
      name,
      selector,
      features: features.map(({ key }) => key).toSorted(),
    }))
    .toSorted((left, right) => left.id.localeCompare(right.id));

function missedIn(stream: StreamClient): number {
  const numbers = stream.events().flatMap(({ id }) => (id === undefined ? [] : [Number(id.split('-')[1])]));
  return numbers.reduce((sum, number, at) => sum + (at === 0 ? 0 : number - (numbers[at - 1] ?? 0) - 1), 0);
}

async function awayFor(peer: RealPeer, away: Set<string>, untilOnline: () => Promise<unknown>): Promise<string> {
  for (const id of peer.integrations) away.add(id);
  await peer.kill();
  await wait(AWAY_MS);
  await peer.start();
  const sinceMs = performance.now();
  await untilOnline();
  const backMs = performance.now() - sinceMs;
  // What was sent before may wait for as long for its confirmation.
  await wait(COMMAND_WITHIN_S * 1_000);
  away.clear();
  return `${(backMs / 1_000).toFixed(1)} s`;
}

type Commanding = {
  readonly hub: HubProcess;
  readonly token: string;
  readonly devices: readonly DeviceJson[];
  readonly tally: Map<string, Tally>;
  /** Integrations whose peer is away at the moment. */
  readonly away: ReadonlySet<string>;
  readonly signal: AbortSignal;
};

/** Switches one device after the other, and waits for each to confirm it. */
async function command({ hub, token, devices, tally, away, signal }: Commanding): Promise<void> {
  const switches = devices.flatMap((device) => {
    const feature = device.features.find(({ capability, writable }) => capability === 'on' && writable);
    return feature === undefined ? [] : [{ device, feature }];
  });
  const waiting = new Set<Promise<void>>();
  for (let round = 0; !signal.aborted; round += 1) {
    const next = switches[round % switches.length];
    if (next === undefined) throw new Error('no device can be switched');
    const isOn = Math.floor(round / switches.length) % 2 === 0;
    const one = send(next.device, next.feature.key, isOn).finally(() => waiting.delete(one));
    waiting.add(one);
    await wait(COMMAND_EVERY_MS);
  }
  await Promise.all(waiting);

  async function send({ integration, selector }: DeviceJson, key: string, isOn: boolean): Promise<void> {
    const kept = tally.get(integration) ?? { confirmed: 0, away: 0, others: [], tookMs: [] };
    tally.set(integration, kept);
    const wasAway = away.has(integration);
    const sentMs = performance.now();
    const { status, json } = await hub.ask('POST', `/api/v1/device/${selector}/command`, {
      token,
      body: { set: { [key]: isOn } },
      headers: { Prefer: `wait=${COMMAND_WITHIN_S}` },
    });
    const { status: outcome, error } = json as { status?: string; error?: { code: string } | null };
    const result = outcome ?? String(status);
    if (result === 'confirmed') {
      kept.confirmed += 1;
      kept.tookMs.push(performance.now() - sentMs);
      return;
    }
    // A command that was on its way when its peer or broker went is not confirmed.
    if (wasAway || away.has(integration)) kept.away += 1;
    else kept.others.push(`${selector} ${status} ${result} ${error?.code ?? ''}`);
  }
}

async function takePictures(hub: HubProcess, when: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const browser = await launchChromium();
  try {
    for (const [size, options] of [
      ['phone', { ...PHONE, viewport: { width: 390, height: 844 } }],
      ['desktop', { viewport: { width: 1_440, height: 900 } }],
    ] as const) {
      const web = await openWebPage(browser, hub.address, options);
      await logInOnPage(web);
      for (const path of ['/', '/room', '/history', '/settings/integrations', '/settings/health']) {
        await web.page.goto(`${hub.address}${path}`);
        await wait(2_000);
        // A browser leaves out of a longer picture what is beyond the window.
        const height = await web.page.evaluate<number>('document.documentElement.scrollHeight');
        await web.page.setViewportSize({ width: options.viewport.width, height });
        await wait(500);
        await web.page.screenshot({ path: join(PICTURES, `${when}-${size}${path.replaceAll('/', '-')}.png`) });
        await web.page.setViewportSize(options.viewport);
      }
      expect(web.complaints).toEqual([]);
      await web.page.context().close();
    }
  } finally {
    await browser.close();
  }
}
