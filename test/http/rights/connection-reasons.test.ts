import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOfConnection } from '#core/integration/status-error.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

const INTEGRATIONS = join(import.meta.dirname, '../../../src/integrations');

/** What answers at 127.0.0.1:1, the broker of this hub. */
const REASON = /CONNECTION_REFUSED|broker_down|Nothing answers|127\.0\.0\.1/;
/** The same for other languages: it names the reason and the address once more. */
const WORDING = { id: 'CONNECTION_REFUSED', with: { place: '127.0.0.1:1' } };

test('only owners see why a connection fails, in no list, event, line of the timeline, notification or health, nor by its reason', async () => {
  const hub = await openWholeHub({ time: createFastTime(200) });
  const people = {
    owner: await hub.addPerson('ada', 'owner'),
    admin: await hub.addPerson('bob', 'admin'),
    resident: await hub.addPerson('cem', 'resident'),
  };
  const { user } = people.owner;
  const script = await hub.addToken(user, { scopes: ['device:read', 'system:read', 'history:read', 'event:read'] });
  const { token } = people.owner;
  const errorOf = async (of: string) => (await hub.call('GET /integration/mqtt', { token: of })).json['error'];
  await expect.poll(() => errorOf(token)).toMatchObject({ code: 'CONNECTION_REFUSED', reason: WORDING });
  const body = { type: 'mqtt', broker: 'mqtt' };
  expect((await hub.call('POST /exporter', { token, body })).status).toBe(201);
  const exporters = async (of: string) => (await hub.call('GET /exporter', { token: of })).json;
  await expect.poll(() => exporters(token)).toMatchObject([{ error: { code: 'broker_down', reason: WORDING } }]);
  expect(await exporters(people.admin.token)).toMatchObject([{ error: { code: 'connection_failed' } }]);
  // At this pace of the clock the start of the simulated home may count as a failure too.
  const told = () => hub.home.notifications.all().filter(({ key }) => key === 'hub:integration_down:mqtt');
  await expect.poll(told).toMatchObject([{ text: 'Its devices cannot be reached.' }]);

  const seen = [people.admin.token, people.resident.token, script].map((of) => errorOf(of));
  const reason = { id: 'CONNECTION_FAILED', with: {} };
  const hidden = { code: 'CONNECTION_FAILED', message: expect.any(String), reason };
  expect(await Promise.all(seen)).toEqual([hidden, hidden, hidden]);
  const since = `${hub.home.epoch}-0`;
  for (const [of, lists] of [
    [people.admin.token, ['integration', 'exporter', 'health', 'notification?limit=500', 'history/timeline']],
    [people.resident.token, ['integration', 'history/timeline', 'notification?limit=500']],
    [script, ['integration', 'health', 'history/timeline']],
    // What goes to all at once is the same for owners.
    [token, ['health', 'history/timeline', 'notification?limit=500']],
  ] as const) {
    for (const list of [...lists, `event?since=${since}&wait=0&limit=1000`]) {
      const { status, json } = await hub.call(`GET /${list}`, { token: of });
      expect([list, status, REASON.exec(JSON.stringify(withoutSettings(json)))?.[0]]).toEqual([list, 200, undefined]);
    }
  }
  const { json } = await hub.call(`GET /event?since=${since}&wait=0&limit=1000`, { token });
  expect(JSON.stringify(json), 'of the events there are some').toContain('CONNECTION_FAILED');
});

/** Those who may change settings see the address that they hold. */
function withoutSettings(json: unknown): unknown {
  return Array.isArray(json)
    ? json.map((one: object) => ({ ...one, settings: undefined }))
    : { ...(json as object), addresses: undefined };
}

/** They come from the peer that was meant, or from the hub, and say nothing of other machines. */
const OF_THE_PEER = [
  'ADDRESS_REFUSED',
  'BRIDGE_BUSY',
  'BRIDGE_OFFLINE',
  'BRIDGE_REPLACED',
  'BRIDGE_SILENT',
  'BRIDGE_TOO_OLD',
  'BROKER_REFUSED',
  'CERTIFICATE_CHANGED',
  'DEVICES_MISSING',
  'DEVICE_OVERDUE',
  'KEY_NEEDED',
  'KEY_REFUSED',
  'LIGHT_BUSY',
  'MATTER_KEYS_LOST',
  'MATTER_NOT_KEPT',
  'NOT_ENCRYPTED',
  'OTHER_ADDRESS',
  'OTHER_DEVICE',
  'OTHER_LIGHT',
  'OTHER_NETWORK',
  'OTHER_NODE',
  'PASSWORD_NEEDED',
  'PASSWORD_NOT_ASKED',
  'PASSWORD_REFUSED',
  'SERVER_RESTARTED',
  'SERVER_TOO_NEW',
  'SERVER_TOO_OLD',
  'STATES_NOT_READ',
  'STATE_LOST',
  'STATE_NOT_KEPT',
  'WRONG_PASSWORD',
  'WRONG_QOS',
];

test('each failure of a connection that a kind has is for owners, or was found to say nothing of other machines', () => {
  const texts = readdirSync(INTEGRATIONS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(INTEGRATIONS, name), 'utf8')] as const);
  const codes = texts.flatMap(([name, text]) => {
    if (name === 'mqtt/mqtt-failure.ts') return [...text.matchAll(/(?:failure\(|case )'([A-Z]+_[A-Z_]+|[A-Z]{7,})'/g)];
    const [table = ''] = name.endsWith('words/en.ts') ? (/^export const errors = \{.*^\}/ms.exec(text) ?? []) : [];
    return [...table.matchAll(/^ {2}([A-Z_]{5,}):/gm)];
  });
  const found = new Set(codes.flatMap(([, code = '']) => (/^E[A-Z]+$|^EAI_/.test(code) ? [] : [code])));
  expect(found.size).toBeGreaterThan(35);
  expect([...found].filter((code) => !isOfConnection({ code })).toSorted()).toEqual(OF_THE_PEER);
});
