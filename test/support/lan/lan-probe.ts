import { lookup } from 'node:dns/promises';
import { faultOf } from '#base/network/connection-failure.ts';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import { createLanClient } from '#lan/client/lan-client.ts';
import { readLanView } from '#lan/lan-view.ts';
import { systemSources } from '#lan/lan-watch.ts';

/*
 * Runs in a network namespace: connects to each URL of its arguments with the client of the LAN, and prints as JSON
 * what came of it by URL. The scheme says how: http, events, ws or tcp. Only lan0 is of the LAN.
 */

const view = readLanView(systemSources, {
  interfaces: ['lan0'],
  exclude: ['wan0'],
  extraSubnets: [],
  allowGua: false,
  allowCgnat: false,
});
const { signal } = new AbortController();
const client = createLanClient({
  findAddresses: createAddressFinder({
    isLanAddress: view.isLanMachine,
    isOwnAddress: view.isOwnAddress,
    lookup,
  }),
  mayReachHub: () => false,
  startTimer: startSystemTimer,
  random: systemRandom,
  keepAlive: true,
});

async function attempt(text: string): Promise<string> {
  const [scheme = '', rest = ''] = text.split(/:\/\/(.*)/s);
  if (scheme === 'tcp') {
    const tcp = await client.openTcp({ host: rest, defaultPort: 80, onData: () => undefined, signal });
    tcp.close();
    return 'open';
  }
  if (scheme === 'ws') {
    return new Promise((resolve, reject) => {
      client.openWebSocket({ url: text, onMessage: (data) => resolve(String(data)), signal }).catch(reject);
    });
  }
  if (scheme === 'events') {
    for await (const { data } of client.http.events({ url: `http://${rest}` }, signal)) return data;
    return 'ended';
  }
  const { status, body } = await client.http.request({ url: text, timeoutMs: 60_000 });
  return `${status} ${Buffer.from(body).toString()}`;
}

const outcomes = await Promise.all(
  process.argv.slice(2).map(async (url) => {
    try {
      return [url, await attempt(url)] as const;
    } catch (cause) {
      return [url, faultOf(cause)?.reason ?? String(cause)] as const;
    }
  }),
);
client.close();
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
