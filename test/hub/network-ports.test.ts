import { expect, test } from 'vitest';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createHubHosts, createNetworkOpener } from '#hub/integration/network-ports.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import { reasonOf, serveTcp } from '#test/support/lan/lan-world.ts';

const SETTINGS = {
  broker: 'mqtt://LocalHost:1883',
  host: '127.0.0.1:6053',
  other: '[::1]:80',
  name: 'Kitchen',
  on: true,
};

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['LOCALHOST.', true],
  ['127.0.0.2', false],
  ['hub.local', false],
])('an instance may reach the hub as %s only if its settings name that: %s', (host, isNamed) => {
  expect(createHubHosts({ mayReachHub: true, settings: SETTINGS })(host)).toBe(isNamed);
  expect(createHubHosts({ mayReachHub: false, settings: SETTINGS })(host)).toBe(false);
});

test('all that the ports opened ends with the signal, and later calls fail', async () => {
  const { url, sockets } = await serveTcp((socket) => void socket.resume());
  const isOwnAddress = (): boolean => true;
  const findAddresses = createAddressFinder({ isLanAddress: isOwnAddress, isOwnAddress, lookup: async () => [] });
  const open = createNetworkOpener({ findAddresses, startTimer: startSystemTimer, random: systemRandom });
  const ending = new AbortController();
  const { http, openTcp } = open((host) => host === '127.0.0.1', ending.signal);
  const options = { onData: () => undefined, signal: new AbortController().signal };
  const tcp = await openTcp({ host: new URL(url).host, defaultPort: 1, ...options });
  const waiting = reasonOf(http.request({ url }));
  expect(await reasonOf(http.request({ url: url.replace('127.0.0.1', '127.0.0.2') }))).toBe('address_refused');
  ending.abort();
  await tcp.ended;
  expect([await waiting, await reasonOf(http.request({ url }))]).toEqual(['aborted', 'aborted']);
  expect(sockets.length).toBeGreaterThan(0);
  const late = open(() => true, ending.signal);
  expect(await reasonOf(late.http.request({ url }))).toBe('aborted');
});
