import type { Clock } from '#base/time/clock.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { countDnsItems, MAX_MESSAGE_BYTES } from './dns-message.ts';

/** Decides which packets from a link are read at all. */
type PacketRation = {
  readonly admit: (peer: string, bytes: Buffer) => boolean;
};

/** One is a microsecond of a server's processor; size and header of a packet bound its cost. */
const PACKET_COST = 10;
const BYTES_PER_COST = 1_000;
/** A fiftieth of that processor, and a fourth of this for one peer: some 20 of the dearest packets a second. */
const LINK_PER_S = 20_000;
const PEER_PER_S = 5_000;
const MAX_PEERS = 256;

/**
 * A peer that sends little is always answered. A question costs a twentieth of the dearest packet: while dear packets
 * use up the ration of a link and wait until it has grown enough for one more, enough is left for a question. This holds
 * even if each of them comes from another, forged address.
 */
export function createPacketRation({ monotonicMs }: Pick<Clock, 'monotonicMs'>): PacketRation {
  const bucketsOf = (perS: number, maxNames: number): ReturnType<typeof createTokenBuckets> =>
    createTokenBuckets({ capacity: perS, refillMs: 1_000 / perS, maxNames, monotonicMs });
  const link = bucketsOf(LINK_PER_S, 1);
  const peers = bucketsOf(PEER_PER_S, MAX_PEERS);
  return {
    admit: (peer, bytes) => {
      if (bytes.length > MAX_MESSAGE_BYTES) return false;
      const cost = PACKET_COST + Math.ceil(bytes.length / BYTES_PER_COST) + countDnsItems(bytes);
      return peers.take(peer, cost) && link.take('', cost);
    },
  };
}
