import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { type BenchHub, startBenchHub } from './support/bench-hub.ts';
import { type Child, startChild } from './support/child.ts';
import { interleave, recordFigure } from './support/figure.ts';
import { loadHttp } from './support/http-load.ts';
import { cpuUs } from './support/process-cost.ts';

const LIST = '/api/v1/device';

/** As the kernel counts them, so that messages between the threads do not count. */
function filesWrittenSince(folder: string, sinceMs: number): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).mtimeMs > sinceMs,
  );
}

async function startPublisher({ mosquitto }: BenchHub): Promise<Child> {
  const publisher = startChild('publisher.mjs');
  await publisher.ask({ do: 'connect', url: mosquitto.url });
  return publisher;
}

test('a change costs the same in a small home and in a large one', async () => {
  const homes = { small: await startBenchHub(10), large: await startBenchHub(10_000) };
  const publishers = { small: await startPublisher(homes.small), large: await startPublisher(homes.large) };
  const cpuPerChange = async (home: keyof typeof homes, reporting: number): Promise<number> => {
    const { pid } = homes[home].hub;
    const publisher = publishers[home];
    const publishedBefore = await publisher.ask<number>({ do: 'pause' });
    const before = cpuUs(pid);
    await publisher.ask({ do: 'start', perSecond: 500, devices: reporting });
    await wait(4_000);
    const published = await publisher.ask<number>({ do: 'pause' });
    await wait(200);
    return (cpuUs(pid) - before) / (published - publishedBefore);
  };
  try {
    // A hub that has just started is still being optimised.
    for (const home of ['small', 'large'] as const)
      for (let round = 0; round < 3; round += 1) await cpuPerChange(home, 10);
    const cpu = await interleave({
      small: () => cpuPerChange('small', 10),
      large: () => cpuPerChange('large', 10),
      all: () => cpuPerChange('large', 5_000),
    });
    recordFigure({
      what: 'state change, from the broker: CPU in a home of 10,000 devices, ten of which report',
      hub: `${cpu.large.toFixed(0)} µs`,
      reference: `the same ten in a home of 10 ${cpu.small.toFixed(0)} µs`,
      ratio: cpu.large / cpu.small,
      target: { atMost: 1.1 },
    });
    recordFigure({
      what: 'the same, 5,000 report in turn: nothing coalesces on its way to the disk',
      hub: `${cpu.all.toFixed(0)} µs`,
      reference: `ten in a home of 10 ${cpu.small.toFixed(0)} µs`,
      ratio: cpu.all / cpu.small,
    });
  } finally {
    for (const home of ['small', 'large'] as const) {
      await publishers[home].stop();
      await homes[home].stop();
    }
  }
});

test('the list is served while devices report', async () => {
  const started = await startBenchHub(100);
  const publisher = await startPublisher(started);
  const headers = { Authorization: `Bearer ${started.token}` };
  const rateAt = async (perSecond: number): Promise<number> => {
    if (perSecond > 0) await publisher.ask({ do: 'start', perSecond, devices: 100 });
    const { answers, seconds } = await loadHttp({
      port: started.port,
      path: LIST,
      headers,
      connections: 16,
      forMs: 2_000,
      status: 200,
    });
    await publisher.ask({ do: 'pause' });
    return answers / seconds;
  };
  try {
    const rate = await interleave({ rest: () => rateAt(0), hundred: () => rateAt(100), thousand: () => rateAt(1_000) });
    for (const [name, perSecond, target] of [
      ['hundred', 100, undefined],
      ['thousand', 1_000, { atLeast: 0.6 }],
    ] as const) {
      recordFigure({
        what: `GET /device, 100 devices, while ${perSecond} changes/s arrive: requests/s`,
        hub: rate[name].toFixed(0),
        reference: `at rest ${rate.rest.toFixed(0)}`,
        ratio: rate[name] / rate.rest,
        ...(target === undefined ? {} : { target }),
      });
    }
  } finally {
    await publisher.stop();
    await started.stop();
  }
});

test('only what changed is serialised anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-bench-'));
  try {
    const entry = await bundleEntry('test/bench/support/list-rebuild.ts', folder);
    const lines = execFileSync(process.execPath, [entry], { encoding: 'utf8' }).trim().split('\n');
    for (const line of lines) {
      const { devices, rebuildMs, stringifyMs } = JSON.parse(line) as Record<string, number>;
      if (devices === undefined || rebuildMs === undefined || stringifyMs === undefined) throw new Error(line);
      recordFigure({
        what: `one change, then the list of ${devices} devices`,
        hub: `${rebuildMs.toFixed(3)} ms`,
        reference: `JSON.stringify of all ${stringifyMs.toFixed(3)} ms`,
        ratio: rebuildMs / stringifyMs,
        target: { atMost: devices === 100 ? 0.3 : 0.5 },
      });
    }
    expect(lines).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('little is written for a change and nothing without one', async () => {
  const counts = mkdtempSync(join(tmpdir(), 'hearthd-bench-'));
  const FSYNC_COUNT = join(counts, 'fsyncs');
  const preload = pathToFileURL(join(import.meta.dirname, 'support/count-fsyncs.mjs')).href;
  const started = await startBenchHub(100, { FSYNC_COUNT, NODE_OPTIONS: `--import ${preload}` });
  const publisher = await startPublisher(started);
  const written = async (): Promise<number> => {
    const { json } = await started.hub.ask('GET', '/api/v1/health', { token: started.token });
    return (json as { disk: { written_today_bytes: number } }).disk.written_today_bytes;
  };
  try {
    await wait(15_000);
    const idleSinceMs = Date.now();
    await wait(30_000);
    const touched = filesWrittenSince(started.folder, idleSinceMs);
    const before = await written();
    const fsyncsBefore = statSync(FSYNC_COUNT).size;
    await publisher.ask({ do: 'start', perSecond: 100, devices: 100 });
    await wait(30_000);
    const published = await publisher.ask<number>({ do: 'pause' });
    await wait(12_000);
    const perChange = ((await written()) - before) / published;
    recordFigure({
      what: 'bytes written per state change at 100 changes/s',
      hub: perChange.toFixed(0),
      reference: '512',
      ratio: perChange / 512,
      target: { atMost: 1 },
    });
    const fsyncs = statSync(FSYNC_COUNT).size - fsyncsBefore;
    recordFigure({
      what: 'fsyncs per state change at 100 changes/s',
      hub: (fsyncs / published).toFixed(4),
      reference: 'a transaction for each 1',
      ratio: fsyncs / published,
    });
    recordFigure({
      what: 'files written to in 30 idle seconds',
      hub: [touched.length, ...touched].join(' '),
      reference: '0',
      ratio: touched.length,
      target: { atMost: 0 },
    });
  } finally {
    await publisher.stop();
    await started.stop();
    rmSync(counts, { recursive: true });
  }
});
