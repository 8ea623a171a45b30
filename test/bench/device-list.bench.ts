import { expect, test } from 'vitest';
import { type BenchHub, startBenchHub } from './support/bench-hub.ts';
import { interleave, recordFigure } from './support/figure.ts';
import { type HttpLoad, loadHttp } from './support/http-load.ts';
import { cpuUs, residentMb } from './support/process-cost.ts';
import { startChild } from './support/child.ts';

const PATH = '/api/v1/device';
const MEASURE_MS = 1_500;
/** A page and a few scripts. */
const CONNECTIONS = 4;
const us = (value: number): string => `${value.toFixed(1)} µs`;

type Target = { readonly pid: number; readonly load: Omit<HttpLoad, 'connections' | 'forMs'> };

/** Processor microseconds of the server for one answer. */
async function cpuPerAnswer({ pid, load }: Target, connections: number): Promise<number> {
  const before = cpuUs(pid);
  const { answers } = await loadHttp({ ...load, connections, forMs: MEASURE_MS });
  return (cpuUs(pid) - before) / answers;
}

async function answersPerSecond({ load }: Target, connections: number): Promise<number> {
  const { answers, seconds } = await loadHttp({ ...load, connections, forMs: MEASURE_MS });
  return answers / seconds;
}

async function targetOf({ hub, port, token }: BenchHub): Promise<Target & { text: string; etag: string }> {
  const { bytes, headers } = await hub.ask('GET', PATH, { token });
  const load = { port, path: PATH, headers: { Authorization: `Bearer ${token}` }, status: 200 };
  return { pid: hub.pid, load, text: bytes.toString(), etag: headers.get('etag') ?? '' };
}

test.each([
  { devices: 10 },
  { devices: 100, target: { atMost: 1.3 }, memoryMb: 105 },
  { devices: 1_000, target: { atMost: 1.2 } },
  { devices: 10_000 },
])('the list of $devices devices costs little more than its bytes', async ({ devices, target, memoryMb }) => {
  const started = await startBenchHub(devices);
  const hub = await targetOf(started);
  const raw = startChild('raw-server.mjs');
  const { port } = await raw.ask<{ port: number }>({ text: hub.text });
  const reference: Target = { pid: raw.pid, load: { port, path: PATH, status: 200 } };
  const size = `${(hub.text.length / 1_000).toFixed(0)} kB`;
  try {
    await cpuPerAnswer(hub, CONNECTIONS);
    await cpuPerAnswer(reference, CONNECTIONS);
    const cpu = await interleave({
      hub: () => cpuPerAnswer(hub, CONNECTIONS),
      raw: () => cpuPerAnswer(reference, CONNECTIONS),
    });
    recordFigure({
      what: `GET /device, ${devices} devices (${size}), ${CONNECTIONS} kept connections: CPU per request`,
      hub: us(cpu.hub),
      reference: `raw node:http ${us(cpu.raw)}`,
      ratio: cpu.hub / cpu.raw,
      ...(target === undefined ? {} : { target }),
    });
    const usedMb = residentMb(hub.pid);
    recordFigure({
      what: `memory after that load, ${devices} devices, without Matter`,
      hub: `${usedMb.toFixed(1)} MB`,
      reference: '105 MB',
      ratio: usedMb / 105,
      ...(memoryMb === undefined ? {} : { target: { atMost: memoryMb / 105 } }),
    });
    const rate = await interleave({ hub: () => answersPerSecond(hub, 16), raw: () => answersPerSecond(reference, 16) });
    recordFigure({
      what: `GET /device, ${devices} devices, 16 connections: requests/s`,
      hub: rate.hub.toFixed(0),
      reference: `raw node:http ${rate.raw.toFixed(0)}`,
      ratio: rate.hub / rate.raw,
    });
    if (devices === 100 || devices === 1_000) await measureNotModified(hub, devices);
  } finally {
    await raw.stop();
    await started.stop();
  }
});

async function measureNotModified(hub: Target & { etag: string }, devices: number): Promise<void> {
  const headers = { ...hub.load.headers, 'If-None-Match': hub.etag };
  const notModified: Target = { ...hub, load: { ...hub.load, headers, status: 304 } };
  const { lastHead } = await loadHttp({ ...notModified.load, connections: 1, forMs: 50 });
  expect(lastHead).toContain('304');
  const cpu = await interleave({
    notModified: () => cpuPerAnswer(notModified, 16),
    whole: () => cpuPerAnswer(hub, 16),
  });
  recordFigure({
    what: `304 of the list of ${devices} devices: CPU per request`,
    hub: us(cpu.notModified),
    reference: `its own 200 ${us(cpu.whole)}`,
    ratio: cpu.notModified / cpu.whole,
    target: { atMost: devices === 100 ? 0.75 : 0.3 },
  });
  recordFigure({
    what: `304 of the list of ${devices} devices: bytes`,
    hub: `${lastHead.length + 4}`,
    reference: '250 bytes',
    ratio: (lastHead.length + 4) / 250,
    target: { atMost: 1 },
  });
}
