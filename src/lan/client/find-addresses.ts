import { isIP } from 'node:net';
import { peerAddress } from '#base/ip-address.ts';
import { ConnectionFault } from '#base/network/connection-failure.ts';
import { createTurnQueue } from '#base/turn-queue.ts';

export type AddressRules = {
  /** True for the address of a machine in the LAN or of this machine. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for an address of this machine itself; every such address also counts as one of the LAN. */
  readonly isOwnAddress: (address: string) => boolean;
  /** The system's resolver, `dns.lookup`. */
  readonly lookup: (name: string, options: { all: true }) => Promise<readonly { readonly address: string }[]>;
};

/** `mayReachHub`: an owner entered this host, so it may be this machine. */
export type FindAddresses = (
  host: string,
  mayReachHub: boolean,
  signal: AbortSignal,
) => Promise<readonly [string, ...string[]]>;

/** A name server that lists the whole subnet must not make the hub try each machine in it. */
const MAX_ADDRESSES = 4;

/**
 * Finds the addresses to which a connection to this host may go. The hub resolves a name once, checks each address and
 * connects to no other. A name server's second answer could otherwise lead it out of the LAN, or to programs on its own
 * machine, which trust it. Throws ConnectionFault, or the reason of the signal.
 */
export function createAddressFinder({ isLanAddress, isOwnAddress, lookup }: AddressRules): FindAddresses {
  // One look-up at a time, because each blocks one of the few threads that file access and password hashes need too.
  const inTurn = createTurnQueue();
  const resolve = async (name: string, signal: AbortSignal): Promise<readonly string[]> => {
    const found = await orAbort(
      inTurn(async () => {
        // Nobody waits for this one any more, so it must not hold up the next.
        signal.throwIfAborted();
        return lookup(name, { all: true }).catch((cause: unknown) => {
          throw new ConnectionFault('name_not_found', 'the host name could not be resolved', { cause });
        });
      }),
      signal,
    );
    return found.map(({ address }) => address);
  };
  return async (host, mayReachHub, signal) => {
    signal.throwIfAborted();
    const found = isIP(host) === 0 ? await resolve(host, signal) : [host];
    const ofLan = [...new Set(found.map(peerAddress))].filter(isLanAddress);
    const [first, ...others] = ofLan.filter((one) => mayReachHub || !isOwnAddress(one));
    if (first !== undefined) return [first, ...others.slice(0, MAX_ADDRESSES - 1)];
    const why = ofLan.length > 0 ? 'is the hub itself: an owner must enter it' : 'is not on the local network';
    throw new ConnectionFault('address_refused', `the address ${why}`);
  };
}

/** A look-up cannot be cancelled, so an abort only ends the wait for it. */
export function orAbort<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
