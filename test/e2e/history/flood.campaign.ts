import { setTimeout as wait } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { claimHub, createHubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';

const SECONDS = 60;
/** Of those whose texts are recorded there are fewer: each is another call. */
const DEVICES = { auto: 100, on: 25 };
const TEXTS = ['a', 'b', 'c', 'd'];
/** 20 times a second: 300 reports, of which the ration of a script leaves some for later. */
const TOGETHER = 15;
const METERED = Array.from({ length: 30 }, (_, at) => `meter_${at}`);

/** As the kernel counts what the process gave to its disks. */
const writtenMb = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]) / 1e6;

async function openProvider(hub: HubProcess, owner: string, name: string) {
  const wants = { name, scopes: ['device:provide'], provider: name };
  const { json } = await hub.ask('POST', '/api/v1/api_token', { token: owner, body: wants });
  const { token } = json as { token: string };
  const call = (method: string, path: string, body: unknown) =>
    hub.ask(method, `/api/v1/provider/${name}${path}`, { token, body });
  expect((await call('PUT', '', { name })).status).toBe(201);
  return {
    declare: async (id: string, keys: readonly string[], value_type: string): Promise<string> => {
      const features = keys.map((key) => ({ key, capability: `x.${key}`, kind: 'state', value_type }));
      const device = { name: id, type: 'other', features };
      // A script may declare so many devices a second only.
      for (;;) {
        const answer = await call('PUT', `/device/${id}`, device);
        if (answer.status === 201) return (answer.json as { selector: string }).selector;
        expect([answer.status, answer.json]).toEqual([429, expect.anything()]);
        await wait(500);
      }
    },
    report: async (reports: readonly object[]): Promise<void> => {
      for (;;) {
        const answer = await call('POST', '/state', { reports });
        const { taken } = answer.json as { taken?: number };
        if (taken === reports.length) return;
        expect([answer.status, answer.json]).toEqual([429, expect.anything()]);
        await wait(50);
      }
    },
  };
}

test.each(['auto', 'on'] as const)(
  'one script with long texts, recording %s, wears out no disk and no memory, and a meter beside it loses nothing',
  async (mode) => {
    const hubs = createHubFolder();
    onTestFinished(hubs.close);
    const hub = await hubs.serve({ HEARTHD_SIMULATE: '0' });
    const owner = (await claimHub(hub)).access_token;
    const ask = (method: string, path: string, body?: unknown) =>
      hub.ask(method, `/api/v1${path}`, { token: owner, ...(body === undefined ? {} : { body }) });
    const put = async (path: string, body: unknown): Promise<void> => {
      for (;;) {
        const { status } = await ask('PATCH', path, body);
        if (status === 200) return;
        expect(status).toBe(429);
        await wait(500);
      }
    };
    const flood = await openProvider(hub, owner, 'flood');
    const meter = await openProvider(hub, owner, 'meter');
    const metered = await meter.declare('meter', METERED, 'number');
    for (const key of METERED) await put(`/device/${metered}/feature/${key}/recording`, { mode: 'on' });
    for (let at = 0; at < DEVICES[mode]; at += 1) {
      const selector = await flood.declare(`d${at}`, TEXTS, 'string');
      if (mode === 'on') {
        for (const key of TEXTS) await put(`/device/${selector}/feature/${key}/recording`, { mode });
      }
    }
    const beforeMb = writtenMb(hub.pid);
    let mostMb = 0;
    let sent = 0;
    let told = 0;
    const endMs = performance.now() + SECONDS * 1_000;
    const everySecond = async (): Promise<void> => {
      for (; performance.now() < endMs; await wait(1_000)) {
        told += 1;
        await meter.report([{ device: 'meter', values: Object.fromEntries(METERED.map((key) => [key, told])) }]);
        mostMb = Math.max(mostMb, hub.memoryMb());
      }
    };
    const floodOn = async (): Promise<void> => {
      for (let turn = 0; performance.now() < endMs; turn += 1) {
        const pause = wait(50);
        const reports = Array.from({ length: TOGETHER }, (_, at) => {
          sent += 1;
          const text = `${sent} `.padEnd(4_096, `text ${sent * 7_919} `);
          return {
            device: `d${(turn * TOGETHER + at) % DEVICES[mode]}`,
            values: Object.fromEntries(TEXTS.map((key) => [key, text])),
          };
        });
        await flood.report(reports);
        await pause;
      }
    };
    await Promise.all([everySecond(), floodOn()]);
    process.stdout.write(`recording ${mode}: ${sent / SECONDS} reports a second\n`);
    expectBelow('MB written in a minute', writtenMb(hub.pid) - beforeMb, mode === 'on' ? 100 : 30);
    expectBelow('resident memory, MB', mostMb, 400);
    await wait(2_000);
    for (const key of METERED) {
      const { json } = await ask('GET', `/device/${metered}/feature/${key}/history?from=-1h&resolution=raw`);
      const { series } = json as { series: { rows: [string, number][]; gaps: unknown[] }[] };
      expect(series[0]?.rows.map(([, value]) => value)).toEqual(Array.from({ length: told }, (_, at) => at + 1));
      expect(series[0]?.gaps).toEqual([]);
    }
    expect((await hub.end('SIGKILL')).code).toBe(null);
    const again = await hubs.serve({ HEARTHD_SIMULATE: '0' });
    expectBelow('resident memory after a kill and a new start, MB', again.memoryMb(), 350);
    await again.end('SIGKILL');
  },
  300_000,
);
