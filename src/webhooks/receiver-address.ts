import { isIP } from 'node:net';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Webhook } from '#core/webhook/webhook.ts';
import { PostFailure } from './post-failure.ts';

export type AddressDeps = {
  /** True for the text of an address of the LAN or of this machine. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for the text of an address of this machine itself, which also is one of the LAN. */
  readonly isOwnAddress: (address: string) => boolean;
  /** The system's resolver, `dns.lookup`. */
  readonly lookup: (name: string, options: { all: true }) => Promise<readonly { readonly address: string }[]>;
};

export type FindAddress = (host: string, receiver: Pick<Webhook, 'mayReachHub'>) => Promise<string>;

/**
 * Finds the one address to which a request to this host goes. The hub resolves a name once, checks the address and
 * connects to it, so that no second answer of a name server can lead it out of the LAN, or to programs of its own
 * machine, which trust it. Throws PostFailure.
 */
export function createAddressFinder({ isLanAddress, isOwnAddress, lookup }: AddressDeps): FindAddress {
  // The system's resolver blocks a thread of the few that files and passwords need too: one look-up at a time.
  const inTurn = createTurnQueue();
  const addressesOf = async (name: string): Promise<readonly string[]> => {
    try {
      return (await inTurn(() => lookup(name, { all: true }))).map(({ address }) => address);
    } catch (cause) {
      throw new PostFailure('name_not_found', 'the host name could not be resolved', cause);
    }
  };
  return async (host, { mayReachHub }) => {
    const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
    const ofLan = addresses.filter(isLanAddress);
    const address = ofLan.find((one) => mayReachHub || !isOwnAddress(one));
    if (address !== undefined) return address;
    const why = ofLan.length > 0 ? 'is the hub itself: an owner must set the URL' : 'is not on the local network';
    throw new PostFailure('address_refused', `the receiver ${why}`);
  };
}
