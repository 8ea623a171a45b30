import { createLinkAnswers } from '#lan/mdns/link-answers.ts';
import type { MdnsLink } from '#lan/mdns/mdns-links.ts';
import type { MdnsSocket } from '#lan/mdns/mdns-socket.ts';
import { createNameClaim } from '#lan/mdns/name-claim.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const CARD = { id: 'id-1', name: 'Home', claimed: true, apiVersion: 'v1', path: '/api', port: 8080 };

/** A hub that has claimed its name on a link of many addresses; its time stands still from then on. */
export async function openHeardClaim(): Promise<{ readonly hear: (bytes: Buffer) => void }> {
  const { startTimer, clock, advance } = createManualTime();
  const deps = { random: () => 0, startTimer, clock, log: createRecordingLog().log };
  const socket: MdnsSocket = { send: () => undefined, close: () => undefined };
  const addresses = ['192.168.50.1', 'fd00::1', 'fd00::2', 'fe80::1%eth0'];
  const link: MdnsLink = { interface: 'eth0', addresses, socket, answers: createLinkAnswers(socket, deps) };
  const links = [link];
  const claim = createNameClaim({ ...deps, links: { all: () => links }, card: () => CARD });
  claim.start();
  await advance(5_000);
  return { hear: (bytes) => claim.receive(link, bytes, { address: '192.168.50.2', port: 5353 }) };
}
