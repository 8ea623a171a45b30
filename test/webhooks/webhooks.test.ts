import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StartTimer } from '#base/time/timer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Webhook, WebhookSettings } from '#core/webhook/webhook.ts';
import { createSchemaCheck, readContract } from '#test/support/daemon/contract-check.ts';
import { openTestHome, type TestHome } from '#test/support/hub/http-home.ts';
import { createManualTime, type ManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { OWN_ADDRESS, createWebhookStore, openTestWebhooks } from '#test/support/hub/webhook-home.ts';

type Body = { events: { id: string; type: string; data: Record<string, unknown> }[]; cursor: string };
type Received = { headers: IncomingHttpHeaders; text: string; body: Body };
type Receiver = {
  url: string;
  received: Received[];
  /** Status of its answer; `undefined` if it never answers. */
  answer: { status: number | undefined; headers?: Record<string, string>; body?: string };
};

/** Time limit of a request. A timer of this length shows that a request is under way. */
const REQUEST_MS = 10_000;
const SOON = { interval: 5 };
const ALL: Omit<WebhookSettings, 'url'> = {
  name: null,
  mayReachHub: false,
  enabled: true,
  filter: { types: null, deviceIds: null, roomIds: null },
};

const findErrors = createSchemaCheck(readContract());

/** Fails the test if a body does not match the OpenAPI document. */
async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const findings: string[] = [];
  const answer: Receiver['answer'] = { status: 204 };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.once('end', () => respond(Buffer.concat(chunks).toString(), request.headers, response));
  });
  const respond = (text: string, headers: IncomingHttpHeaders, response: ServerResponse): void => {
    const body = JSON.parse(text) as Body;
    received.push({ headers, text, body });
    findings.push(...findErrors('/components/schemas/DeliveryBody', body));
    if (receiver.answer.status === undefined) return;
    response.writeHead(receiver.answer.status, receiver.answer.headers);
    response.end(receiver.answer.body);
  };
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    expect(findings).toEqual([]);
  });
  const receiver = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?k=1`, received, answer };
  return receiver;
}

async function createHarness(given: { names?: (name: string) => string[]; capacity?: number } = {}) {
  const time: ManualTime = createManualTime();
  let underWay = 0;
  const startTimer: StartTimer = (afterMs, run) => {
    if (afterMs === REQUEST_MS) underWay += 1;
    const cancel = time.startTimer(afterMs, run);
    return () => {
      if (afterMs === REQUEST_MS) underWay -= 1;
      cancel();
    };
  };
  const home: TestHome = await openTestHome(['Lamp', 'Fan'], { ...time, capacity: given.capacity ?? 100 });
  const kept = new Map<string, Webhook>();
  const { log, lines } = createRecordingLog();
  const names = given.names === undefined ? {} : { names: given.names };
  const open = async (events = home.events) => {
    const webhooks = await openTestWebhooks(events, {
      ...names,
      clock: time.clock,
      startTimer,
      log,
      store: createWebhookStore(kept),
    });
    onTestFinished(webhooks.stop);
    return webhooks;
  };
  const webhooks = await open();
  const receiver = await startReceiver();
  /** Lets time pass until this holds. Waits for requests under way, because sockets are real but the clock is not. */
  const until = (check: () => void): Promise<void> =>
    vi.waitFor(async () => {
      await time.advance(underWay === 0 ? 250 : 0);
      check();
    }, SOON);
  const happen = (number: number): void =>
    home.events.append({
      type: 'pairing.changed',
      integration: 'zigbee2mqtt',
      pairing: { step: 'opened', externalId: null, deviceId: null, seconds: number, detail: null },
    } satisfies HomeEvent);
  const numbersOf = (from: readonly Received[]): unknown[] =>
    from.flatMap(({ body }) => body.events.map(({ data }) => (data['pairing'] as { seconds: number }).seconds));
  return { ...home, time, kept, lines, webhooks, open, receiver, until, happen, numbersOf };
}

describe('a webhook', () => {
  test('gets events in order, signed, with cursors', async () => {
    const { webhooks, receiver, happen, until, numbersOf, events, time } = await createHarness();
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url });
    for (const number of [1, 2, 3]) happen(number);
    await until(() => expect(numbersOf(receiver.received)).toEqual([1, 2, 3]));
    happen(4);
    await until(() => expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 4]));
    const last = receiver.received.at(-1);
    expect(last?.body.cursor).toBe(events.cursor());
    expect(last?.body.events.map(({ id }) => id)).toEqual([events.cursor()]);
    expect(last?.headers).toMatchObject({ 'content-type': 'application/json', 'hearthd-webhook': webhook.id });
    const seconds = /^t=(\d+),v1=/.exec(String(last?.headers['hearthd-signature']))?.[1] ?? '';
    expect(Math.abs(Number(seconds) - time.clock.wallMs() / 1000)).toBeLessThan(60);
    const expected = createHmac('sha256', webhook.secret).update(`${seconds}.${last?.text}`).digest('hex');
    expect(last?.headers['hearthd-signature']).toBe(`t=${seconds},v1=${expected}`);
  });

  test('leaves out events that the hub fails to send, and gets those behind them', async () => {
    const { events, happen, time } = await createHarness();
    const bodies: string[] = [];
    const webhooks = await openTestWebhooks(events, {
      ...time,
      post: async ({ body }) => {
        bodies.push(String(body));
        if (bodies.length === 1) throw new Error('a bug');
        return { status: 204, error: null };
      },
    });
    onTestFinished(webhooks.stop);
    await webhooks.addWebhook({ ...ALL, url: 'http://127.0.0.1:1/' });
    for (const number of [1, 2]) {
      happen(number);
      await time.advance(1_000);
    }
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toContain('"seconds":2');
    expect(bodies[1]).not.toContain('"seconds":1');
  });

  test('gets only the events of its filter', async () => {
    const { webhooks, receiver, registry, events, until } = await createHarness();
    const [fan, lamp] = registry.devices();
    const filter = { types: ['device.changed' as const], deviceIds: lamp ? [lamp.id] : [], roomIds: null };
    const { webhook } = await webhooks.addWebhook({ ...ALL, filter, url: receiver.url });
    if (fan !== undefined) await registry.updateDevice(fan.id, { ownName: 'Other' });
    if (lamp !== undefined) await registry.updateDevice(lamp.id, { ownName: 'Wanted' });
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.body.events).toMatchObject([
      { type: 'device.changed', data: { device: { name: 'Wanted' } } },
    ]);
    events.append({ type: 'session.revoked', sessionId: 's', userId: 'u' });
    await until(() => expect(webhooks.findWebhook(webhook.id)?.state.cursor).toBe(events.cursor()));
    expect(receiver.received).toHaveLength(1);
  });

  test('that answers 500 gets the same delivery again at growing intervals, and then the others in order', async () => {
    const { webhooks, receiver, happen, until, numbersOf, lines } = await createHarness();
    receiver.answer = { status: 500 };
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url });
    happen(1);
    await until(() => expect(receiver.received).toHaveLength(1));
    happen(2);
    await until(() => expect(receiver.received).toHaveLength(4));
    await until(() => expect(webhooks.findWebhook(webhook.id)?.state.deliveries).toHaveLength(4));
    expect(webhooks.findWebhook(webhook.id)?.state).toMatchObject({ status: 'failing' });
    const tries = receiver.received.splice(0);
    expect(numbersOf(tries)).toEqual([1, 1, 1, 1]);
    expect(new Set(tries.map(({ headers }) => headers['hearthd-delivery'])).size).toBe(1);
    receiver.answer = { status: 200 };
    await until(() => expect(numbersOf(receiver.received)).toEqual([1, 2]));
    await until(() => expect(webhooks.findWebhook(webhook.id)?.state.deliveries).toHaveLength(6));
    const { status, deliveries } = webhooks.findWebhook(webhook.id)?.state ?? { deliveries: [] };
    expect(status).toBe('ok');
    const shown = deliveries.map(({ attempt, status, error }) => [attempt, status, error?.code]);
    expect(shown.slice(0, 3)).toEqual([
      [1, 200, undefined],
      [5, 200, undefined],
      [4, 500, 'bad_status'],
    ]);
    const waits = deliveries.toReversed().map(({ atMs }, at, all) => atMs - (all[at - 1]?.atMs ?? atMs));
    expect(waits[3]).toBeGreaterThan((waits[1] ?? 0) * 1.5);
    expect(lines.filter((line) => line.includes('a webhook'))).toHaveLength(2);
    expect(lines.join()).not.toContain('/hook');
  });

  test('gets one request at a time, which the hub ends after ten seconds', async () => {
    const { webhooks, receiver, happen, time, until } = await createHarness();
    receiver.answer = { status: undefined };
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url });
    happen(1);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
    happen(2);
    await time.advance(9_999);
    expect(receiver.received).toHaveLength(1);
    await time.advance(1);
    await until(() =>
      expect(webhooks.findWebhook(webhook.id)?.state.deliveries.at(-1)).toMatchObject({
        status: null,
        error: { code: 'timeout' },
      }),
    );
  });

  test('that is too late for the kept events gets a gap', async () => {
    const { webhooks, receiver, happen, until, events } = await createHarness({ capacity: 20 });
    receiver.answer = { status: 503 };
    await webhooks.addWebhook({ ...ALL, url: receiver.url });
    const before = events.cursor();
    happen(1);
    await until(() => expect(receiver.received.length).toBeGreaterThan(0));
    receiver.answer = { status: 200 };
    receiver.received.length = 0;
    for (let number = 2; number <= 90; number += 1) happen(number);
    await until(() => expect(receiver.received.length).toBeGreaterThan(0));
    expect(receiver.received[0]?.body.events).toMatchObject([
      { type: 'hub.gap', data: { from: before, to: events.cursor(), reason: 'overrun' } },
    ]);
    happen(91);
    await until(() => expect(receiver.received.at(-1)?.body.events.at(-1)?.id).toBe(events.cursor()));
  });

  test('survives a restart, after which it first gets a gap', async () => {
    const { webhooks, receiver, happen, until, open, kept } = await createHarness();
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url });
    happen(1);
    await until(() => expect(receiver.received).toHaveLength(1));
    await webhooks.stop();
    receiver.received.length = 0;
    const next = await openTestHome(['Lamp'], { epoch: 'run2' });
    const again = await open(next.events);
    expect(again.findWebhook(webhook.id)?.webhook).toEqual(kept.get(webhook.id));
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.body).toMatchObject({
      events: [{ type: 'hub.gap', data: { from: null, to: next.events.cursor(), reason: 'restarted' } }],
      cursor: next.events.cursor(),
    });
  });

  test('that is switched off gets nothing, and a gap when it is switched on', async () => {
    const { webhooks, receiver, happen, until, events, time } = await createHarness();
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url, enabled: false });
    const before = events.cursor();
    happen(1);
    await time.advance(60_000);
    expect(receiver.received).toEqual([]);
    expect(webhooks.findWebhook(webhook.id)?.state).toMatchObject({ status: 'off' });
    await webhooks.updateWebhook(webhook.id, (old) => ({ ...old, enabled: true }));
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.body.events).toMatchObject([
      { type: 'hub.gap', data: { from: before, to: events.cursor(), reason: 'paused' } },
    ]);
  });

  test('with a new URL gets the remaining events there', async () => {
    const { webhooks, receiver, happen, until, numbersOf } = await createHarness();
    receiver.answer = { status: 500 };
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url });
    happen(1);
    await until(() => expect(receiver.received).toHaveLength(1));
    const other = await startReceiver();
    await webhooks.updateWebhook(webhook.id, (old) => ({ ...old, url: other.url }));
    happen(2);
    await until(() => expect(numbersOf(other.received)).toEqual([1, 2]));
    const idOf = (one: Received | undefined): unknown => one?.headers['hearthd-delivery'];
    expect(idOf(other.received[0])).not.toBe(idOf(receiver.received[0]));
  });

  test('that is removed gets nothing any more and leaves no timer', async () => {
    const { webhooks, receiver, happen, until, time, kept } = await createHarness();
    receiver.answer = { status: 500 };
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url });
    happen(1);
    await until(() => expect(receiver.received).toHaveLength(1));
    await webhooks.removeWebhook(webhook.id);
    expect([kept.size, webhooks.webhooks(), time.pendingMs()]).toEqual([0, [], []]);
  });

  test('can be tested at once, even while it is off', async () => {
    const { webhooks, receiver } = await createHarness();
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url, enabled: false });
    expect(await webhooks.testWebhook(webhook.id)).toMatchObject({ status: 204, error: null, events: 1 });
    expect(receiver.received[0]?.body.events).toMatchObject([{ type: 'hub.test' }]);
  });

  test('is one of at most sixteen, and has its last 50 deliveries', async () => {
    const { webhooks, receiver } = await createHarness();
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url, enabled: false });
    for (let count = 0; count < 60; count += 1) await webhooks.testWebhook(webhook.id);
    expect(webhooks.findWebhook(webhook.id)?.state.deliveries).toHaveLength(50);
    for (let count = 1; count < 16; count += 1)
      await webhooks.addWebhook({ ...ALL, url: receiver.url, enabled: false });
    await expect(webhooks.addWebhook({ ...ALL, url: receiver.url })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});

test.each([
  ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
  ['does not speak HTTP', 'hello\r\n\r\n'],
  ['says nothing', ''],
])('a receiver that %s has failed', async (_what, answer) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => void socket.end(answer));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { webhooks } = await createHarness();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { webhook } = await webhooks.addWebhook({ ...ALL, url, enabled: false });
  const error = { code: 'connection_failed' };
  expect(await webhooks.testWebhook(webhook.id)).toMatchObject({ status: null, error });
});

describe('N2: a webhook reaches only the local network', () => {
  test.each([
    ['a public address', 'http://203.0.113.7/x', 'address_refused'],
    ['a public IPv6 address', 'http://[2001:db8::1]/x', 'address_refused'],
    ['a name of a public address', 'http://public.test/x', 'address_refused'],
    ['a name that does not exist', 'http://nowhere.test/x', 'address_refused'],
    ['a port without a listener', 'http://127.0.0.1:9/x', 'connection_failed'],
    ['a URL that a backup brought along', 'file:///etc/passwd', 'invalid_url'],
  ])('%s is refused', async (_name, url, code) => {
    const names = (name: string): string[] => (name === 'public.test' ? ['203.0.113.7', '2001:db8::1'] : []);
    const { webhooks } = await createHarness({ names });
    const { webhook } = await webhooks.addWebhook({ ...ALL, url, enabled: false });
    expect(await webhooks.testWebhook(webhook.id)).toMatchObject({ status: null, error: { code } });
  });

  test('a name is resolved once for each try, and the hub connects only to that address', async () => {
    const answers = [['203.0.113.7'], ['203.0.113.7', '127.0.0.1'], ['203.0.113.7']];
    let lookups = 0;
    const { webhooks, receiver } = await createHarness({ names: () => answers[lookups++] ?? [] });
    const url = receiver.url.replace('127.0.0.1', 'moving.test');
    const { webhook } = await webhooks.addWebhook({ ...ALL, url, enabled: false });
    const codes: unknown[] = [];
    for (const _ of answers) codes.push((await webhooks.testWebhook(webhook.id)).error?.code);
    expect([codes, lookups]).toEqual([['address_refused', undefined, 'address_refused'], 3]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers.host).toBe(new URL(url).host);
  });

  test.each([
    ['its own address', `http://${OWN_ADDRESS}:9/`, []],
    ['a name of its own address', 'http://hub.test:9/', [OWN_ADDRESS]],
    ['a name of its own address and of one that is not of the LAN', 'http://hub.test:9/', ['203.0.113.7', OWN_ADDRESS]],
  ])('nor the hub itself by %s, unless an owner set the URL', async (_name, url, addresses) => {
    const { webhooks } = await createHarness({ names: () => [...addresses] });
    const { webhook } = await webhooks.addWebhook({ ...ALL, url, enabled: false });
    const refused = await webhooks.testWebhook(webhook.id);
    expect(refused.error).toEqual({
      code: 'address_refused',
      message: 'the address is the hub itself: an owner must enter it',
    });
    await webhooks.updateWebhook(webhook.id, (old) => ({ ...old, mayReachHub: true }));
    expect((await webhooks.testWebhook(webhook.id)).error?.code).toBe('connection_failed');
  });

  test('for a name with an address of the hub and one of another host, the hub calls the other host', async () => {
    const { webhooks, receiver } = await createHarness({ names: () => [OWN_ADDRESS, '127.0.0.1'] });
    const url = receiver.url.replace('127.0.0.1', 'both.test');
    const { webhook } = await webhooks.addWebhook({ ...ALL, url, enabled: false });
    expect((await webhooks.testWebhook(webhook.id)).error).toBeNull();
    expect(receiver.received).toHaveLength(1);
  });

  test('a redirect is not followed', async () => {
    const { webhooks, receiver } = await createHarness();
    const other = await startReceiver();
    receiver.answer = { status: 307, headers: { Location: other.url } };
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url, enabled: false });
    expect(await webhooks.testWebhook(webhook.id)).toMatchObject({ status: 307, error: { code: 'redirect_refused' } });
    expect(other.received).toEqual([]);
  });

  test('an endless answer is cut off', async () => {
    const { webhooks, receiver } = await createHarness();
    receiver.answer = { status: 200, body: 'x'.repeat(8 * 1024 * 1024) };
    const { webhook } = await webhooks.addWebhook({ ...ALL, url: receiver.url, enabled: false });
    expect(await webhooks.testWebhook(webhook.id)).toMatchObject({ status: 200, error: null });
  });
});
