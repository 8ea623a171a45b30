import { createBrowser } from '#lan/browse/browser.ts';
import { createLinkAnswers } from '#lan/mdns/link-answers.ts';
import { createReceiver } from '#lan/mdns/mdns.ts';
import type { MdnsLink } from '#lan/mdns/mdns-links.ts';
import type { MdnsSocket } from '#lan/mdns/mdns-socket.ts';
import { createNameClaim } from '#lan/mdns/name-claim.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const CARD = { id: 'id-1', name: 'Home', claimed: true, apiVersion: 'v1', path: '/api', port: 8080 };

/**
 * A hub that has claimed its name on a link of many addresses, and looks for services of these types; its time stands
 * still from then on, or if it looks for services goes on by two seconds with each packet.
 */
export async function openHeardClaim(...types: readonly string[]): Promise<{ readonly hear: (bytes: Buffer) => void }> {
  const { startTimer, clock: still, advance } = createManualTime();
  let laterMs = 0;
  const clock = { monotonicMs: () => still.monotonicMs() + laterMs };
  const deps = {
    random: () => 0,
    startTimer,
    clock,
    log: createRecordingLog().log,
    isOnLink: () => true,
    mayConnect: () => true,
  };
  const socket: MdnsSocket = { send: () => undefined, close: () => undefined };
  const addresses = ['192.168.50.1', 'fd00::1', 'fd00::2', 'fe80::1%eth0'];
  const link: MdnsLink = { interface: 'eth0', addresses, socket, answers: createLinkAnswers(socket, deps) };
  const links = [link];
  const claim = createNameClaim({ ...deps, links: { all: () => links }, card: () => CARD });
  const browser = createBrowser({ ...deps, links: () => links, own: claim, onActive: () => undefined });
  claim.start();
  for (const type of types) browser.browse(type, () => undefined, new AbortController().signal);
  browser.follow();
  await advance(5_000);
  const receive = createReceiver({ ...deps, claim, browser });
  return {
    hear: (bytes) => {
      if (types.length > 0) laterMs += 2_000;
      receive(link, bytes, { address: '192.168.50.2', port: 5353 });
    },
  };
}
