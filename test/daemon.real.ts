import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#config/load-config.ts';
import { startDaemon } from '#daemon';
import { startStorageAhead } from '#storage/thread/storage-start.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

test('S8: after the storage thread died, every answer is 503 RESTARTING until a new one serves the saved state', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-daemon-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { HEARTHD_PORT: '0', HEARTHD_MQTT_URL: 'off', HEARTHD_SIMULATE: '1' };
  const loaded = loadConfig({ environment, stateDir: join(folder, 'state'), installed: false });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  const workers: Worker[] = [];
  const noteWorker = (worker: Worker): void => void workers.push(worker);
  process.on('worker', noteWorker);
  onTestFinished(() => void process.off('worker', noteWorker));
  const { log, lines } = createRecordingLog();
  let claim_code = '';
  const storage = startStorageAhead({
    threadUrl: new URL('storage-thread.mjs', pathToFileURL(BUNDLE)),
    folders: { state: loaded.config.stateDir, runtime: loaded.config.runtimeDir },
    log,
  });
  const daemon = await startDaemon({
    config: loaded.config,
    version: '1.2.3',
    hubCommand: 'hearthd',
    bundleUrl: pathToFileURL(BUNDLE),
    openStorage: storage.open,
    log,
    announceClaimCode: (code) => (claim_code = code),
  });
  onTestFinished(() => daemon.stop());
  const address = daemon.addresses().find((url) => url.includes('127.0.0.1')) ?? '';
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  const owner = { email: 'ada@example.org', password: 'cup river stamp' };
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${address}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const claimed = (await (await post('setup', { claim_code, ...owner })).json()) as { access_token: string };
  headers['Authorization'] = `Bearer ${claimed.access_token}`;
  expect((await post('room', { name: 'Attic' })).status).toBe(201);

  await workers[0]?.terminate();
  const answers: string[] = [];
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${address}/api/v1/room`, { headers });
        const body = (await answer.json()) as { code?: string };
        answers.push(`${answer.status} ${body.code ?? ''} ${answer.headers.get('retry-after') ?? ''}`.trim());
        return answer.status;
      },
      { interval: 1 },
    )
    .toBe(200);
  expect(answers[0]).toBe('503 RESTARTING 2');
  expect(new Set(answers)).toEqual(new Set(['503 RESTARTING 2', '200']));
  expect(workers).toHaveLength(2);
  const rooms = (await (await fetch(`${address}/api/v1/room`, { headers })).json()) as { name: string }[];
  expect(rooms.map(({ name }) => name)).toContain('Attic');
  expect((await post('login', owner)).status).toBe(200);
  expect(lines.filter((line) => line.includes('the storage failed'))).toHaveLength(1);
});
