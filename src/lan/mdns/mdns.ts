import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { type Browser, createBrowser } from '#lan/browse/browser.ts';
import type { NameConflict } from './conflict-notes.ts';
import { decodeDnsMessage, isResponse } from './dns-message.ts';
import type { HubCard } from './hub-records.ts';
import { type AdvertisedAddress, createMdnsLinks, type MdnsLinksDeps } from './mdns-links.ts';
import { openMdnsSocket } from './mdns-socket.ts';
import { createNameClaim, type NameClaim } from './name-claim.ts';

type MdnsDeps = Pick<Runtime, 'random' | 'startTimer' | 'log'> & {
  /** Whether a peer is on the link of this interface; the hub hears no other peer. */
  readonly isOnLink: (peer: string, interfaceName: string) => boolean;
  /** Whether the hub may connect to this address, which it heard on this interface; it finds no other address. */
  readonly mayConnect: (address: string, interfaceName: string) => boolean;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

export type Advertised = {
  /** The present host name, such as `hearthd.local`; `null` until the hub has asked the network whether it is free. */
  readonly host: string | null;
  /** Another host that has one of the hub's names, or claimed one in the last ten minutes. */
  readonly conflict: NameConflict | null;
};

/** `lastMs` ago, a packet of another machine came in; `null` if none has come since the start. */
export type Reception = { readonly lastMs: number | null };

type Wanted = { readonly addresses: readonly AdvertisedAddress[]; readonly card: HubCard | undefined };

/** Time to send the goodbye: closing a socket drops what it has not sent. */
const FLUSH_MS = 20;

/** Multicast DNS in the home's network (RFC 6762, RFC 6763): advertises the hub and finds services, on the same sockets. */
export function createMdns(deps: MdnsDeps) {
  const inTurn = createTurnQueue();
  let wanted: Wanted | undefined;
  let isJoined = false;
  let heardMs: number | undefined;
  const links = createMdnsLinks({
    ...deps,
    onMessage: (link, bytes, from) => {
      const isOwn = links.all().some(({ addresses }) => addresses.includes(from.address));
      if (!isOwn) heardMs = deps.clock.monotonicMs();
      receive(link, bytes, from);
    },
    onRetry: () =>
      void inTurn(async () => {
        if (await links.joinMissing()) restart();
      }),
    openSocket: openMdnsSocket,
  });
  const claim = createNameClaim({ ...deps, links, card: () => wanted?.card });
  const browser = createBrowser({
    ...deps,
    links: links.all,
    own: claim,
    onActive: () => void inTurn(async () => (isJoined === isNeeded() ? browser.follow() : rejoin())),
  });
  const receive = createReceiver({ ...deps, claim, browser });
  const isNeeded = (): boolean => wanted?.card !== undefined || (wanted !== undefined && browser.isActive());
  const restart = (): void => {
    browser.follow();
    if (wanted?.card !== undefined) claim.start();
  };
  const rejoin = async (): Promise<void> => {
    claim.pause();
    isJoined = isNeeded();
    if (wanted === undefined || !isJoined) links.leave();
    else await links.join(wanted.addresses);
    restart();
  };
  return {
    browse: browser.browse,
    state: (): Advertised => ({ host: claim.host() ?? null, conflict: claim.conflict() ?? null }),
    /** When another machine was last heard; `undefined` while no socket is open. */
    reception: (): Reception | undefined => {
      if (links.all().length === 0) return undefined;
      return { lastMs: heardMs === undefined ? null : deps.clock.monotonicMs() - heardMs };
    },
    /**
     * Uses the interfaces of these addresses from now on, and advertises them with this card; without one it only browses.
     * Does nothing if nothing changed.
     */
    follow: (addresses: readonly AdvertisedAddress[], card?: HubCard): Promise<void> =>
      inTurn(async () => {
        const next: Wanted = { addresses, card };
        if (JSON.stringify(next) === JSON.stringify(wanted)) return;
        const isSameNetwork = JSON.stringify(addresses) === JSON.stringify(wanted?.addresses);
        claim.goodbye();
        wanted = next;
        if (!isSameNetwork || isJoined !== isNeeded()) await rejoin();
        else if (card !== undefined) claim.start();
      }),
    /** Says goodbye, so that clients forget the hub at once. */
    stop: (): Promise<void> =>
      inTurn(async () => {
        claim.goodbye();
        claim.pause();
        browser.stop();
        wanted = undefined;
        isJoined = false;
        await new Promise<void>((resolve) => void deps.startTimer(FLUSH_MS, resolve));
        links.leave();
      }),
  };
}

type ReceiverDeps = Pick<MdnsDeps, 'isOnLink'> & {
  readonly claim: Pick<NameClaim, 'isSpokenOf' | 'receive'>;
  readonly browser: Pick<Browser, 'isWanted' | 'receive'>;
};

/** Reads each packet once, for the answers of the hub and for its questions. */
export function createReceiver({ isOnLink, claim, browser }: ReceiverDeps): MdnsLinksDeps['onMessage'] {
  return (link, bytes, from) => {
    if (!isOnLink(from.address, link.interface)) return;
    const isAnswer = isResponse(bytes);
    const message = decodeDnsMessage(
      bytes,
      (key, type) => claim.isSpokenOf(key) || (isAnswer && browser.isWanted(key, type)),
    );
    if (message === undefined) return;
    claim.receive(link, message, from);
    browser.receive(link, message, from);
  };
}
