import type { Runtime } from '#base/time/runtime.ts';
import { countDnsItems, isResponse, MAX_MESSAGE_BYTES } from './dns-message.ts';
import { createLinkAnswers, type LinkAnswers, type LinkAnswersDeps } from './link-answers.ts';
import type { MdnsPlace, MdnsSocket, openMdnsSocket } from './mdns-socket.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';

export type AdvertisedAddress = { readonly address: string; readonly family: 4 | 6; readonly interface: string };

/** One address family on one interface, whose multicast group the hub has joined. */
export type MdnsLink = {
  readonly interface: string;
  readonly socket: MdnsSocket;
  /** Addresses of both families: each link advertises all of them. */
  readonly addresses: readonly string[];
  readonly answers: LinkAnswers;
};

export type MdnsLinksDeps = Pick<Runtime, 'startTimer' | 'log'> &
  LinkAnswersDeps & {
    readonly onMessage: (
      link: MdnsLink,
      bytes: Buffer,
      from: { readonly address: string; readonly port: number },
    ) => void;
    /** Called when it is time to `joinMissing`. */
    readonly onRetry: () => void;
    readonly openSocket: typeof openMdnsSocket;
  };

export type MdnsLinks = ReturnType<typeof createMdnsLinks>;

const RETRY_MS = 5_000;

export function createMdnsLinks(deps: MdnsLinksDeps) {
  let links: readonly MdnsLink[] = [];
  let missing: readonly Wanted[] = [];
  let isFailing = false;
  let stopRetry = (): void => undefined;

  const joinOne = async ({ place, addresses }: Wanted): Promise<MdnsLink | undefined> => {
    const joined: { link?: MdnsLink } = {};
    // Apart, so that a flood of answers, which the hub reads when it browses, leaves it its ration of questions.
    const rations = { questions: createPacketRation(deps.clock), answers: createPacketRation(deps.clock) };
    try {
      const socket = await deps.openSocket(place, {
        onMessage: (bytes, from) => {
          const ration = isResponse(bytes) ? rations.answers : rations.questions;
          if (joined.link !== undefined && ration.admit(from.address, bytes)) deps.onMessage(joined.link, bytes, from);
        },
        onFailure: (cause) => deps.log.debug('the network takes no multicast', { interface: place.interface, cause }),
      });
      joined.link = { interface: place.interface, socket, addresses, answers: createLinkAnswers(socket, deps) };
      return joined.link;
    } catch (cause) {
      if (!isFailing) deps.log.warn('cannot use multicast DNS, trying again', { interface: place.interface, cause });
      isFailing = true;
      return undefined;
    }
  };
  /** Links that could be joined before stay as they are, with their rations and what they have said. */
  const joinMissing = async (): Promise<boolean> => {
    const tried = await Promise.all(missing.map(async (wanted) => ({ wanted, link: await joinOne(wanted) })));
    const joined = tried.flatMap(({ link }) => link ?? []);
    missing = tried.filter(({ link }) => link === undefined).map(({ wanted }) => wanted);
    if (joined.length > 0) links = [...links, ...joined];
    if (missing.length === 0) isFailing = false;
    else stopRetry = deps.startTimer(RETRY_MS, deps.onRetry);
    return joined.length > 0;
  };
  const leave = (): void => {
    stopRetry();
    for (const { answers, socket } of links) {
      answers.stop();
      socket.close();
    }
    [links, missing] = [[], []];
  };

  return {
    all: (): readonly MdnsLink[] => links,
    leave,
    /** Leaves all joined links and joins those of these addresses. */
    join: async (addresses: readonly AdvertisedAddress[]): Promise<void> => {
      leave();
      missing = placesOf(addresses).map((place) => {
        const on = addresses.filter((one) => one.interface === place.interface);
        return { place, addresses: on.map(({ address }) => address) };
      });
      await joinMissing();
    },
    /** Tries once more to join the links that could not be joined; true if one was. */
    joinMissing,
  };
}

type Wanted = { readonly place: MdnsPlace; readonly addresses: readonly string[] };

/** One link for each family of each interface. Nothing is advertised on loopback. */
function placesOf(addresses: readonly AdvertisedAddress[]): readonly MdnsPlace[] {
  const places = new Map<string, MdnsPlace>();
  for (const { address, family, interface: name } of addresses) {
    const key = `${name} ${family}`;
    if (name !== 'lo' && !places.has(key)) places.set(key, { interface: name, family, address });
  }
  return [...places.values()];
}

/** One is a microsecond of a server's processor; size and header of a packet bound its cost. */
const PACKET_COST = 10;
const BYTES_PER_COST = 1_000;
/** A fiftieth of that processor, and a fourth of this for one peer: some 20 of the dearest packets a second. */
const LINK_PER_S = 20_000;
const PEER_PER_S = 5_000;
const MAX_PEERS = 256;

/**
 * Decides which packets from a link are read at all. * A peer that sends little is always answered. A question costs a
 * twentieth of the dearest packet: while dear packets use up the ration of a link and wait until it has grown enough
 * for one more, enough is left for a question. This holds even if each of them comes from another, forged address.
 */
export function createPacketRation({ monotonicMs }: Pick<Clock, 'monotonicMs'>) {
  const bucketsOf = (perS: number, maxNames: number): ReturnType<typeof createTokenBuckets> =>
    createTokenBuckets({ capacity: perS, refillMs: 1_000 / perS, maxNames, monotonicMs });
  const link = bucketsOf(LINK_PER_S, 1);
  const peers = bucketsOf(PEER_PER_S, MAX_PEERS);
  return {
    admit: (peer: string, bytes: Buffer): boolean => {
      if (bytes.length > MAX_MESSAGE_BYTES) return false;
      const cost = PACKET_COST + Math.ceil(bytes.length / BYTES_PER_COST) + countDnsItems(bytes);
      return peers.take(peer, cost) && link.take('', cost);
    },
  };
}
