import { expect, test } from 'vitest';
import { createMdnsLinks } from '#lan/mdns/mdns-links.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const ADDRESSES = [
  { address: '192.168.50.1', family: 4, interface: 'eth0' },
  { address: 'fe80::1%eth0', family: 6, interface: 'eth0' },
  { address: '127.0.0.1', family: 4, interface: 'lo' },
] as const;

/** Links on sockets of the test; no socket opens for a family in `refused`. */
function openLinks(...refused: readonly number[]) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const families = new Set(refused);
  const opened: string[] = [];
  const closed: string[] = [];
  const gained: boolean[] = [];
  const links = createMdnsLinks({
    random: () => 0,
    startTimer: time.startTimer,
    clock: time.clock,
    log,
    onMessage: () => undefined,
    onRetry: () => void links.joinMissing().then((isMore) => void gained.push(isMore)),
    openSocket: async ({ family, address }) => {
      if (families.has(family)) throw new Error('no device');
      opened.push(address);
      return { send: () => undefined, close: () => void closed.push(address) };
    },
  });
  return { links, time, lines, families, opened, closed, gained };
}

test('a link that cannot be joined is tried again every five seconds, and the others stay as they are', async () => {
  const { links, time, lines, families, opened, closed, gained } = openLinks(6);
  await links.join(ADDRESSES);
  const [first] = links.all();
  await time.advance(20_000);
  expect(gained).toEqual([false, false, false, false]);
  expect(lines).toHaveLength(1);
  families.clear();
  await time.advance(5_000);
  expect(gained.at(-1)).toBe(true);
  expect(links.all().map((link) => [link.interface, ...link.addresses])).toEqual([
    ['eth0', '192.168.50.1', 'fe80::1%eth0'],
    ['eth0', '192.168.50.1', 'fe80::1%eth0'],
  ]);
  expect(links.all()[0]).toBe(first);
  expect([opened, closed]).toEqual([['192.168.50.1', 'fe80::1%eth0'], []]);
  expect(time.pendingMs()).toEqual([]);
});

test('links that are left are closed, and nothing is tried again', async () => {
  const { links, time, closed, gained } = openLinks(6);
  await links.join(ADDRESSES);
  links.leave();
  await time.advance(60_000);
  expect([links.all(), closed, gained]).toEqual([[], ['192.168.50.1'], []]);
});
