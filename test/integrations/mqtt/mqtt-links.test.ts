import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMqttLinks } from '#integrations/mqtt-links.ts';
import type { MqttLink } from '#integrations/ports.ts';
import { createBrokerInstance } from '#test/support/kinds/mqtt-broker-instance.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink, type RecordingSink } from '#test/support/hub/recording-sink.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Follower = { readonly heard: string[]; readonly stop: () => Promise<void> };

function follow(link: MqttLink): Follower {
  const heard: string[] = [];
  const abort = new AbortController();
  const running = link.run(
    {
      onUp: () => void heard.push('up'),
      onDown: ({ code }) => void heard.push(`down ${code}`),
      onMessage: ({ topic, payload, retained }) =>
        void heard.push(`${topic}=${String(payload)}${retained ? ' kept' : ''}`),
    },
    abort.signal,
  );
  const stop = async (): Promise<void> => {
    abort.abort();
    await running;
  };
  cleanups.push(stop);
  return { heard, stop };
}

type World = {
  readonly broker: TestBroker;
  readonly link: () => MqttLink;
  readonly sink: RecordingSink;
  /** Runs the instance until the result is called. */
  readonly start: () => () => Promise<void>;
};

async function openWorld(): Promise<World> {
  const broker = await startBroker();
  cleanups.push(broker.close);
  const { integration, link } = createBrokerInstance({ url: broker.url }, createRecordingLog());
  const sink = createRecordingSink();
  return {
    broker,
    link,
    sink,
    start: () => {
      const abort = new AbortController();
      const running = integration.run(sink, abort.signal);
      const stop = async (): Promise<void> => {
        abort.abort();
        await running;
      };
      cleanups.push(stop);
      return stop;
    },
  };
}

describe('two links through a real broker', () => {
  test('share its two connections, and each filter is there once until nobody uses it', async () => {
    const { broker, link, sink, start } = await openWorld();
    const one = link();
    const two = link();
    one.subscribe(['a/#']);
    two.subscribe(['a/#', 'b']);
    const first = follow(one);
    const second = follow(two);
    start();
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set(['a/#', 'b'])));
    expect(broker.connections()).toBe(2);
    expect(sink.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected']);
    await broker.publish('a/b', '1');
    await vi.waitFor(() =>
      expect([first.heard, second.heard]).toEqual([
        ['up', 'a/b=1'],
        ['up', 'a/b=1'],
      ]),
    );
    await second.stop();
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set(['a/#'])));
    await first.stop();
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set()));
    expect(broker.connections()).toBe(2);
  });

  test('both get the kept messages of a filter, the later one as well, and the first one not twice', async () => {
    const { broker, link, start } = await openWorld();
    await broker.publish('a/b', 'kept', true);
    const one = link();
    one.subscribe(['a/+']);
    const first = follow(one);
    start();
    await vi.waitFor(() => expect(first.heard).toEqual(['up', 'a/b=kept kept']));
    const two = link();
    two.subscribe(['a/+', 'end']);
    const second = follow(two);
    await vi.waitFor(() => expect(second.heard).toEqual(['up', 'a/b=kept kept']));
    await broker.publish('a/b', 'live');
    await vi.waitFor(() => expect(first.heard).toEqual(['up', 'a/b=kept kept', 'a/b=live']));
  });

  test('a link may keep a message at the broker', async () => {
    const { broker, link, start } = await openWorld();
    const one = link();
    const first = follow(one);
    start();
    await vi.waitFor(() => expect(first.heard).toEqual(['up']));
    await one.publish('config', '{}', { retain: true });
    one.subscribe(['config']);
    await vi.waitFor(() => expect(first.heard).toEqual(['up', 'config={} kept']));
    expect(broker.received).toEqual([{ topic: 'config', payload: '{}' }]);
  });
});

describe('the instance that a link speaks through', () => {
  test('may end and start again, and the link goes on', async () => {
    const { broker, link, start } = await openWorld();
    const own = link();
    own.subscribe(['a']);
    const { heard } = follow(own);
    const stop = start();
    await vi.waitFor(() => expect(heard).toEqual(['up']));
    await stop();
    expect(heard).toEqual(['up', 'down BROKER_OFF']);
    await expect(own.publish('a', '1')).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    start();
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set(['a'])));
    await vi.waitFor(() => expect(heard).toEqual(['up', 'down BROKER_OFF', 'up']));
  });

  test('says why it has no connection, to each link', async () => {
    const { broker, link, sink, start } = await openWorld();
    await broker.stop();
    const { heard } = follow(link());
    start();
    await vi.waitFor(() => expect(heard).toEqual(['down CONNECTION_REFUSED']));
    expect(sink.statuses.at(-1)).toMatchObject({ state: 'error', code: 'CONNECTION_REFUSED' });
    expect(follow(link()).heard).toEqual(['down CONNECTION_REFUSED']);
  });

  test('may begin a little later than the link, which learns of one that is off', async () => {
    const time = createManualTime();
    const links = createMqttLinks(time.startTimer);
    const { heard, stop } = follow(links.link('mqtt'));
    await time.advance(4_999);
    expect(heard).toEqual([]);
    await time.advance(1);
    expect(heard).toEqual(['down BROKER_OFF']);
    await stop();
    expect(time.pendingMs()).toEqual([]);
  });

  test('has no say in the links through another one', () => {
    const links = createMqttLinks(createManualTime().startTimer);
    const { heard } = follow(links.link('mqtt-2'));
    links.serve('mqtt', { join: () => expect.unreachable('it has no link') });
    expect(heard).toEqual([]);
  });
});
