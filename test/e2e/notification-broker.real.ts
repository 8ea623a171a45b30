import { connectAsync } from 'mqtt';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { claimHub, createHubFolder } from '#test/support/daemon/hub-process.ts';
import { startBroker } from '#test/support/peers/broker.ts';

const SOON = { interval: 50 };

const hubs = createHubFolder();
afterAll(hubs.close);

test('a broker keeps what is open, over a kill of the hub too, and what was acknowledged does not come back', async () => {
  const broker = await startBroker();
  onTestFinished(broker.close);
  const environment = { HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url };
  let hub = await hubs.serve(environment);
  const token = (await claimHub(hub)).access_token;
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await hub.ask(method, `/api/v1${path}`, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    return { status, json: json as Record<string, string> };
  };
  /** The titles that somebody gets who subscribes now. */
  const keptTitles = async (): Promise<readonly string[]> => {
    const client = await connectAsync(broker.url);
    const titles: string[] = [];
    client.on('message', (_topic, payload) => {
      // An empty one takes a kept message away.
      if (payload.length > 0) titles.push((JSON.parse(payload.toString()) as { title: string }).title);
    });
    await client.subscribeAsync('hearthd/notification/+');
    // What is published after the subscription comes after everything that the broker kept.
    await client.publishAsync('hearthd/notification/end', JSON.stringify({ title: 'end' }), { qos: 1 });
    await vi.waitFor(() => expect(titles).toContain('end'), SOON);
    await client.endAsync();
    return titles.filter((title) => title !== 'end');
  };
  const channel = await ask('POST', '/notification_channel', { type: 'mqtt', broker: 'mqtt' });
  expect(channel.status).toBe(201);
  const first = await ask('POST', '/notification', { title: 'The door is open' });
  await ask('POST', '/notification', { title: 'The window is open' });
  await vi.waitFor(async () => expect(await keptTitles()).toHaveLength(2), SOON);
  expect((await ask('POST', `/notification/${first.json['id']}/acknowledge`)).status).toBe(200);
  await hub.end('SIGKILL');
  hub = await hubs.serve(environment);
  const { json } = await ask('GET', '/notification');
  expect(json['notifications']).toMatchObject([
    { title: 'The window is open', state: 'open' },
    { title: 'The door is open', state: 'acknowledged' },
  ]);
  await vi.waitFor(async () => expect(await keptTitles()).toEqual(['The window is open']), SOON);
  await hub.end('SIGTERM');
});
