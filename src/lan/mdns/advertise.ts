import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { NameConflict } from './conflict-notes.ts';
import type { HubCard } from './hub-records.ts';
import { type AdvertisedAddress, createMdnsLinks } from './mdns-links.ts';
import { createNameClaim } from './name-claim.ts';

export type AdvertiserDeps = {
  /** Whether a peer is on the link of this interface; the hub answers no other peer. */
  readonly isOnLink: (peer: string, interfaceName: string) => boolean;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly startTimer: StartTimer;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
};

/** Advertises the hub in the home's network by mDNS and DNS-SD (RFC 6762, RFC 6763). */
export type Advertiser = {
  /** Advertises these addresses and this card from now on; does nothing if nothing changed. */
  readonly advertise: (addresses: readonly AdvertisedAddress[], card: HubCard) => Promise<void>;
  readonly state: () => Advertised;
  /** Says goodbye, so that clients forget the hub at once. */
  readonly stop: () => Promise<void>;
};

export type Advertised = {
  /** The present host name, such as `hearthd.local`; `null` until the hub has asked the network whether it is free. */
  readonly host: string | null;
  /** Another host that has one of the hub's names, or claimed one in the last ten minutes. */
  readonly conflict: NameConflict | null;
};

type Wanted = { readonly addresses: readonly AdvertisedAddress[]; readonly card: HubCard };

/** Time to send the goodbye: closing a socket drops what it has not sent. */
const FLUSH_MS = 20;

export function createAdvertiser(deps: AdvertiserDeps): Advertiser {
  const inTurn = createTurnQueue();
  let wanted: Wanted | undefined;
  const links = createMdnsLinks({
    ...deps,
    onMessage: (link, bytes, from) => {
      if (deps.isOnLink(from.address, link.interface)) claim.receive(link, bytes, from);
    },
    onRetry: () => void inTurn(rejoin),
  });
  const claim = createNameClaim({ ...deps, links, card: () => wanted?.card });
  const rejoin = async (): Promise<void> => {
    if (wanted === undefined) return;
    claim.pause();
    await links.join(wanted.addresses);
    claim.start();
  };
  return {
    state: () => ({ host: claim.host() ?? null, conflict: claim.conflict() ?? null }),
    advertise: (addresses, card) =>
      inTurn(async () => {
        const next: Wanted = { addresses, card };
        if (JSON.stringify(next) === JSON.stringify(wanted)) return;
        const isSameNetwork = JSON.stringify(addresses) === JSON.stringify(wanted?.addresses);
        claim.goodbye();
        wanted = next;
        await (isSameNetwork ? claim.start() : rejoin());
      }),
    stop: () =>
      inTurn(async () => {
        claim.goodbye();
        claim.pause();
        wanted = undefined;
        await new Promise<void>((resolve) => void deps.startTimer(FLUSH_MS, resolve));
        links.leave();
      }),
  };
}
