import type { Socket } from 'node:net';
import type { Clock } from '#base/time/clock.ts';
import { createLogTurn, type Log } from '#base/log.ts';

/** Where a peer is, seen from the interface that it reached. */
export type PeerPlace = 'on_link' | 'gateway' | 'loopback' | 'stranger';

type PeerGuardDeps = {
  readonly placeOf: (peer: string, local: { readonly interface: string }) => PeerPlace;
  /** Refuses the default gateway as well. */
  readonly denyGateway: boolean;
  /** Called for each connection that is refused. */
  readonly onRefused?: (peer: string) => void;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Binding to an address of the LAN does not isolate (N4): the kernel accepts packets for it on every interface, so peers
 * of the WAN and of containers reach it too. Only the peer's address shows where it is.
 */
export function createPeerGuard({ placeOf, denyGateway, onRefused, log, clock }: PeerGuardDeps) {
  const takeRefusalTurn = createLogTurn(MINUTE_MS, clock.monotonicMs);
  const takeGatewayTurn = createLogTurn(DAY_MS, clock.monotonicMs);
  let refused = 0;
  const refuse = (peer: string, local: { readonly address: string }, why: string): false => {
    refused += 1;
    onRefused?.(peer);
    const turn = takeRefusalTurn();
    if (turn !== undefined) {
      const more = turn.withheld === 0 ? {} : { refused_since_last_line: turn.withheld };
      log.warn(`refused a connection: ${why}`, { peer, local: local.address, ...more });
    }
    return false;
  };
  return {
    /** Connections refused since the start. */
    refused: (): number => refused,
    /** Whether a new connection may use the hub at all; called before a byte of it is parsed. */
    admit: (socket: Socket, local: { readonly interface: string; readonly address: string }): boolean => {
      const peer = socket.remoteAddress;
      // The peer left after the kernel accepted the connection.
      if (peer === undefined) return false;
      const place = placeOf(peer, local);
      if (place === 'stranger') return refuse(peer, local, 'the peer is not on the local network');
      if (place !== 'gateway') return true;
      if (denyGateway) return refuse(peer, local, 'the peer is the default gateway (network.deny_gateway)');
      if (takeGatewayTurn() !== undefined) {
        log.warn(
          'the default gateway is a client of the hub: unless the router itself calls, it forwards a port or rewrites ' +
            'addresses, and hosts on the internet may reach the hub. Remove the port forward there, or set ' +
            'network.deny_gateway',
          { peer, local: local.address },
        );
      }
      return true;
    },
  };
}
