import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { recordLoads } from '#test/support/daemon/loaded-files.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { percentile, recordFigure } from '#test/bench/support/figure.ts';
import { heapMb } from '#test/bench/support/house/heap.ts';
import { type PeerCounts, startHouseOfKinds } from '#test/bench/support/house/house-of-kinds.ts';
import { BENCH_PEERS, type BenchPeer } from '#test/bench/support/kinds/bench-peer.ts';
import { UNIT_FLAGS } from '#test/bench/support/unit-flags.ts';

type Kind = keyof typeof BENCH_PEERS;
type FeatureJson = { readonly key: string; readonly capability: string };
type DeviceJson = { readonly selector: string; readonly features: readonly FeatureJson[] };

/** An environment of Python with `support/kinds/requirements.txt`; without it there is no reference. */
const PYTHON = process.env['HEARTHD_CLIENTS'];
const COMMANDS = Number(process.env['COMMANDS'] ?? 60);
const FURTHER = 20;
const DOWN_MS = 5_000;
const SOON = { timeout: 120_000, interval: 20 };
const FAST_TIME = pathToFileURL(join(import.meta.dirname, '../../soak/support/fast-time.mjs')).href;
const CLIENTS = join(import.meta.dirname, '../support/kinds/clients.py');

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
const s = (value: number): string => `${(value / 1_000).toFixed(1)} s`;
const timesOf = (tookMs: readonly number[]): string =>
  `p50 ${ms(percentile(tookMs, 0.5))}, p95 ${ms(percentile(tookMs, 0.95))}`;

/** What the client library of Home Assistant finds and needs at the same peer. */
async function askLibrary(kind: Kind, place: string) {
  if (PYTHON === undefined) return { offered: Number.NaN, tookMs: [] };
  const { stdout } = await promisify(execFile)(PYTHON, [CLIENTS, kind, place, String(COMMANDS)]);
  return JSON.parse(stdout) as { readonly offered: number; readonly tookMs: readonly number[] };
}

/** The hub with a peer of the kind, seen as a client sees it. */
async function openHub(hubs: HubFolder, { integrations, feature }: BenchPeer) {
  const loads = recordLoads(hubs.folder);
  const hub = await hubs.serve({
    HEARTHD_SIMULATE: '0',
    HEARTHD_MQTT_URL: 'off',
    NODE_OPTIONS: `${UNIT_FLAGS} ${loads.nodeOptions}`,
  });
  const { access_token: token } = await claimHub(hub);
  const get = async (path: string): Promise<unknown> => (await hub.ask('GET', `/api/v1/${path}`, { token })).json;
  const loadedBytes = (): number =>
    [...loads.files()].reduce((sum, file) => sum + sizeOf(join(dirname(BUNDLE), file)), 0);
  await get('integration_kind');
  const bytesWithout = loadedBytes();
  let id = '';
  for (const { kind, settings } of integrations) {
    // The one before may be the broker of the next.
    const body = { kind, settings: 'broker' in settings ? { ...settings, broker: id } : settings };
    const { status, json } = await hub.ask('POST', '/api/v1/integration', { token, body });
    expect(status).toBe(201);
    ({ id } = json as { id: string });
  }
  const state = async (): Promise<string> => ((await get(`integration/${id}`)) as { status: string }).status;
  const devices = async (): Promise<readonly DeviceJson[]> => (await get('device')) as readonly DeviceJson[];
  const isOnline = async (selector: string): Promise<boolean> =>
    ((await get(`device/${selector}`)) as { availability: { state: string } }).availability.state === 'online';
  const device = await vi.waitFor(async () => {
    const found = (await devices()).find(({ features }) => features.some(({ key }) => key === feature));
    expect(await state()).toBe('connected');
    if (found === undefined) throw new Error(`no device has ${feature}`);
    expect(await isOnline(found.selector)).toBe(true);
    return found;
  }, SOON);
  const command = async (value: unknown): Promise<string> => {
    const { json } = await hub.ask('POST', `/api/v1/device/${device.selector}/command`, {
      token,
      body: { set: { [feature]: value } },
      headers: { Prefer: 'wait=10' },
    });
    return (json as { status: string }).status;
  };
  const untilOnline = (isSo: boolean): Promise<void> =>
    vi.waitFor(
      async () => expect((await state()) === 'connected' && (await isOnline(device.selector))).toBe(isSo),
      SOON,
    );
  return { command, devices, untilOnline, bytesWithout, bytesWith: loadedBytes };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function tookMs(task: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now();
  await task();
  return performance.now() - sinceMs;
}

const KINDS = Object.keys(BENCH_PEERS) as readonly Kind[];

test.each(KINDS)('%s: what is offered, commands, reconnects and code', async (kind) => {
  const peer = await BENCH_PEERS[kind]();
  const hubs = createHubFolder();
  try {
    const library = await askLibrary(kind, peer.place);
    const { command, devices, untilOnline, bytesWithout, bytesWith } = await openHub(hubs, peer);
    const features = (await devices()).flatMap((one) => one.features);
    const typed = features.filter(({ capability }) => !capability.startsWith('x.'));
    recordFigure({
      what: `${kind}, ${peer.what}: features`,
      hub: `${features.length} features of ${(await devices()).length} devices, ${Math.round((100 * typed.length) / features.length)} % with a word of the vocabulary`,
      reference: `${library.offered} entities in the library`,
      ratio: features.length / library.offered,
    });
    const times: number[] = [];
    for (let round = 0; round < COMMANDS; round += 1) {
      times.push(await tookMs(async () => expect(await command(peer.valueOf(round))).toBe('confirmed')));
    }
    recordFigure({
      what: `${kind}: ${COMMANDS} commands, until they are confirmed`,
      hub: timesOf(times),
      reference: timesOf(library.tookMs),
      ratio: percentile(times, 0.5) / percentile(library.tookMs, 0.5),
    });
    recordFigure({
      what: `${kind}: code that is read`,
      hub: `${Math.round((bytesWith() - bytesWithout) / 1_024)} KiB more`,
      reference: `${Math.round(bytesWithout / 1_024)} KiB without`,
      ratio: bytesWith() / bytesWithout,
    });
    await peer.kill();
    await untilOnline(false);
    await wait(DOWN_MS);
    const [restartMs, backMs] = [await tookMs(peer.start), await tookMs(() => untilOnline(true))];
    recordFigure({
      what: `${kind}: after a kill and ${DOWN_MS / 1_000} s without`,
      hub: `online ${s(backMs)} after it answers again`,
      reference: `${s(restartMs)} for its start`,
      ratio: backMs / restartMs,
    });
    // A connection counts as one that has worked after ten seconds.
    await wait(11_000);
    await peer.freeze();
    const noticedMs = await tookMs(() => untilOnline(false));
    await peer.thaw();
    const thawedMs = await tookMs(() => untilOnline(true));
    recordFigure({
      what: `${kind}: silent on an open connection, without a command`,
      hub: `noticed after ${s(noticedMs)}, online ${s(thawedMs)} after it speaks again`,
      reference: '60.0 s',
      ratio: (noticedMs + thawedMs) / 60_000,
      target: { atMost: 1 },
    });
    expect(await command(peer.valueOf(1))).toBe('confirmed');
  } finally {
    await hubs.close();
    await peer.close();
  }
});

const NONE: PeerCounts = { esphome: 0, shelly: 0, wled: 0, tasmota: 0, zwave: 0 };

async function deviceCount(hub: HubProcess, token: string): Promise<number> {
  const { headers } = await hub.ask('GET', '/api/v1/device?limit=1', { token });
  return Number(headers.get('x-total-count'));
}

test.each(KINDS)('%s: memory', async (kind) => {
  const count = kind === 'zwave' ? 1 : FURTHER + 1;
  const one = await startHouseOfKinds({ ...NONE, [kind]: 1 });
  const all = await startHouseOfKinds({ ...NONE, [kind]: count });
  const heapWith = async ({ join: joinHub, devices, brokerUrl }: typeof all): Promise<readonly [number, number]> => {
    const hubs = createHubFolder();
    try {
      const hub = await hubs.serve({
        HEARTHD_SIMULATE: '0',
        HEARTHD_MQTT_URL: brokerUrl,
        NODE_OPTIONS: `${UNIT_FLAGS} --import ${FAST_TIME}`,
        SOAK_SPEED: '1',
      });
      const { access_token: token } = await claimHub(hub);
      await wait(DOWN_MS);
      const before = await heapMb(hub);
      await joinHub(hub, token);
      await vi.waitFor(async () => expect(await deviceCount(hub, token)).toBe(devices), SOON);
      await wait(DOWN_MS);
      return [before, await heapMb(hub)];
    } finally {
      await hubs.close();
    }
  };
  try {
    const [none, first] = await heapWith(one);
    const [, last] = count === 1 ? [none, first] : await heapWith(all);
    const each = ((last - first) * 1_024) / FURTHER;
    const perDevice = ((last - first) * 1_024) / Math.max(1, all.devices - one.devices);
    recordFigure({
      what: `${kind}: heap of the first instance with its code${count === 1 ? `, ${one.devices} devices` : ''}`,
      hub: `${(first - none).toFixed(2)} MB`,
      reference: `${none.toFixed(1)} MB without`,
      ratio: first / none,
    });
    if (count > 1)
      recordFigure({
        what: `${kind}: each of ${FURTHER} further ${kind === 'tasmota' ? 'devices' : 'instances'}`,
        hub: `${each.toFixed(0)} KB, ${perDevice.toFixed(0)} KB a device`,
        reference: `${last.toFixed(1)} MB with all`,
        ratio: each / 1_024 / none,
      });
  } finally {
    await one.close();
    await all.close();
  }
});
