import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimHub, createHubFolder, type DeviceJson, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { endOf } from '#test/support/peers/mosquitto.ts';

const SOON = { timeout: 60_000, interval: 250 };
const PATH = '/api/v1/metrics';

type SampleJson = { metric: Record<string, string>; value: [number, string] };

const hubs = createHubFolder();
let hub: HubProcess;
let owner: string;
let token: string;

beforeAll(async () => {
  hub = await hubs.serve();
  owner = (await claimHub(hub)).access_token;
  const body = { name: 'prometheus', scopes: ['metrics:read'] };
  const made = await hub.ask('POST', '/api/v1/api_token', { token: owner, body });
  token = (made.json as { token: string }).token;
});
afterAll(hubs.close);

/** Starts Debian's Prometheus, which reads the hub each second; and ends with the test. */
async function startPrometheus(): Promise<(query: string) => Promise<readonly SampleJson[]>> {
  const folder = join(hubs.folder, 'prometheus');
  mkdirSync(folder);
  writeFileSync(join(folder, 'token'), token);
  const config = `scrape_configs:
  - job_name: home
    scrape_interval: 1s
    metrics_path: ${PATH}
    authorization:
      credentials_file: ${join(folder, 'token')}
    static_configs:
      - targets: ['${new URL(hub.address).host}']
`;
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const port = await findFreePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(() => endOf(child, 'SIGKILL'));
  return async (query) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
    return ((await answer.json()) as { data: { result: readonly SampleJson[] } }).data.result;
  };
}

/** What the API shows of numbers and booleans that devices reported. */
async function shownByApi(): Promise<Record<string, number>> {
  const { json } = await hub.ask('GET', '/api/v1/device', { token: owner });
  return Object.fromEntries(
    (json as readonly DeviceJson[]).flatMap(({ selector, features }) =>
      features
        .filter(({ value, quality }) => quality === 'confirmed' && /number|boolean/.test(typeof value))
        .map(({ key, value }) => [`${selector}/${key}`, Number(value)]),
    ),
  );
}

describe.skipIf(!needs('prometheus') || !needs('promtool'))('a real Prometheus', () => {
  test('reads every known value of the home, with its labels', async () => {
    const query = await startPrometheus();
    const shownByPrometheus = async (): Promise<Record<string, number>> => {
      const samples = await query('{__name__=~"hearthd_feature(_total)?"}');
      return Object.fromEntries(
        samples.map(({ metric, value }) => [`${metric['device']}/${metric['key']}`, Number(value[1])]),
      );
    };
    await vi.waitFor(async () => {
      const expected = await shownByApi();
      expect(Object.keys(expected).length).toBeGreaterThan(20);
      expect(await shownByPrometheus()).toEqual(expected);
    }, SOON);
    const [temperature] = await query('hearthd_feature{key="temperature"}');
    expect(temperature?.metric).toMatchObject({ job: 'home', unit: 'celsius' });
    expect(await query('hearthd_samples_left_out == 0')).toHaveLength(1);
    expect(await query('up == 1')).toHaveLength(1);
  });

  test('finds nothing to complain about', async () => {
    const { bytes, headers } = await hub.ask('GET', PATH, { token });
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: bytes, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });
});
