import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import { makeFolder } from '#test/storage/storage-harness.ts';
import { interleave, percentile, recordFigure, ROUNDS } from './support/figure.ts';
import { loadHttp } from './support/http-load.ts';
import { deviceSelector, makePast } from './support/history/reference-past.ts';
import { cpuUs } from './support/process-cost.ts';
import { UNIT_FLAGS } from './support/unit-flags.ts';

const DAYS = Number(process.env['DAYS'] ?? 365);
const POWER = 80;
const mb = (value: number): string => `${value.toFixed(1)} MB`;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

/** A hub with the devices of the reference home and so many days behind them. */
async function openHub(days: number) {
  const hubs = createHubFolder();
  await makePast(days, join(hubs.folder, 'state'));
  const serve = (): Promise<HubProcess> => hubs.serve({ HEARTHD_SIMULATE: '0', NODE_OPTIONS: UNIT_FLAGS });
  const first = await serve();
  const { access_token: token } = await claimHub(first);
  await first.end('SIGTERM');
  return { hubs, serve, token };
}

type Hub = Awaited<ReturnType<typeof openHub>>;

async function startMs({ serve }: Hub): Promise<number> {
  const hub = await serve();
  await hub.end('SIGTERM');
  return hub.readyMs;
}

async function startCpuMs({ serve }: Hub): Promise<number> {
  const hub = await serve();
  const usedMs = cpuUs(hub.pid) / 1_000;
  await hub.end('SIGTERM');
  return usedMs;
}

/** After so many questions about each span that the garbage of each has been collected. */
async function memoryMb({ serve, token }: Hub, asks: boolean): Promise<number> {
  const hub = await serve();
  const toMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  await hub.ask('GET', '/api/v1/device', { token });
  for (const days of asks ? [1, 30, 365] : []) {
    const fromMs = toMs - days * 86_400_000;
    const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}&points=500`;
    for (let round = 0; round < 5; round += 1) {
      const path = `/api/v1/device/${deviceSelector(POWER + round)}/feature/power/history?${range}`;
      expect((await hub.ask('GET', path, { token })).status).toBe(200);
    }
  }
  await wait(3_000);
  const used = hub.memoryMb();
  await hub.end('SIGTERM');
  return used;
}

test('a year of history costs little at the start and in memory', async () => {
  const [past, fresh] = [await openHub(DAYS), await openHub(0)];
  try {
    const took = await interleave({ past: () => startMs(past), fresh: () => startMs(fresh) });
    const cpu = await interleave({ past: () => startCpuMs(past), fresh: () => startCpuMs(fresh) });
    recordFigure({
      what: `start with ${DAYS} days of history`,
      hub: `${ms(took.past)} (${ms(cpu.past)} of processor)`,
      reference: `without ${ms(took.fresh)} (${ms(cpu.fresh)})`,
      ratio: took.past / took.fresh,
      target: { atMost: (took.fresh + 50) / took.fresh },
    });
    for (const asks of [false, true]) {
      const used = await interleave({ past: () => memoryMb(past, asks), fresh: () => memoryMb(fresh, asks) });
      recordFigure({
        what: `memory with ${DAYS} days of history${asks ? ', after 15 questions about days, months and years' : ''}`,
        hub: mb(used.past),
        reference: `without ${mb(used.fresh)}`,
        ratio: used.past / used.fresh,
        target: { atMost: (used.fresh + 12) / used.fresh },
      });
    }
  } finally {
    for (const { hubs } of [past, fresh]) await hubs.close();
  }
});

function bytesOf(folder: string, pattern: RegExp): number {
  const names = readdirSync(folder).filter((name) => pattern.test(name));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

test.each([
  { days: 30, wantedMb: 15 },
  { days: 365, wantedMb: 190 },
])('the disk that $days days take', async ({ days, wantedMb }) => {
  if (days > DAYS) return;
  const { folder } = await makePast(days, join(makeFolder(), 'state'));
  const months = bytesOf(join(folder, 'history'), /^\d{4}-\d\d\.db/) / 1e6;
  const hours = bytesOf(join(folder, 'history'), /^hours-/) / 1e6;
  const copies = bytesOf(join(folder, 'backups/history'), /\.db$/) / 1e6;
  recordFigure({
    what: `disk for ${days} days of the reference home`,
    hub: `${mb(months + hours)} (hours ${mb(hours)}; copies in the backups ${mb(copies)} more)`,
    reference: `wanted ${mb(wantedMb)}`,
    ratio: (months + hours) / wantedMb,
    target: { atMost: 1 },
  });
});

test('an exporter that catches up delays nobody', async () => {
  let points = 0;
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) points += 1;
    });
    request.on('end', () => response.writeHead(204).end());
  });
  const port = await listenOnLoopback(receiver);
  const { hubs, serve, token } = await openHub(Math.min(DAYS, 30));
  const hub = await serve();
  const took = async (forMs: number): Promise<number> => {
    const answers: number[] = [];
    const headers = { Authorization: `Bearer ${token}` };
    const hubPort = Number(new URL(hub.address).port);
    const onAnswer = (tookMs: number): void => void answers.push(tookMs);
    await loadHttp({ port: hubPort, path: '/api/v1/device', headers, status: 200, connections: 1, forMs, onAnswer });
    return percentile(answers, 0.99);
  };
  const body = { type: 'line_protocol', url: `http://127.0.0.1:${port}/write`, from: 'beginning' };
  try {
    const alone: number[] = [];
    const beside: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await took(2_000));
      const { status, json } = await hub.ask('POST', '/api/v1/exporter', { token, body });
      expect(status).toBe(201);
      const before = points;
      const sinceMs = performance.now();
      beside.push(await took(5_000));
      rates.push(((points - before) * 1_000) / (performance.now() - sinceMs));
      await hub.ask('DELETE', `/api/v1/exporter/${(json as { id: string }).id}`, { token });
    }
    const [rate, p99, aloneP99] = [rates, beside, alone].map((values) => percentile(values, 0.5));
    recordFigure({
      what: 'samples/s of an exporter that catches up',
      hub: (rate ?? 0).toFixed(0),
      reference: 'its limit 2000',
      ratio: (rate ?? 0) / 2_000,
      target: { atLeast: 0.8 },
    });
    recordFigure({
      what: 'GET /device while an exporter catches up: p99',
      hub: ms(p99 ?? 0),
      reference: `without ${ms(aloneP99 ?? 0)}`,
      ratio: (p99 ?? 0) / (aloneP99 ?? 0),
      target: { atMost: 1.2 },
    });
  } finally {
    await hub.end('SIGTERM');
    await hubs.close();
    receiver.close();
  }
});

test('all samples of a year are read page by page, in little memory', async () => {
  const hubs = await openHub(DAYS);
  const hub = await hubs.serve();
  const { token } = hubs;
  const toMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const path = `/api/v1/device/${deviceSelector(POWER)}/feature/power/history`;
  const range = `resolution=raw&times=ms&from=${new Date(toMs - DAYS * 86_400_000).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const pages: { readonly rows: number; readonly tookMs: number; readonly memoryMb: number }[] = [];
  try {
    await hub.ask('GET', '/api/v1/device', { token });
    const before = hub.memoryMb();
    for (let cursor: string | null = ''; cursor !== null;) {
      const sinceMs = performance.now();
      const { status, json } = await hub.ask('GET', `${path}?${range}${cursor === '' ? '' : `&cursor=${cursor}`}`, {
        token,
      });
      expect(status).toBe(200);
      const { next, series } = json as { next: string | null; series: { rows: unknown[] }[] };
      pages.push({ rows: series[0]?.rows.length ?? 0, tookMs: performance.now() - sinceMs, memoryMb: hub.memoryMb() });
      cursor = next;
    }
    const most = Math.max(...pages.map(({ memoryMb: used }) => used));
    recordFigure({
      what: `memory while ${pages.reduce((sum, { rows }) => sum + rows, 0)} samples of ${DAYS} days are read in ${pages.length} pages of at most ${Math.max(...pages.map(({ rows }) => rows))}`,
      hub: `${mb(most)} at most; a page in ${ms(
        percentile(
          pages.map(({ tookMs }) => tookMs),
          0.5,
        ),
      )}`,
      reference: `before ${mb(before)}`,
      ratio: most / before,
    });
  } finally {
    await hub.end('SIGTERM');
    await hubs.hubs.close();
  }
});
