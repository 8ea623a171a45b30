import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openWholeHub, type Person, type WholeHub } from '#test/support/hub/whole-hub.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';

type Json = Record<string, unknown>;
const SOON = { interval: 20 };
const SOCKET = '/api/v1/shelly/socket';

async function openHome(password?: string) {
  const device = await startShellyDevice('climate', password === undefined ? {} : { password });
  onTestFinished(device.close);
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const [base = ''] = hub.addresses();
  const url = `${base.replace('http', 'ws')}${SOCKET}`;
  const shown = async (): Promise<Json> => (await hub.call('GET /device/cellar-climate', owner)).json;
  const valueOf = async (key: string): Promise<unknown> => {
    const features = ((await shown())['features'] ?? []) as readonly Json[];
    return features.find((feature) => feature['key'] === key)?.['value'];
  };
  const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, SOON);
  const untilState = (state: string): Promise<void> =>
    until(async () => expect((await shown())['availability']).toMatchObject({ state }));
  const statusOf = async (): Promise<Json> => (await hub.call('GET /integration/shelly', owner)).json;
  return { device, hub, owner, url, base, shown, valueOf, until, untilState, statusOf };
}

/** Does what a person does, who agrees that the hub writes to the device. */
async function setUp(hub: WholeHub, { token }: Person, answers: readonly Json[]): Promise<Json> {
  const { json } = await hub.call('POST /integration_setup', { token, body: { kind: 'shelly' } });
  const path = `/integration_setup/${String(json['id'])}`;
  let shown: Json = json;
  for (const answer of answers) {
    await vi.waitFor(async () => {
      const step = ((await hub.call(`GET ${path}`, { token })).json['step'] ?? {}) as Json;
      expect(['form', 'choose']).toContain(step['type']);
    }, SOON);
    shown = (await hub.call(`POST ${path}`, { token, body: { answer } })).json;
  }
  await vi.waitFor(async () => {
    shown = (await hub.call(`GET ${path}`, { token })).json;
    expect(shown['status']).not.toBe('running');
    expect(hub.lines()).toContainEqual(expect.stringContaining('waiting for the device to call'));
  }, SOON);
  return shown;
}

describe('a device that sleeps', () => {
  test('is set up while it is awake, calls the hub when it wakes, and is asleep in between', async () => {
    const { device, hub, owner, url, valueOf, untilState, until } = await openHome();
    const done = await setUp(hub, owner, [{ host: device.host }, { option: 'write' }]);
    expect(done).toMatchObject({ status: 'done', integration: { id: 'shelly' } });
    const written = device.wire.map((line): unknown => JSON.parse(line))[0];
    expect(written).toEqual({ method: 'Ws.SetConfig', params: { config: { enable: true, server: url } } });
    await device.unplug();
    const first = await device.wake(url);
    await untilState('online');
    expect([await valueOf('temperature'), await valueOf('humidity')]).toEqual([12.5, 71.2]);
    await first.sleep();
    await untilState('asleep');
    expect(await valueOf('temperature')).toBe(12.5);
    device.patch('temperature:0', { tC: 9.5 });
    await device.wake(url);
    await until(async () => expect(await valueOf('temperature')).toBe(9.5));
  });

  test('takes commands while it is awake, and none that would wait until it wakes', async () => {
    const { device, hub, owner, url, untilState, until } = await openHome();
    await setUp(hub, owner, [{ host: device.host }, { option: 'leave' }]);
    const send = (): ReturnType<WholeHub['call']> => {
      const body = { do: 'x.restart' };
      return hub.call('POST /device/cellar-climate/command', { token: owner.token, body });
    };
    const first = await device.wake(url);
    await untilState('online');
    const { json } = await send();
    await until(async () => {
      const command = await hub.call(`GET /command/${String(json['id'])}`, owner);
      expect([device.restarts(), command.json['evidence']]).toEqual([1, 'device_ack']);
    });
    await first.sleep();
    await untilState('asleep');
    expect((await send()).json['code']).toBe('INTEGRATION_DOWN');
    await device.wake(url);
    await untilState('online');
    expect(device.restarts()).toBe(1);
  });

  test('with a password is believed once it has asked for its proof', async () => {
    const { device, hub, owner, url, untilState, valueOf } = await openHome('swordfish');
    await setUp(hub, owner, [{ host: device.host }, { password: 'swordfish' }, { option: 'leave' }]);
    await device.wake(url);
    await untilState('online');
    expect(await valueOf('temperature')).toBe(12.5);
  });

  test('with a password is another one if it asks for none: nothing that it says counts', async () => {
    const { device, hub, owner, url, shown, statusOf, until } = await openHome('swordfish');
    await setUp(hub, owner, [{ host: device.host }, { password: 'swordfish' }, { option: 'leave' }]);
    const impostor = await startShellyDevice('climate');
    onTestFinished(impostor.close);
    const { closed } = await impostor.wake(url);
    await closed;
    await until(async () =>
      expect(await statusOf()).toMatchObject({ status: 'needs_action', error: { code: 'PASSWORD_NOT_ASKED' } }),
    );
    expect((await shown())['code']).toBe('NOT_FOUND');
  });

  test('that calls from another address than its own is refused, and needs a person', async () => {
    const { device, hub, owner, url, statusOf, untilState } = await openHome();
    await setUp(hub, owner, [{ host: device.host }, { option: 'leave' }]);
    const elsewhere = await device.wake(url, { localAddress: '127.0.0.2' });
    expect(await elsewhere.closed).toEqual({ code: 1008, reason: 'another address' });
    expect(await statusOf()).toMatchObject({ status: 'needs_action', error: { code: 'OTHER_ADDRESS' } });
    await device.wake(url);
    await untilState('online');
    // One that is heard at its address is not doubted because somebody else claims to be it.
    await (
      await device.wake(url, { localAddress: '127.0.0.2' })
    ).closed;
    expect(await statusOf()).toMatchObject({ status: 'connected', error: null });
  });

  test('that was switched off or removed is unknown', async () => {
    const { device, hub, owner, url } = await openHome();
    await setUp(hub, owner, [{ host: device.host }, { option: 'leave' }]);
    await hub.call('DELETE /integration/shelly', owner);
    const { closed } = await device.wake(url);
    expect(await closed).toEqual({ code: 1008, reason: 'unknown device' });
  });
});

describe('N, H1: the socket of devices', () => {
  test.each<[string, string | undefined]>([
    ['a device that nobody set up', undefined],
    ['a name without a MAC', '{"src":"lamp","method":"NotifyFullStatus","params":{}}'],
    ['a message that is none', '{{{'],
    ['bytes of no text', '\u0000\u0001'],
  ])('closes %s with a reason', async (_what, says) => {
    const { device, url } = await openHome();
    const { closed } = await device.wake(url, says === undefined ? {} : { says });
    expect(await closed).toEqual({ code: 1008, reason: 'unknown device' });
  });

  test('closes one that sends too much at once', async () => {
    const { device, url } = await openHome();
    const { closed } = await device.wake(url, { says: 'x'.repeat(200_000) });
    expect((await closed).code).toBe(1009);
  });

  test('logs an unknown device once, whatever it calls itself', async () => {
    const { device, hub, url } = await openHome();
    for (let times = 0; times < 3; times += 1) await (await device.wake(url)).closed;
    const lines = hub.lines().filter((line) => line.includes('nobody has set up'));
    expect(lines).toHaveLength(1);
  });

  test('takes so many calls of an address at once, and then one now and then', async () => {
    const { device, url } = await openHome();
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => device.wake(url, { says: '{}' })));
    expect(tries.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(4);
  });

  const WEBSOCKET = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';
  const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  /** The status of the answer to a request as it is written. */
  const ask = (base: string, head: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(`${head}\r\n`));
      onTestFinished(() => void socket.destroy());
      socket.setEncoding('latin1');
      socket.on('data', (text: string) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])));
      socket.on('error', reject);
      socket.on('close', () => resolve(0));
    });
  const at = (path: string, fields: string, host = 'hub.local'): string =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}`;

  test.each<[what: string, head: string, status: number]>([
    ['a WebSocket', at(SOCKET, WEBSOCKET + KEY), 101],
    ['a foreign host', at(SOCKET, WEBSOCKET + KEY, 'evil.example'), 421],
    ['a page from elsewhere', at(SOCKET, `${WEBSOCKET}${KEY}Origin: http://evil.example\r\n`), 403],
    ['a proxy', at(SOCKET, `${WEBSOCKET}${KEY}X-Forwarded-For: 203.0.113.7\r\n`), 403],
    ['two hosts', at(SOCKET, `${WEBSOCKET}${KEY}Host: hub.local\r\n`), 400],
    ['a query', at(`${SOCKET}?token=1`, WEBSOCKET + KEY), 400],
    ['no key', at(SOCKET, WEBSOCKET), 426],
    ['a short key', at(SOCKET, `${WEBSOCKET}Sec-WebSocket-Key: abc\r\n`), 426],
    ['an old version', at(SOCKET, WEBSOCKET.replace('13', '8') + KEY), 426],
    ['another protocol', at(SOCKET, WEBSOCKET.replace('websocket', 'h2c') + KEY), 426],
    ['no upgrade at all', at(SOCKET, ''), 426],
    ['another method', at(SOCKET, WEBSOCKET + KEY).replace('GET', 'POST'), 405],
    ['another path, where an upgrade is ignored', at('/api', WEBSOCKET + KEY), 200],
    ['a path that only begins so', at(`${SOCKET}/x`, WEBSOCKET + KEY), 401],
  ])('answers %s as it should', async (_what, head, status) => {
    const { base } = await openHome();
    expect(await ask(base, head)).toBe(status);
  });

  test('ends a connection on which an answer is still under way', async () => {
    const { base, hub, owner } = await openHome();
    const poll = `${at('/api/v1/event?wait=30', `Authorization: Bearer ${owner.token}\r\n`)}\r\n`;
    expect(await ask(base, poll + at(SOCKET, WEBSOCKET + KEY))).toBe(0);
    expect((await hub.call('GET /health')).status).toBe(200);
  });

  test('is closed with the hub, which need not wait for it', async () => {
    const { device, hub, owner, url, untilState } = await openHome();
    await setUp(hub, owner, [{ host: device.host }, { option: 'leave' }]);
    const { closed } = await device.wake(url);
    await untilState('online');
    await hub.stop();
    expect((await closed).code).toBe(1001);
  });
});
