import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { KINDS } from '#integrations/table.ts';
import { claimHub, createHubFolder, type HubFolder } from '#test/support/daemon/hub-process.ts';
import { recordLoads } from '#test/support/daemon/loaded-files.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';

let hubs: HubFolder;
let broker: TestBroker;
beforeAll(async () => {
  hubs = createHubFolder();
  broker = await startBroker();
});
afterAll(async () => {
  await hubs.close();
  await broker.close();
});

/** The part of the program that has the code of a kind. */
function partOf(kind: string): string {
  const name = kind.replaceAll('_', '-');
  return readdirSync(dirname(BUNDLE)).find((file) => new RegExp(`^${name}-[0-9A-Z]{8}\\.mjs$`).test(file)) ?? '';
}

test('a hub reads the code of a kind when it has an instance of it, and not before', async () => {
  const loads = recordLoads(hubs.folder);
  const loaded = (): string[] => KINDS.map(({ id }) => id).filter((id) => loads.files().has(partOf(id)));
  expect(KINDS.filter(({ id }) => partOf(id) === '')).toEqual([]);
  const hub = await hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: 'off', NODE_OPTIONS: loads.nodeOptions });
  const { access_token: token } = await claimHub(hub);
  expect(await hub.ask('GET', '/api/v1/integration_kind', { token })).toMatchObject({ status: 200 });
  expect(loads.files()).toContain('hearthd.mjs');
  expect(loaded()).toEqual([]);

  const body = { kind: 'mqtt', settings: { address: broker.url } };
  expect(await hub.ask('POST', '/api/v1/integration', { token, body })).toMatchObject({ status: 201 });
  await vi.waitFor(() => expect(broker.connections()).toBe(2));
  expect(loaded()).toEqual(['mqtt']);
});
