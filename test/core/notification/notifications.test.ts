import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { HOUSEHOLD, MAX_KEPT, type Notification, type NotificationContent } from '#core/notification/notification.ts';
import type { NotificationNews } from '#core/notification/notification-keeper.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { Alarm, Standing } from '#core/notification/notifications.ts';
import { quietUntilMs } from '#core/notification/quiet-hours.ts';
import { createNotificationStore, openTestNotifications } from './notification-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const contentOf = (changes: Partial<NotificationContent> = {}): NotificationContent => ({
  severity: 'warning',
  title: 'The door is open',
  text: '',
  to: HOUSEHOLD,
  key: null,
  deviceId: null,
  source: { kind: 'automation', id: 'a1' },
  repeatS: null,
  ...changes,
});
const alarmOf = (changes: Partial<Alarm> = {}): Alarm => ({
  builtIn: 'water',
  key: 'hub:water:d1',
  severity: 'critical',
  title: 'Water: Kitchen sink',
  text: '',
  to: HOUSEHOLD,
  deviceId: null,
  repeatS: 300,
  quietMs: 60_000,
  ...changes,
});

async function openHome(given: Parameters<typeof openTestNotifications>[0] = {}) {
  const events: HomeEvent[] = [];
  const news: [NotificationNews, string][] = [];
  const home = await openTestNotifications({ emit: (event) => void events.push(event), ...given });
  home.follow(({ title }, what) => void news.push([what, title]));
  const open = (): readonly Notification[] => home.all().filter((one) => one.resolvedAtMs === null);
  return { ...home, events, news, open };
}

test('a notification is on disk when it was taken, and there again after a restart, without being shown anew', async () => {
  const store = createNotificationStore();
  const home = await openHome({ store });
  const posted = await home.post(contentOf({ key: 'door' }));
  expect(posted).toMatchObject({ outcome: 'added', notification: { title: 'The door is open', count: 1 } });
  expect([...store.kept.values()]).toEqual(home.all());
  const again = await openHome({ store });
  expect(again.all()).toEqual(home.all());
  expect([again.events, again.news]).toEqual([[], []]);
});

test('a key replaces: the same notification has the new content and needs attention again', async () => {
  const home = await openHome();
  const posted = await home.post(contentOf({ key: 'door' }));
  const first = posted.outcome === 'later' ? undefined : posted.notification;
  if (first === undefined) throw new Error('it was not shown');
  await home.acknowledge(first.id, 'ada');
  await home.time.advance(10_000);
  expect(await home.post(contentOf({ key: 'door', title: 'The window is open' }))).toMatchObject({
    outcome: 'replaced',
    notification: { id: first.id, title: 'The window is open', count: 2, acknowledged: null },
  });
  expect(home.all()).toHaveLength(1);
});

test('a resolved key begins a new notification', async () => {
  const home = await openHome();
  await home.post(contentOf({ key: 'door' }));
  expect(await home.resolve('door')).toMatchObject({ resolvedAtMs: home.time.clock.wallMs() });
  expect(await home.resolve('door')).toBeUndefined();
  await home.time.advance(10_000);
  expect((await home.post(contentOf({ key: 'door' }))).outcome).toBe('added');
  expect(home.all()).toHaveLength(2);
});

test('within ten seconds a key is shown once, then with the newest content', async () => {
  const home = await openHome();
  await home.post(contentOf({ key: 'door', title: 'first' }));
  for (const title of ['second', 'third']) {
    expect(await home.post(contentOf({ key: 'door', title }))).toEqual({ outcome: 'later' });
  }
  await home.time.advance(9_999);
  expect(home.all().map(({ title }) => title)).toEqual(['first']);
  await home.time.advance(1);
  expect(home.all()).toMatchObject([{ title: 'third', count: 2 }]);
});

test('what waits for its key is dropped when the key is resolved', async () => {
  const home = await openHome();
  await home.post(contentOf({ key: 'door', title: 'first' }));
  await home.post(contentOf({ key: 'door', title: 'second' }));
  await home.resolve('door');
  await home.time.advance(60_000);
  expect(home.open()).toEqual([]);
});

test('a storm of a thousand becomes one digest with few writes, and its timers end', async () => {
  const home = await openHome();
  const outcomes = new Map<string, number>();
  for (let number = 0; number < 1_000; number += 1) {
    const { outcome } = await home.post(contentOf({ title: `storm ${number}`, key: `k${number}` }));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  await home.time.advance(10_000);
  expect(Object.fromEntries(outcomes)).toEqual({ added: 60, later: 940 });
  const digests = home.all().filter(({ title }) => title.includes('more'));
  expect(digests).toMatchObject([{ title: '940 more notifications from automation', count: 940, severity: 'warning' }]);
  expect(home.all()).toHaveLength(61);
  expect(home.store.writes).toBeLessThanOrEqual(62);
  await home.time.advance(3_600_000);
  expect(home.time.pendingMs()).toEqual([]);
});

test('a storm that lasts for a day is shown at its ration and writes its digest every ten minutes', async () => {
  const home = await openHome();
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    for (let number = 0; number < 5; number += 1) home.say(contentOf());
    await home.time.advance(60_000);
  }
  expect(home.all().length).toBeLessThanOrEqual(MAX_KEPT);
  expect(home.store.writes).toBeLessThanOrEqual(60 + 24 * 60 + 24 * 6 + 2);
});

test('the digest of one source does not hold up another source', async () => {
  const home = await openHome();
  for (let number = 0; number < 100; number += 1) await home.post(contentOf());
  const other = contentOf({ source: { kind: 'automation', id: 'a2' } });
  expect((await home.post(other)).outcome).toBe('added');
});

test('a digest is as severe as the most severe in it, and counts anew once somebody acknowledged it', async () => {
  const home = await openHome();
  for (let number = 0; number < 60; number += 1) await home.post(contentOf());
  await home.post(contentOf({ severity: 'critical', repeatS: 300 }));
  await home.post(contentOf({ severity: 'info' }));
  await home.time.advance(10_000);
  const [digest] = home.all();
  expect(digest).toMatchObject({ severity: 'critical', count: 2, text: expect.stringContaining('1 critical') });
  if (digest === undefined) throw new Error('there is no digest');
  await home.acknowledge(digest.id, 'ada');
  for (let number = 0; number < 60; number += 1) await home.post(contentOf());
  await home.time.advance(600_000);
  expect(home.all().find(({ id }) => id === digest.id)).toMatchObject({ severity: 'warning', acknowledged: null });
});

test('a critical one comes again until somebody acknowledges it, also over a restart, which shows nothing by itself', async () => {
  const time = createManualTime();
  const store = createNotificationStore();
  const home = await openHome({ time, store });
  await home.post(contentOf({ severity: 'critical', repeatS: 300 }));
  await time.advance(600_000);
  expect(home.news.map(([what]) => what)).toEqual(['shown', 'again', 'again']);
  await home.stop();
  await time.advance(100_000);
  const again = await openHome({ time, store });
  await time.advance(199_999);
  expect(again.news).toEqual([]);
  await time.advance(1);
  expect(again.news.map(([what]) => what)).toEqual(['again']);
  const [one] = again.all();
  if (one === undefined) throw new Error('nothing is kept');
  await again.acknowledge(one.id, 'ada');
  await time.advance(3_600_000);
  expect(again.news.map(([what]) => what)).toEqual(['again', 'closed']);
  expect(time.pendingMs()).toEqual([]);
});

test('an acknowledgement that the disk does not take is none', async () => {
  const home = await openHome();
  await home.post(contentOf());
  const [one] = home.all();
  if (one === undefined) throw new Error('nothing is kept');
  home.store.failWith = new Error('disk full');
  await expect(home.acknowledge(one.id, 'ada')).rejects.toThrow('disk full');
  expect(home.find(one.id)?.acknowledged).toBeNull();
  await expect(home.post(contentOf({ title: 'other' }))).rejects.toThrow('disk full');
  expect(home.all()).toHaveLength(1);
});

test('an alarm is shown on a full disk, and written once there is room', async () => {
  const home = await openHome();
  home.store.failWith = new Error('disk full');
  home.raise(alarmOf());
  await home.time.advance(0);
  expect(home.news).toEqual([['shown', 'Water: Kitchen sink']]);
  expect(home.store.kept.size).toBe(0);
  home.store.failWith = undefined;
  await home.upkeep();
  expect([...home.store.kept.values()]).toEqual(home.all());
});

test('an alarm is raised once while its cause lasts, also by a restart, and resolves when that ends', async () => {
  const store = createNotificationStore();
  const time = createManualTime();
  const home = await openHome({ store, time });
  home.raise(alarmOf());
  home.raise(alarmOf());
  await time.advance(20_000);
  const again = await openHome({ store, time });
  again.raise(alarmOf());
  await time.advance(20_000);
  expect(again.news).toEqual([]);
  again.clear(alarmOf().key);
  await time.advance(0);
  expect(again.open()).toEqual([]);
  expect(again.news).toEqual([['closed', 'Water: Kitchen sink']]);
});

test('an alarm whose cause returns soon is open again and sent to nobody anew; later it is a new one', async () => {
  const home = await openHome();
  home.raise(alarmOf());
  home.clear(alarmOf().key);
  await home.time.advance(59_000);
  home.raise(alarmOf());
  await home.time.advance(0);
  expect(home.all()).toMatchObject([{ count: 2, resolvedAtMs: null }]);
  expect(home.news.map(([what]) => what)).toEqual(['shown', 'closed', 'reopened']);
  home.clear(alarmOf().key);
  await home.time.advance(60_000);
  home.raise(alarmOf());
  await home.time.advance(0);
  expect(home.all()).toHaveLength(2);
});

test('a danger that returns soon after it was acknowledged is shown anew, and comes again', async () => {
  const home = await openHome();
  home.raise(alarmOf());
  await home.time.advance(0);
  const [first] = home.open();
  if (first === undefined) throw new Error('it was not shown');
  await home.acknowledge(first.id, 'ada');
  await home.time.advance(10_000);
  home.clear(alarmOf().key);
  await home.time.advance(30_000);
  home.raise(alarmOf());
  await home.time.advance(0);
  expect(home.open()).toMatchObject([{ acknowledged: null, count: 1 }]);
  expect(home.find(first.id)).toMatchObject({ acknowledged: { by: 'ada' } });
  await home.time.advance(300_000);
  expect(home.news.map(([what]) => what)).toEqual(['shown', 'closed', 'shown', 'again']);
});

test('a trouble that somebody acknowledged stays acknowledged when it returns soon', async () => {
  const home = await openHome();
  const low = alarmOf({ builtIn: 'battery_low', key: 'hub:battery_low:d1', severity: 'warning', repeatS: null });
  home.raise(low);
  await home.time.advance(0);
  const [first] = home.open();
  if (first === undefined) throw new Error('it was not shown');
  await home.acknowledge(first.id, 'ada');
  home.clear(low.key);
  await home.time.advance(30_000);
  home.raise(low);
  await home.time.advance(0);
  expect(home.all()).toMatchObject([{ id: first.id, acknowledged: { by: 'ada' }, resolvedAtMs: null }]);
});

test('at most 500 are kept, open ones longest, and none for more than 90 days', async () => {
  const home = await openHome();
  home.raise(alarmOf());
  await home.time.advance(0);
  const posted = await home.post(contentOf({ title: 'acknowledged' }));
  if (posted.outcome === 'later') throw new Error('it was not shown');
  await home.acknowledge(posted.notification.id, 'ada');
  for (let number = 0; number < MAX_KEPT; number += 1) {
    await home.post(contentOf({ source: { kind: 'user', id: `u${number % 10}` }, title: `n${number}` }));
  }
  expect(home.all()).toHaveLength(MAX_KEPT);
  expect(home.store.kept.size).toBe(MAX_KEPT);
  const titles = new Set(home.all().map(({ title }) => title));
  expect([titles.has('Water: Kitchen sink'), titles.has('acknowledged')]).toEqual([true, false]);
  await home.time.advance(91 * 86_400_000);
  await home.upkeep();
  expect([home.all(), home.store.kept.size]).toEqual([[], 0]);
});

test.each([
  ['22:00', '07:00', '2026-01-10T23:30:00Z', '2026-01-11T07:00:00.000Z'],
  ['22:00', '07:00', '2026-01-10T03:00:00Z', '2026-01-10T07:00:00.000Z'],
  ['22:00', '07:00', '2026-01-10T07:00:00Z', null],
  ['13:00', '15:00', '2026-01-10T14:59:59Z', '2026-01-10T15:00:00.000Z'],
  ['13:00', '15:00', '2026-01-10T12:59:59Z', null],
  ['08:00', '08:00', '2026-01-10T12:00:00Z', '2026-01-11T08:00:00.000Z'],
])('quiet hours from %s to %s hold at %s until %s', (...[from, to, at, until]) => {
  const ms = quietUntilMs({ from, to }, Date.parse(at), createTimeZone('UTC'));
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(until);
});

test('quiet hours end at the local time also in the night of a change of the clock', () => {
  const zone = createTimeZone('Europe/Berlin');
  const end = quietUntilMs({ from: '22:00', to: '07:00' }, Date.parse('2026-03-28T22:30:00Z'), zone);
  expect(new Date(end ?? 0).toISOString()).toBe('2026-03-29T05:00:00.000Z');
});

describe('a storm of invented sensors', () => {
  type Rank = Standing['rank'];
  /** Raises water at devices whose ids say what they are: `integration/rank/number`. */
  async function openFlood() {
    const home = await openHome({
      standingOf: (id) => {
        const [integration = '', rank] = id.split('/');
        return { name: id, integration, rank: rank as Rank };
      },
    });
    const raise = (integration: string, rank: Rank, number: number): string => {
      const id = `${integration}/${rank}/${number}`;
      home.raise(alarmOf({ key: `hub:water:${id}`, title: `Water at ${id}`, deviceId: id as DeviceId }));
      return `Water at ${id}`;
    };
    const titles = (): readonly string[] => home.all().map(({ title }) => title);
    return { ...home, raise, titles };
  }

  test('mutes no sensor of another integration, and none of its own that was there before', async () => {
    const { raise, titles, time } = await openFlood();
    for (let number = 0; number < 75; number += 1) raise('mqtt', 'new', number);
    const real = [
      raise('zigbee', 'new', 0),
      ...(['named', 'placed', 'known'] as const).map((rank) => raise('mqtt', rank, 0)),
    ];
    await time.advance(0);
    expect(titles()).toEqual(expect.arrayContaining(real));
    expect(titles().filter((title) => title.startsWith('Water at mqtt/new'))).toHaveLength(60);
    expect(titles().filter((title) => title.includes('more'))).toHaveLength(1);
  });

  test('leaves each danger at what people named told of by itself, however many there are', async () => {
    const { raise, titles, time } = await openFlood();
    for (let number = 0; number < 1_100; number += 1) raise('mqtt', 'new', number);
    const named = Array.from({ length: 70 }, (_, number) => raise('mqtt', 'named', number));
    await time.advance(0);
    expect(titles()).toEqual(expect.arrayContaining(named));
  });

  test('is a digest that names devices, first those that were there before', async () => {
    const { raise, all, time } = await openFlood();
    for (let number = 0; number < 75; number += 1) raise('mqtt', 'new', number);
    for (let number = 0; number < 62; number += 1) raise('mqtt', 'known', number);
    await time.advance(20_000);
    const text = all().find(({ title }) => title.includes('more'))?.text ?? '';
    expect(text).toContain('17 critical, ');
    expect(text).toContain('mqtt/known/61');
    expect(text).toContain('mqtt/new/60');
  });

  test('is not what one sensor that comes and goes makes of itself', async () => {
    const { raise, all, titles, time, clear } = await openFlood();
    for (let number = 0; number < 70; number += 1) {
      raise('mqtt', 'known', 0);
      clear('hub:water:mqtt/known/0');
      await time.advance(61_000);
    }
    expect(titles().filter((title) => title.startsWith('Water')).length).toBeLessThan(30);
    const texts = all().flatMap(({ title, text }) => (title.includes('more') ? [text] : []));
    expect(texts[0], 'it sent fewer than 60 in each hour').toMatch(/Too many came in a short time/);
    raise('mqtt', 'known', 1);
    await time.advance(0);
    expect(titles()).toContain('Water at mqtt/known/1');
  });
});
