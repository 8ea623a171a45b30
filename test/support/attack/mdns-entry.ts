import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { systemClock } from '#base/time/clock.ts';
import { createLog } from '#base/log.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createMdns } from '#lan/mdns/mdns.ts';
import { decodeDnsMessage, type DnsName, dnsName, encodeDnsMessage } from '#lan/mdns/dns-message.ts';

/*
 * Runs inside a network namespace.
 * `advertise NAME INTERFACE [SPEED]` announces a hub until SIGTERM, in time that goes so many times as fast.
 * `browse NAME INTERFACE SPEED TYPE…` also finds services of these types, until SIGUSR1 or SIGTERM, and prints each change
 * as a line of JSON; with an empty name it announces nothing.
 * `ask INTERFACE HOST TYPE` prints, as JSON, the data of the answers that come within a second.
 */
const [command, ...args] = process.argv.slice(2);
if (command === 'ask') await ask(args[0] ?? '', dnsName(...(args[1] ?? '').split('.')), Number(args[2]));
else await run({ name: args[0] ?? '', interface: args[1] ?? '', speed: Number(args[2] ?? 1), types: args.slice(3) });

type Options = {
  readonly name: string;
  readonly interface: string;
  readonly speed: number;
  readonly types: readonly string[];
};

async function run({ name, interface: interfaceName, speed, types }: Options): Promise<void> {
  const log = createLog({
    level: 'debug',
    journal: true,
    wallMs: () => 0,
    write: (line) => void process.stderr.write(line),
  });
  const isOnLink = (peer: string): boolean => peer.startsWith('192.168.50.') || peer.startsWith('fe80:');
  const mdns = createMdns({
    isOnLink,
    mayConnect: isOnLink,
    random: () => (systemClock.monotonicMs() % 100) / 100,
    startTimer: (afterMs, run) => startSystemTimer(afterMs / speed, run),
    clock: { monotonicMs: () => systemClock.monotonicMs() * speed },
    log,
  });
  const follow = async (): Promise<void> => {
    const addresses = (networkInterfaces()[interfaceName] ?? []).map(({ address, family }) =>
      family === 'IPv4'
        ? { address, family: 4 as const, interface: interfaceName }
        : { address: `${address}%${interfaceName}`, family: 6 as const, interface: interfaceName },
    );
    const card = { id: 'id-1', name, claimed: true, apiVersion: 'v1', path: '/api', port: 8080 };
    await mdns.follow(addresses, name === '' ? undefined : card);
  };
  const browsing = new AbortController();
  for (const type of types)
    mdns.browse(type, (change) => void process.stdout.write(`${JSON.stringify(change)}\n`), browsing.signal);
  process.once('SIGUSR1', () => browsing.abort());
  await follow();
  const timer = setInterval(() => void follow(), 200);
  await once(process, 'SIGTERM');
  clearInterval(timer);
  browsing.abort();
  await mdns.stop();
}

/** Asks from a port of its own, as a resolver without multicast does. */
async function ask(interfaceName: string, name: DnsName, type: number): Promise<void> {
  const address = networkInterfaces()[interfaceName]?.find(({ family }) => family === 'IPv4')?.address ?? '';
  const socket = createSocket('udp4');
  const found = new Set<string>();
  socket.on('message', (bytes) => {
    for (const record of decodeDnsMessage(bytes)?.answers ?? []) {
      if (record.type === type && record.name.key === name.key) found.add(record.data.toString('latin1'));
    }
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  socket.setMulticastInterface(address);
  const empty = { id: 7, isResponse: false, answers: [], authorities: [], additionals: [] };
  socket.send(encodeDnsMessage({ ...empty, questions: [{ name, type }] }), 5353, '224.0.0.251');
  await new Promise((resolve) => void setTimeout(resolve, 1_000));
  socket.close();
  process.stdout.write(JSON.stringify([...found].toSorted()));
}
