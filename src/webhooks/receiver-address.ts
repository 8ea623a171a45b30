import { isIP } from 'node:net';
import { createTurnQueue } from '#base/turn-queue.ts';
import { PostFailure } from './post-failure.ts';

export type AddressDeps = {
  /** True for the text of an address of the LAN or of this machine. */
  readonly isLanAddress: (address: string) => boolean;
  /** The system's resolver, `dns.lookup`. */
  readonly lookup: (name: string, options: { all: true }) => Promise<readonly { readonly address: string }[]>;
};

export type FindAddress = (host: string) => Promise<string>;

/**
 * Finds the one address to which a request to this host goes: what a name stands for is asked once, looked at and then
 * connected to, so that no second answer of a name server can lead the hub out of the LAN. Throws PostFailure.
 */
export function createAddressFinder({ isLanAddress, lookup }: AddressDeps): FindAddress {
  // The system's resolver blocks a thread of the few that files and passwords need too: one look-up at a time.
  const inTurn = createTurnQueue();
  const addressesOf = async (name: string): Promise<readonly string[]> => {
    try {
      return (await inTurn(() => lookup(name, { all: true }))).map(({ address }) => address);
    } catch (cause) {
      throw new PostFailure('name_not_found', 'the host name could not be resolved', cause);
    }
  };
  return async (host) => {
    const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
    const address = addresses.find(isLanAddress);
    if (address !== undefined) return address;
    throw new PostFailure('address_refused', 'the receiver is not on the local network');
  };
}
