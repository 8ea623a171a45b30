import { hash, verify } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { OWNER } from '#test/support/daemon/hub-process.ts';
import { startBenchHub } from './support/bench-hub.ts';
import { startChild } from './support/child.ts';
import { median } from '#test/support/median.ts';
import { interleave, percentile, recordFigure } from './support/figure.ts';
import { loadHttp } from './support/http-load.ts';
import { cpuUs } from './support/process-cost.ts';

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const us = (value: number): string => `${value.toFixed(1)} µs`;
/** What the hub asks of argon2id (requirement A3). */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

async function medianMs(count: number, run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startMs = performance.now();
    await run();
    taken.push(performance.now() - startMs);
  }
  return median(taken);
}

test('a login costs little more than its password', async () => {
  const { hub, port, token, stop } = await startBenchHub(100);
  const phc = await hash(OWNER.password, ARGON2);
  const login = async (): Promise<void> => {
    const { status } = await hub.ask('POST', '/api/v1/login', { body: OWNER });
    if (status !== 200) throw new Error(`the login was answered ${status}`);
  };
  /** Over the bare socket, as a client library would cost more than the hub. */
  const loginMs = async (): Promise<number> => {
    const taken: number[] = [];
    const load = { port, path: '/api/v1/login', body: OWNER, status: 200, connections: 1, forMs: 200 };
    await loadHttp({ ...load, onAnswer: (tookMs) => void taken.push(tookMs) });
    return median(taken);
  };
  try {
    await medianMs(3, login);
    const took = await interleave({
      login: loginMs,
      argon2: () => medianMs(5, () => verify(phc, OWNER.password)),
    });
    recordFigure({
      what: 'login',
      hub: ms(took.login),
      reference: `argon2id alone ${ms(took.argon2)}`,
      ratio: took.login / took.argon2,
      target: { atMost: 1.2 },
    });
    const list = { port, path: '/api/v1/device', headers: { Authorization: `Bearer ${token}` }, status: 200 };
    const p99Of = async (meanwhile: boolean): Promise<number> => {
      const taken: number[] = [];
      const over = new AbortController();
      const loggingIn = Array.from({ length: meanwhile ? 4 : 0 }, async () => {
        while (!over.signal.aborted) await login();
      });
      await loadHttp({ ...list, connections: 1, forMs: 2_000, onAnswer: (tookMs) => void taken.push(tookMs) });
      over.abort();
      await Promise.all(loggingIn);
      return percentile(taken, 0.99);
    };
    const p99 = await interleave({ alone: () => p99Of(false), beside: () => p99Of(true) });
    recordFigure({
      what: 'GET /device, 100 devices, while four log in: p99',
      hub: ms(p99.beside),
      reference: `alone ${ms(p99.alone)}`,
      ratio: p99.beside / p99.alone,
      target: { atMost: 2 },
    });
  } finally {
    await stop();
  }
});

test('a refresh costs what an answer costs', async () => {
  const { hub, port, stop } = await startBenchHub(10);
  const login = await hub.ask('POST', '/api/v1/login', { body: OWNER });
  const { refresh_token } = login.json as { refresh_token: string };
  expect(login.status).toBe(200);
  const raw = startChild('raw-server.mjs');
  const { port: rawPort } = await raw.ask<{ port: number }>({ text: 'x'.repeat(500) });
  const path = '/api/v1/access_token';
  const cpuOf = async (pid: number, servedPort: number): Promise<number> => {
    const before = cpuUs(pid);
    const load = { port: servedPort, path, body: { refresh_token }, status: 200, connections: 4, forMs: 1_500 };
    const { answers } = await loadHttp(load);
    return (cpuUs(pid) - before) / answers;
  };
  try {
    const cpu = await interleave({ hub: () => cpuOf(hub.pid, port), raw: () => cpuOf(raw.pid, rawPort) });
    recordFigure({
      what: 'POST /access_token: CPU per request',
      hub: us(cpu.hub),
      reference: `raw node:http ${us(cpu.raw)}`,
      ratio: cpu.hub / cpu.raw,
    });
  } finally {
    await raw.stop();
    await stop();
  }
});
