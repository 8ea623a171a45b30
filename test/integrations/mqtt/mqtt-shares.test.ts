import { describe, expect, test } from 'vitest';
import { createMqttShares, type MqttShares } from '#integrations/mqtt/mqtt-shares.ts';
import type { MqttLinkSession } from '#integrations/mqtt/mqtt-link.ts';
import type { MqttMessage, MqttShare } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime, type ManualTime } from '#test/support/machine/manual-time.ts';

type World = {
  readonly shares: MqttShares;
  /** What the broker was asked, in order. */
  readonly wire: string[];
  readonly time: ManualTime;
  readonly lines: readonly string[];
  readonly connect: () => void;
  readonly join: () => { readonly share: MqttShare; readonly heard: string[] };
  readonly send: (topic: string, payload: string, retained?: boolean) => void;
};

function openWorld(refused: readonly string[] = []): World {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const shares = createMqttShares({ log, startTimer: time.startTimer, monotonicMs: time.clock.monotonicMs });
  const wire: string[] = [];
  const session: MqttLinkSession = {
    ended: new Promise(() => undefined),
    publish: async (topic, payload, retain) =>
      void wire.push(`publish ${topic} ${String(payload)}${retain ? ' kept' : ''}`),
    subscribe: async (filters) => {
      wire.push(...filters.map((filter) => `+${filter}`));
      return filters.filter((filter) => refused.includes(filter));
    },
    unsubscribe: (filters) => void wire.push(...filters.map((filter) => `-${filter}`)),
    holdWill: async ({ topic }) => void wire.push(`will ${topic}`),
  };
  return {
    shares,
    wire,
    time,
    lines,
    connect: () => shares.onUp(session),
    join: () => {
      const heard: string[] = [];
      const onMessage = ({ topic, payload, retained }: MqttMessage): void =>
        void heard.push(`${topic}=${String(payload)}${retained ? ' kept' : ''}`);
      const share = shares.join({
        onUp: () => void heard.push('up'),
        onDown: ({ code }) => void heard.push(`down ${code}`),
        onMessage,
      });
      return { share, heard };
    },
    send: (topic, payload, retained = false) => shares.onMessage({ topic, payload: Buffer.from(payload), retained }),
  };
}

describe('one connection is shared', () => {
  test('the broker has a filter until its last user leaves it', () => {
    const { wire, connect, join } = openWorld();
    const one = join().share;
    const two = join().share;
    one.subscribe(['a', 'b']);
    two.subscribe(['b']);
    connect();
    expect(wire.splice(0)).toEqual(['+a', '+b']);
    one.subscribe(['c'], ['a', 'b']);
    expect(wire.splice(0)).toEqual(['+c', '-a']);
    two.leave();
    one.leave();
    expect(wire).toEqual(['-b', '-c']);
  });

  test('each share hears a message once, and only for what it has subscribed', () => {
    const { connect, join, send } = openWorld();
    const one = join();
    const two = join();
    connect();
    one.share.subscribe(['a/#', 'a/b', '+/b']);
    two.share.subscribe(['a/b']);
    send('a/b', '1');
    send('a/c', '2');
    two.share.leave();
    send('a/b', '3');
    expect(one.heard).toEqual(['up', 'a/b=1', 'a/c=2', 'a/b=3']);
    expect(two.heard).toEqual(['up', 'a/b=1']);
  });

  test('who joins late learns the present state, and everybody the changes', () => {
    const { shares, connect, join } = openWorld();
    shares.onDown({ code: 'UNKNOWN_HOST', message: '' });
    const one = join();
    one.share.begin();
    connect();
    const two = join();
    two.share.begin();
    shares.onDown({ code: 'TIMEOUT', message: '' });
    expect([one.heard, two.heard]).toEqual([
      ['down UNKNOWN_HOST', 'up', 'down TIMEOUT'],
      ['up', 'down TIMEOUT'],
    ]);
  });

  test('a topic that the broker would end the connection for is not sent, and the others are', async () => {
    const { wire, connect, join, lines } = openWorld();
    const { share } = join();
    connect();
    share.subscribe(['good', 'b#d', 'a\u0000']);
    await expect(share.publish('a/+', '1')).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    await share.publish('a/b', '1', { retain: true });
    expect(wire).toEqual(['+good', 'publish a/b 1 kept']);
    expect(lines).toHaveLength(2);
  });

  test('a refused filter is logged', async () => {
    const { connect, join, lines, time } = openWorld(['secret/#']);
    const { share } = join();
    connect();
    share.subscribe(['open', 'secret/#']);
    await time.advance(0);
    expect(lines.filter((line) => line.startsWith('<4>'))).toEqual([expect.stringContaining('secret/#')]);
  });

  test('an error of one listener does not reach the others', () => {
    const { shares, connect, join, send, lines } = openWorld();
    const bad = shares.join({
      onUp: () => undefined,
      onDown: () => undefined,
      onMessage: () => {
        throw new Error('a fault');
      },
    });
    const good = join();
    connect();
    for (const share of [bad, good.share]) share.subscribe(['a']);
    send('a', '1');
    expect(good.heard).toEqual(['up', 'a=1']);
    expect(lines).toEqual([expect.stringContaining('a fault')]);
  });
});

describe('messages that the broker keeps', () => {
  test('come for a later subscriber, and are no news for those who have had them', () => {
    const { wire, connect, join, send } = openWorld();
    const one = join();
    const two = join();
    connect();
    one.share.subscribe(['a']);
    send('a', '1', true);
    // This makes the broker repeat it.
    two.share.subscribe(['a']);
    expect(wire).toEqual(['+a', '+a']);
    send('a', '1', true);
    expect([one.heard, two.heard]).toEqual([
      ['up', 'a=1 kept'],
      ['up', 'a=1 kept'],
    ]);
  });

  test('are old once a live one of their topic has come, for each share by itself', () => {
    const { connect, join, send } = openWorld();
    const one = join();
    const two = join();
    connect();
    one.share.subscribe(['a/+']);
    send('a/b', 'new');
    two.share.subscribe(['a/b']);
    send('a/b', 'old', true);
    expect([one.heard, two.heard]).toEqual([
      ['up', 'a/b=new'],
      ['up', 'a/b=old kept'],
    ]);
  });

  test('come again for the share that subscribes again, and for nothing else that it has heard', () => {
    const { connect, join, send } = openWorld();
    const { share, heard } = join();
    connect();
    share.subscribe(['a/b', 'c']);
    for (const topic of ['a/b', 'c']) send(topic, 'live');
    share.subscribe([], ['a/b']);
    share.subscribe(['a/#']);
    for (const topic of ['a/b', 'c']) send(topic, 'kept', true);
    expect(heard).toEqual(['up', 'a/b=live', 'c=live', 'a/b=kept kept']);
  });

  test('come again on a new connection', () => {
    const { shares, connect, join, send } = openWorld();
    const { share, heard } = join();
    connect();
    share.subscribe(['a']);
    send('a', '1');
    shares.onDown({ code: 'TIMEOUT', message: '' });
    connect();
    send('a', '2', true);
    expect(heard).toEqual(['up', 'a=1', 'down TIMEOUT', 'up', 'a=2 kept']);
  });

  test('of a broker that calls all messages kept are taken when no repeats are to come', async () => {
    const { connect, join, send, time } = openWorld();
    const { share, heard } = join();
    connect();
    share.subscribe(['a']);
    await time.advance(60_000);
    for (const payload of ['1', '2', '3']) send('a', payload, true);
    expect(heard).toEqual(['up', 'a=1 kept', 'a=2 kept', 'a=3 kept']);
  });

  test('and their topics are forgotten before they fill the memory', async () => {
    const { connect, join, send, time } = openWorld();
    const { share, heard } = join();
    connect();
    share.subscribe(['#']);
    send('first', '1');
    for (let index = 0; index < 20_000; index += 1) send(`other/${index}`, '');
    await time.advance(1_000);
    heard.length = 0;
    send('other/19999', 'old', true);
    send('first', 'old', true);
    expect(heard).toEqual(['first=old kept']);
  });
});

describe('a share that hears too much', () => {
  const flood = (send: World['send'], count: number, topic = 'flood'): void => {
    for (let index = 0; index < count; index += 1) send(topic, String(index));
  };

  test('does not delay the others, and gets the newest of each topic later', async () => {
    const { connect, join, send, time } = openWorld();
    const noisy = join();
    const quiet = join();
    connect();
    noisy.share.subscribe(['flood', 'other']);
    quiet.share.subscribe(['quiet']);
    flood(send, 50_000);
    send('other', 'x');
    send('quiet', '1');
    expect(quiet.heard).toEqual(['up', 'quiet=1']);
    expect(noisy.heard).toHaveLength(1 + 20_000);
    await time.advance(1_000);
    expect(noisy.heard.slice(-2)).toEqual(['flood=49999', 'other=x']);
    expect(time.pendingMs()).toEqual([]);
  });

  test('loses its oldest messages where there are too many topics, and the log says so once', () => {
    const { connect, join, send, lines } = openWorld();
    const { share } = join();
    connect();
    share.subscribe(['#']);
    for (let index = 0; index < 40_000; index += 1) send(`a/${index}`, '');
    expect(lines).toEqual([expect.stringContaining('too fast')]);
  });

  test('pays for large messages by their size', () => {
    const { connect, join, send } = openWorld();
    const { share, heard } = join();
    connect();
    share.subscribe(['list']);
    const list = 'x'.repeat(16 * 1024 * 1024);
    for (let count = 0; count < 10; count += 1) send('list', list);
    expect(heard.length).toBeLessThan(8);
    expect(heard.length).toBeGreaterThan(4);
  });

  test('leaves no timer when it leaves', () => {
    const { connect, join, send, time } = openWorld();
    const { share } = join();
    connect();
    share.subscribe(['flood']);
    flood(send, 30_000);
    expect(time.pendingMs()).toHaveLength(1);
    share.leave();
    expect(time.pendingMs()).toEqual([]);
  });
});
