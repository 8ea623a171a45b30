import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { isResponse } from './dns-message.ts';
import { createLinkAnswers, type LinkAnswers, type LinkAnswersDeps } from './link-answers.ts';
import { type MdnsPlace, type MdnsSocket, openMdnsSocket } from './mdns-socket.ts';
import { createPacketRation } from './packet-ration.ts';

export type AdvertisedAddress = { readonly address: string; readonly family: 4 | 6; readonly interface: string };

/** One address family on one interface, whose multicast group the hub has joined. */
export type MdnsLink = {
  readonly interface: string;
  readonly socket: MdnsSocket;
  /** Addresses of both families: each link advertises all of them. */
  readonly addresses: readonly string[];
  readonly answers: LinkAnswers;
};

export type MdnsLinksDeps = LinkAnswersDeps & {
  readonly onMessage: (
    link: MdnsLink,
    bytes: Buffer,
    from: { readonly address: string; readonly port: number },
  ) => void;
  /** Called when it is time to try again to join a link that could not be joined. */
  readonly onRetry: () => void;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

export type MdnsLinks = {
  readonly all: () => readonly MdnsLink[];
  /** Leaves all joined links and joins those of these addresses. */
  readonly join: (addresses: readonly AdvertisedAddress[]) => Promise<void>;
  readonly leave: () => void;
};

const RETRY_MS = 5_000;

export function createMdnsLinks(deps: MdnsLinksDeps): MdnsLinks {
  let links: readonly MdnsLink[] = [];
  let isFailing = false;
  let stopRetry = (): void => undefined;

  const join = async (place: MdnsPlace, addresses: readonly string[]): Promise<MdnsLink[]> => {
    const joined: { link?: MdnsLink } = {};
    // Apart, so that a flood of answers, which the hub reads when it browses, leaves it its ration of questions.
    const rations = { questions: createPacketRation(deps.clock), answers: createPacketRation(deps.clock) };
    try {
      const socket = await openMdnsSocket(place, {
        onMessage: (bytes, from) => {
          const ration = isResponse(bytes) ? rations.answers : rations.questions;
          if (joined.link !== undefined && ration.admit(from.address, bytes)) deps.onMessage(joined.link, bytes, from);
        },
        onFailure: (cause) => deps.log.debug('the network takes no multicast', { interface: place.interface, cause }),
      });
      joined.link = { interface: place.interface, socket, addresses, answers: createLinkAnswers(socket, deps) };
      return [joined.link];
    } catch (cause) {
      if (!isFailing) deps.log.warn('cannot use multicast DNS, trying again', { interface: place.interface, cause });
      isFailing = true;
      return [];
    }
  };
  const leave = (): void => {
    stopRetry();
    for (const { answers, socket } of links) {
      answers.stop();
      socket.close();
    }
    links = [];
  };

  return {
    all: () => links,
    leave,
    join: async (addresses) => {
      leave();
      const places = placesOf(addresses);
      const addressesOn = (name: string): string[] =>
        addresses.filter((one) => one.interface === name).map(({ address }) => address);
      links = (await Promise.all(places.map((place) => join(place, addressesOn(place.interface))))).flat();
      if (links.length === places.length) isFailing = false;
      else stopRetry = deps.startTimer(RETRY_MS, deps.onRetry);
    },
  };
}

/** One link for each family of each interface. Nothing is advertised on loopback. */
function placesOf(addresses: readonly AdvertisedAddress[]): readonly MdnsPlace[] {
  const places = new Map<string, MdnsPlace>();
  for (const { address, family, interface: name } of addresses) {
    const key = `${name} ${family}`;
    if (name !== 'lo' && !places.has(key)) places.set(key, { interface: name, family, address });
  }
  return [...places.values()];
}
