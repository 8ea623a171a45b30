import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Publish } from '#notify/channel-message.ts';
import { contentOf, openChannelHome, settingsOf, startNtfy, startReceiver } from './channel-home.ts';

const SOON = { interval: 5 };
const HOUR_MS = 3_600_000;

type Home = Awaited<ReturnType<typeof openChannelHome>>;

/** Lets time pass in steps in which requests can end. */
async function passUntil(home: Home, isDone: () => boolean, stepMs = 1_000): Promise<void> {
  await vi.waitFor(async () => {
    if (home.underWay() === 0) await home.time.advance(stepMs);
    expect(isDone()).toBe(true);
  }, SOON);
}

test('an ntfy server gets title, text, urgency and the token', async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy('tk_1');
  await home.channels.add(settingsOf({ url: ntfy.url, secret: 'tk_1' }));
  await home.notifications.post(contentOf({ severity: 'critical', title: 'Wasser an der Spüle — schnell!' }));
  await home.notifications.post(contentOf({ severity: 'info', title: 'Only a title', text: '' }));
  await home.notifications.post(contentOf({ severity: 'info', text: 'ü'.repeat(2_000).concat('€'.repeat(300)) }));
  await vi.waitFor(() => expect(ntfy.received).toHaveLength(3), SOON);
  expect(ntfy.received.map(({ json }) => json).slice(0, 2)).toEqual([
    {
      topic: 'home',
      title: 'Wasser an der Spüle — schnell!',
      message: 'For ten minutes.',
      priority: 5,
      tags: ['rotating_light'],
    },
    { topic: 'home', message: 'Only a title', priority: 3, tags: [] },
  ]);
  expect(ntfy.received[2]?.json['message']).toMatch(/^ü+…$/);
  await vi.waitFor(() =>
    expect(new Set(home.stateOf(home).map(([, state]) => state))).toEqual(new Set(['accepted 1'])),
  );
});

test('a webhook gets the notification, signed, and none of the other deliveries', async () => {
  const home = await openChannelHome();
  const receiver = await startReceiver();
  const { channel } = await home.channels.add(settingsOf({ type: 'webhook', url: receiver.url }));
  expect(channel.secret).toMatch(/^whsec_[\w-]{43}$/);
  await home.notifications.post(contentOf());
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
  const [one] = receiver.received;
  expect(one?.json).toMatchObject({ notification: { title: 'The door is open', severity: 'warning', state: 'open' } });
  expect(one?.json['notification']).not.toHaveProperty('deliveries');
  const [, at = '', sum = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(one?.headers['hearthd-signature'])) ?? [];
  const own = createHmac('sha256', channel.secret ?? '')
    .update(`${at}.${JSON.stringify(one?.json)}`)
    .digest('hex');
  expect(sum).toBe(own);
});

test.each([500, 503, 429, 408])('after %i it is sent again until the server takes it', async (status) => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  await home.channels.add(settingsOf({ url: ntfy.url }));
  ntfy.status = status;
  await home.notifications.post(contentOf());
  await passUntil(home, () => ntfy.received.length >= 3);
  expect(home.stateOf(home)).toEqual([['The door is open', expect.stringMatching(/^retrying \d+ bad_status$/)]]);
  expect(home.channels.channels()[0]?.state.status).toBe('failing');
  ntfy.status = 200;
  await passUntil(home, () => home.stateOf(home)[0]?.[1]?.startsWith('accepted') === true);
  expect(home.channels.channels()[0]?.state).toMatchObject({ status: 'ok', failingSinceMs: null });
});

test.each([
  [400, 'bad_status'],
  [401, 'bad_status'],
  [404, 'bad_status'],
  [413, 'bad_status'],
  [302, 'redirect_refused'],
])('after %i it is not sent again, and the next one goes at once', async (status, code) => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  await home.channels.add(settingsOf({ url: ntfy.url }));
  ntfy.status = status;
  await home.notifications.post(contentOf({ title: 'one' }));
  await vi.waitFor(() => expect(home.stateOf(home)).toEqual([['one', `failed 1 ${code}`]]), SOON);
  ntfy.status = 200;
  await home.notifications.post(contentOf({ title: 'two' }));
  await vi.waitFor(() => expect(home.stateOf(home)[0]).toEqual(['two', 'accepted 1']), SOON);
});

test('a server that hangs delays no other channel, and what is critical goes first when it is back', async () => {
  const home = await openChannelHome();
  const [hanging, healthy] = [await startNtfy(), await startNtfy()];
  hanging.status = undefined;
  await home.channels.add(settingsOf({ url: hanging.url }));
  await home.channels.add(settingsOf({ url: healthy.url }));
  for (const title of ['one', 'two']) await home.notifications.post(contentOf({ title, severity: 'info' }));
  await home.notifications.post(contentOf({ title: 'fire', severity: 'critical' }));
  await vi.waitFor(() => expect(healthy.received).toHaveLength(3), SOON);
  expect(hanging.received).toHaveLength(1);
  hanging.status = 200;
  await home.time.advance(10_000);
  await passUntil(home, () => hanging.received.length >= 4);
  expect(hanging.received.map(({ json }) => json['title']).slice(1)).toEqual(['fire', 'one', 'two']);
});

test('what nobody takes for six hours has failed, and what was acknowledged meanwhile is not sent any more', async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  ntfy.status = 500;
  await home.channels.add(settingsOf({ url: ntfy.url }));
  await home.notifications.post(contentOf({ title: 'late' }));
  await passUntil(home, () => home.stateOf(home)[0]?.[1]?.startsWith('failed') === true, 600_000);
  await home.notifications.post(contentOf({ title: 'seen' }));
  await vi.waitFor(() => expect(home.stateOf(home)[0]?.[1]).toMatch(/^retrying 1/), SOON);
  const seen = home.notifications.all()[0];
  if (seen === undefined) throw new Error('nothing is kept');
  await home.notifications.acknowledge(seen.id, 'ada');
  const before = ntfy.received.length;
  ntfy.status = 200;
  await home.time.advance(HOUR_MS);
  expect(home.stateOf(home)[0]?.[1]).toMatch(/^failed 1 no_longer_needed$/);
  expect(ntfy.received).toHaveLength(before);
});

test('what was not sent before a restart is sent after it, and what was accepted is not sent twice', async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  await home.channels.add(settingsOf({ url: ntfy.url }));
  await home.notifications.post(contentOf({ title: 'one' }));
  await vi.waitFor(() => expect(home.stateOf(home)).toEqual([['one', 'accepted 1']]), SOON);
  ntfy.status = 500;
  await home.notifications.post(contentOf({ title: 'two' }));
  await vi.waitFor(() => expect(ntfy.received).toHaveLength(2), SOON);
  await home.channels.stop();
  await home.notifications.stop();
  ntfy.status = 200;
  const again = await home.open();
  await vi.waitFor(() => expect(ntfy.received).toHaveLength(3), SOON);
  await vi.waitFor(
    () => expect(home.stateOf(again).map(([, state]) => state)).toEqual(['accepted 1', 'accepted 1']),
    SOON,
  );
  expect(ntfy.received.map(({ json }) => json['title'])).toEqual(['one', 'two', 'two']);
});

test("a person's channel waits for the end of the quiet hours, but not with what is critical", async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  await home.channels.add(settingsOf({ url: ntfy.url, userId: 'ada' }));
  home.quiet.set('ada', home.time.clock.wallMs() + 8 * HOUR_MS);
  await home.notifications.post(contentOf({ title: 'low battery' }));
  await home.notifications.post(contentOf({ title: 'water', severity: 'critical' }));
  await vi.waitFor(() => expect(ntfy.received.map(({ json }) => json['title'])).toEqual(['water']), SOON);
  await home.time.advance(8 * HOUR_MS - 1);
  expect(ntfy.received).toHaveLength(1);
  await passUntil(home, () => ntfy.received.length === 2);
});

test('a channel gets what is for its person, or for the home, or names it, and nothing less urgent than it wants', async () => {
  const home = await openChannelHome();
  const [own, common, urgent] = [await startNtfy(), await startNtfy(), await startNtfy()];
  await home.channels.add(settingsOf({ url: own.url, userId: 'ada' }));
  const { channel } = await home.channels.add(settingsOf({ url: common.url }));
  await home.channels.add(settingsOf({ url: urgent.url, minSeverity: 'critical' }));
  await home.channels.add(settingsOf({ url: own.url, userId: 'ada', enabled: false }));
  await home.notifications.post(contentOf({ title: 'for all' }));
  await home.notifications.post(contentOf({ title: 'for ada', to: ['user:ada'] }));
  await home.notifications.post(contentOf({ title: 'for bob', to: ['user:bob'] }));
  await home.notifications.post(contentOf({ title: 'for it', to: [`channel:${channel.id}`], severity: 'critical' }));
  await home.notifications.post(contentOf({ title: 'fire', severity: 'critical' }));
  const titles = ({ received }: typeof own): string[] =>
    received.map(({ json }) => String(json['title'])).toSorted((left, right) => left.localeCompare(right));
  await vi.waitFor(() => expect(titles(own)).toEqual(['fire', 'for ada', 'for all']), SOON);
  await vi.waitFor(() => expect(titles(common)).toEqual(['fire', 'for all', 'for it']), SOON);
  await vi.waitFor(() => expect(titles(urgent)).toEqual(['fire']), SOON);
});

test('a critical one is sent again and again until somebody acknowledges it', async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  await home.channels.add(settingsOf({ url: ntfy.url }));
  await home.notifications.post(contentOf({ severity: 'critical', repeatS: 300 }));
  await passUntil(home, () => ntfy.received.length === 3, 60_000);
  const [one] = home.notifications.all();
  if (one === undefined) throw new Error('nothing is kept');
  await home.notifications.acknowledge(one.id, 'ada');
  await home.time.advance(HOUR_MS);
  expect(ntfy.received).toHaveLength(3);
});

test('a broker keeps each open notification, and loses it when it closes, also if it was away then', async () => {
  const kept = new Map<string, string>();
  let isUp = true;
  const publish: Publish = async (topic, payload, retain) => {
    if (!isUp) return { status: null, error: { code: 'connection_failed', message: 'away' } };
    if (retain && payload === '') kept.delete(topic);
    else if (retain) kept.set(topic, payload);
    return { status: null, error: null };
  };
  const home = await openChannelHome({ publish });
  const { channel } = await home.channels.add(settingsOf({ type: 'mqtt', url: null, topic: null, broker: 'mqtt' }));
  await home.notifications.post(contentOf({ key: 'door' }));
  await home.notifications.post(contentOf({ key: 'window', title: 'The window is open' }));
  await vi.waitFor(() => expect(kept.size).toBe(2), SOON);
  const [one] = home.notifications.all();
  expect(JSON.parse(kept.get(`hearthd/notification/${one?.id}`) ?? '')).toMatchObject({ title: 'The window is open' });
  await home.notifications.resolve('window');
  await vi.waitFor(() => expect(kept.size).toBe(1), SOON);
  isUp = false;
  await home.notifications.resolve('door');
  await vi.waitFor(() => expect(home.channels.find(channel.id)?.state.status).toBe('failing'), SOON);
  isUp = true;
  home.ups.get('mqtt')?.();
  await vi.waitFor(() => expect(kept.size).toBe(0), SOON);
  await home.time.advance(10_000);
  await home.notifications.post(contentOf({ key: 'door' }));
  await vi.waitFor(() => expect(kept.size).toBe(1), SOON);
  expect((await home.channels.test(channel.id)).error).toBeNull();
  expect(kept.size).toBe(1);
  await home.channels.remove(channel.id);
  expect(kept.size).toBe(0);
});

test('a channel that goes leaves what another one at its broker still shows', async () => {
  const kept = new Set<string>();
  const publish: Publish = async (topic, payload, retain) => {
    if (retain && payload === '') kept.delete(topic);
    else if (retain) kept.add(topic);
    return { status: null, error: null };
  };
  const home = await openChannelHome({ publish });
  const settings = settingsOf({ type: 'mqtt', url: null, topic: null, broker: 'mqtt' });
  const { channel: first } = await home.channels.add(settings);
  const { channel: second } = await home.channels.add({ ...settings, name: 'second' });
  await home.notifications.post(contentOf({ key: 'door' }));
  const isTaken = (): boolean | undefined =>
    home.notifications.all()[0]?.deliveries.every(({ state }) => state === 'accepted');
  await vi.waitFor(() => expect(isTaken()).toBe(true), SOON);
  await home.channels.remove(first.id);
  expect(kept.size).toBe(1);
  await home.channels.remove(second.id);
  expect(kept.size).toBe(0);
});

test('a broker that never says that it took a message is given up after ten seconds', async () => {
  const home = await openChannelHome({ publish: () => new Promise(() => undefined) });
  const { channel } = await home.channels.add(settingsOf({ type: 'mqtt', url: null, broker: 'mqtt' }));
  const tested = home.channels.test(channel.id);
  await home.time.advance(10_000);
  expect(await tested).toMatchObject({ error: { code: 'timeout' } });
});

test('a queue that is full drops the least urgent, and says so', async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy();
  ntfy.status = undefined;
  await home.channels.add(settingsOf({ url: ntfy.url }));
  await home.notifications.post(contentOf({ title: 'under way' }));
  await home.notifications.post(contentOf({ title: 'first to go', severity: 'info' }));
  for (let number = 0; number < 200; number += 1) {
    await home.notifications.post(contentOf({ title: `n${number}`, source: { kind: 'user', id: `u${number % 10}` } }));
  }
  await vi.waitFor(() => {
    const dropped = home.stateOf(home).filter(([, state]) => state === 'failed 0 too_many');
    expect(dropped.map(([title]) => title)).toContain('first to go');
  }, SOON);
});

test('a changed channel sends to its new place what waited for the old one', async () => {
  const home = await openChannelHome();
  const [old, fresh] = [await startNtfy(), await startNtfy()];
  old.status = 500;
  const { channel } = await home.channels.add(settingsOf({ url: old.url }));
  await home.notifications.post(contentOf());
  await vi.waitFor(() => expect(home.stateOf(home)[0]?.[1]).toMatch(/^retrying 1/), SOON);
  await home.channels.update(channel.id, (now) => ({ ...now, url: fresh.url }));
  await vi.waitFor(() => expect(fresh.received).toHaveLength(1), SOON);
});

test('there can be sixteen channels, and one that is gone cannot be changed', async () => {
  const home = await openChannelHome();
  for (let number = 0; number < 16; number += 1) await home.channels.add(settingsOf({ enabled: false }));
  await expect(home.channels.add(settingsOf())).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  const [first] = home.channels.channels();
  if (first === undefined) throw new Error('there is no channel');
  await home.channels.remove(first.channel.id);
  await expect(home.channels.test(first.channel.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(home.kept.size).toBe(15);
});

test('a channel gets what the hub wrote in the language of the hub', async () => {
  const home = await openChannelHome();
  const ntfy = await startNtfy('tk_1');
  const { channel } = await home.channels.add(settingsOf({ url: ntfy.url, secret: 'tk_1' }));
  for (const spoken of ['de', 'fr-CA', null]) {
    home.language.spoken = spoken;
    expect((await home.channels.test(channel.id)).error).toBeNull();
  }
  expect(ntfy.received.map(({ json }) => json['title'])).toEqual([
    'Das ist ein Test',
    'Ceci est un test',
    'This is a test',
  ]);
});
