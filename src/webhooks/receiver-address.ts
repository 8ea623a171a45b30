import { isIP } from 'node:net';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Webhook } from '#core/webhook/webhook.ts';
import { PostFailure } from './post-failure.ts';

export type AddressDeps = {
  /** True for the address of a machine in the LAN or of this machine. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for an address of this machine itself; every such address also counts as one of the LAN. */
  readonly isOwnAddress: (address: string) => boolean;
  /** The system's resolver, `dns.lookup`. */
  readonly lookup: (name: string, options: { all: true }) => Promise<readonly { readonly address: string }[]>;
};

export type FindAddress = (host: string, receiver: Pick<Webhook, 'mayReachHub'>) => Promise<string>;

/**
 * Finds the one address for a request to this host. The hub resolves a name once, checks the address and connects to
 * exactly this address. A name server's second answer could otherwise lead it out of the LAN, or to programs on its own
 * machine, which trust it. Throws PostFailure.
 */
export function createAddressFinder({ isLanAddress, isOwnAddress, lookup }: AddressDeps): FindAddress {
  // One look-up at a time, because each blocks one of the few threads that file access and password hashes need too.
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
