import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

test('X: a hub whose log has no reader any more goes on, and stops in order on SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-journal-'));
  const hub = spawn(process.execPath, [BUNDLE, 'serve', '--state-dir', join(folder, 'state')], {
    env: {
      HEARTHD_PORT: '0',
      HEARTHD_SIMULATE: '0',
      HEARTHD_MQTT_URL: 'off',
      HEARTHD_RUNTIME_DIR: join(folder, 'run'),
    },
  });
  const exited = once(hub, 'exit');
  onTestFinished(async () => {
    hub.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  let shown = '';
  hub.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  hub.stderr.resume();
  const url = await vi.waitFor(() => /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] ?? Promise.reject(new Error(shown)));
  hub.stderr.destroy();
  await once(hub.stderr, 'close');
  // Each of the first refusals of a kind is a line of the log.
  const forwarded = await fetch(`${url}/api`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  expect(forwarded.status).toBe(403);
  expect((await fetch(`${url}/api`)).status).toBe(200);
  hub.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
