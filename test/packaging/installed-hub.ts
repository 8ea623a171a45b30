import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createNamespaces, type Namespaces } from '#test/support/machine/namespaces.ts';
import { bootContainer, type Container } from './container.ts';

export const HUB_ADDRESS = '10.77.0.15';
/** On the link; what routes to the internet is another. */
export const PHONE_ADDRESS = '10.77.0.3';
export const PUBLIC_ADDRESS = '203.0.113.9';
export const OWNER = { email: 'ada@example.org', password: 'cup river stamp' };

export type Reply = { readonly status: number; readonly json: unknown };
export type Ask = { readonly token?: string; readonly body?: unknown; readonly from?: string };
export type Polling = { readonly asked: number; readonly failed: number; readonly longestGapMs: number };

/** A machine on a home's network, on which packages are installed. */
export type HubMachine = {
  readonly machine: () => Container;
  readonly home: Namespaces<'home'>;
  /** From the home; status 0 where no answer comes. */
  readonly ask: (method: string, path: string, ask?: Ask) => Reply;
  /** Puts the package there and runs `dpkg -i`, keeping edited configuration, as apt does without answers. */
  readonly install: (deb: string) => ReturnType<Container['run']>;
  /** Makes the hub its owner's and returns an access token. */
  readonly claim: () => string;
  readonly login: () => string;
  /** One property of the service, as systemctl knows it. */
  readonly show: (property: string) => string;
  /** Clients that send requests until the returned function is called. */
  readonly poll: () => Promise<() => Promise<Polling>>;
  readonly untilActive: () => Promise<void>;
  /** Cuts the power, boots again and is back on the network. */
  readonly cutPower: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function bootHubMachine(): Promise<HubMachine> {
  let machine = await bootContainer();
  const home = createNamespaces('home');
  const plugIn = (): void => {
    home.home.ip(`link add hub0 type veth peer name eth0 netns ${machine.pid}`, 'link set hub0 up');
    home.home.ip('addr add 10.77.0.2/24 dev hub0', `addr add ${PHONE_ADDRESS}/24 dev hub0`);
    home.home.ip(`addr add ${PUBLIC_ADDRESS}/32 dev hub0`);
    machine.exec(`ip link set eth0 up; ip addr add ${HUB_ADDRESS}/24 dev eth0; ip route add default via 10.77.0.2`);
  };
  plugIn();

  const ask: HubMachine['ask'] = (method, path, { token, body, from = PHONE_ADDRESS } = {}) => {
    const headers = token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`];
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const content = body === undefined ? [] : ['-H', `Content-Type: ${type}`, '-d', JSON.stringify(body)];
    const url = `http://${HUB_ADDRESS}${path}`;
    const call = [
      '-s',
      '-m',
      '5',
      '-X',
      method,
      '--interface',
      from,
      '-w',
      '\n%{http_code}',
      ...headers,
      ...content,
      url,
    ];
    const text = home.home.run('sh', ['-c', 'curl "$@" || true', 'sh', ...call]);
    const end = text.lastIndexOf('\n');
    const json = text.slice(0, end);
    return { status: Number(text.slice(end + 1)), json: json === '' ? undefined : JSON.parse(json) };
  };
  const show: HubMachine['show'] = (property) => machine.exec(`systemctl show -P ${property} hearthd`).trim();
  const untilActive = async (): Promise<void> => {
    await vi.waitFor(
      () => {
        const [state, { status }] = [show('ActiveState'), ask('GET', '/api/v1/health')];
        if (state !== 'active' || status !== 200) throw new Error(`the hub is ${state} and answers ${status}`);
      },
      { timeout: 60_000, interval: 100 },
    );
  };
  const tokenOf = ({ json, status }: Reply): string => {
    if (status >= 300) throw new Error(`no token: ${status} ${JSON.stringify(json)}`);
    return (json as { access_token: string }).access_token;
  };
  return {
    machine: () => machine,
    home,
    ask,
    show,
    untilActive,
    install: (deb) => {
      machine.copyIn(deb, '/root/package.deb');
      return machine.run('dpkg -i --force-confold /root/package.deb');
    },
    claim: () => {
      const body = { claim_code: machine.exec('hearthd claim').trim(), ...OWNER, hub_name: 'Home' };
      return tokenOf(ask('POST', '/api/v1/setup', { body }));
    },
    login: () => tokenOf(ask('POST', '/api/v1/login', { body: OWNER })),
    poll: async () => {
      const poller = home.home.start(
        process.execPath,
        [join(import.meta.dirname, 'poll.mjs'), `http://${HUB_ADDRESS}`],
        {},
      );
      let output = '';
      poller.stdout?.on('data', (chunk) => (output += String(chunk)));
      await vi.waitFor(() => expect(output).toBe('asking\n'), { timeout: 10_000, interval: 20 });
      return async () => {
        const ended = once(poller, 'close');
        poller.kill('SIGTERM');
        await ended;
        return JSON.parse(output.slice(output.indexOf('{'))) as Polling;
      };
    },
    cutPower: async () => {
      execFileSync('ip', ['-n', home.home.name, 'link', 'delete', 'hub0']);
      machine = await machine.cutPower();
      plugIn();
    },
    close: async () => {
      home.remove();
      await machine.close();
    },
  };
}
