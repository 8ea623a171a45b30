import { expect, test } from 'vitest';
import { TOKEN_SCOPES } from '#auth/scope.ts';
import { openWholeHub, type WholeAnswer } from '#test/support/hub/whole-hub.ts';

type Entry = Readonly<Record<'type' | 'user_id' | 'session' | 'api_token' | 'detail' | 'peer', string | null>>;

const WEBHOOK = { url: 'http://192.168.1.5:1880/hook?secret=1', enabled: false };

test('A10: the audit log has each change of the people and tokens that may come in, and of the places where data goes, and who made it', async () => {
  const hub = await openWholeHub();
  const ada = await hub.addPerson('ada', 'owner');
  const script = await hub.addToken(ada.user, { scopes: TOKEN_SCOPES });
  const [apiToken] = hub.home.apiTokens.tokens();
  const ask = async (line: string, body?: unknown, token = ada.token): Promise<WholeAnswer> => {
    const answer = await hub.call(line, { token, body });
    expect([line, answer.status < 300]).toEqual([line, true]);
    return answer;
  };
  const log = async (): Promise<Entry[]> => (await ask('GET /audit')).json as unknown as Entry[];
  const before = (await log()).length;

  await ask('POST /backup');
  const [backup] = (await ask('GET /backup')).json as unknown as { id: string }[];
  await ask(`GET /backup/${backup?.id}/content`);
  await ask('PATCH /integration/zigbee2mqtt', { base_topic: 'upstairs' });
  const webhook = String((await ask('POST /webhook', WEBHOOK)).json['id']);
  await ask(`PATCH /webhook/${webhook}`, { url: 'http://192.168.1.6/' });
  await ask(`DELETE /webhook/${webhook}`);
  await ask('PATCH /hub', { name: 'Summer house' });
  await ask('POST /integration/simulated-home/pairing', { seconds: 10 });
  await ask('DELETE /integration/simulated-home/pairing');
  await ask('POST /device/front-door-lock/command', { set: { locked: false } });
  await ask('POST /device/kitchen-ceiling/command', { set: { on: false } });
  await ask('DELETE /device/kitchen-ceiling');
  await ask('POST /device/front-door-lock/command', { set: { locked: true } }, script);

  const entries = (await log()).toReversed().slice(before);
  const session = ada.sessionId.slice(0, 13);
  expect(entries.map(({ type, detail }) => [type, detail].filter((part) => part !== null).join(' '))).toEqual([
    'backup.made',
    `backup.downloaded ${backup?.id}`,
    'integration.changed zigbee2mqtt base_topic',
    'webhook.added 192.168.1.5:1880',
    'webhook.changed 192.168.1.6',
    'webhook.removed 192.168.1.6',
    'hub.renamed',
    'pairing.opened simulated-home',
    'command.given locked=false front-door-lock',
    'device.removed kitchen-ceiling',
    'command.given locked=true front-door-lock',
  ]);
  for (const entry of entries) expect(entry).toMatchObject({ user_id: ada.user.id, peer: '127.0.0.1' });
  expect(entries.map((entry) => [entry.session, entry.api_token])).toEqual([
    ...Array.from({ length: 10 }, () => [session, null]),
    [null, apiToken?.id],
  ]);
  expect(JSON.stringify(entries)).not.toContain('secret');
});

test('A10: a thousand commands to open a door displace only earlier commands in the audit log', async () => {
  const hub = await openWholeHub();
  const { audit, auditHistory } = hub.home;
  const ada = await hub.addPerson('ada', 'owner');
  await hub.call('PATCH /hub', { token: ada.token, body: { name: 'Summer house' } });
  for (let count = 0; count < 1_000; count += 1) {
    const detail = `locked=${String(count % 2 === 0)} front-door-lock`;
    await audit.record({ type: 'command.given', peer: '192.168.1.9', userId: ada.user.id, detail });
  }
  const { records } = await auditHistory.list({ limit: null });
  expect(records.filter(({ type }) => type === 'hub.renamed')).toHaveLength(1);
  expect(records.filter(({ type }) => type === 'command.given')).toHaveLength(12);
});
