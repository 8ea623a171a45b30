import { createLogTurn, type Log } from '#base/log.ts';
import { firstLabel, keyOfRest } from './service-text.ts';

/** Bounds how many services are kept, on all interfaces together. */
export type ServiceRoom = ReturnType<typeof createServiceRoom>;

const MOST_OF_TYPE = 1_000;
const MOST = 2_000;
/** One address may take so much of the room of a type: a border router speaks for all devices of its network. */
const MOST_OF_PEER = 300;
const LOG_EVERY_MS = 3_600_000;

/** New services find no place in a full room, those in it stay: a flood shows nothing new, and hides nothing. */
export function createServiceRoom(deps: { readonly log: Log; readonly monotonicMs: () => number }) {
  const ofType = new Map<string, number>();
  const ofPeer = new Map<string, number>();
  let all = 0;
  const takeTurn = createLogTurn(LOG_EVERY_MS, deps.monotonicMs);
  const add = (counts: Map<string, number>, key: string, change: number): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  const count = (typeKey: string, peer: string, change: number): void => {
    add(ofType, typeKey, change);
    add(ofPeer, `${typeKey} ${peer}`, change);
    all += change;
  };
  return {
    /** Whether one more service of this type, said by this host, is kept. */
    enter: (typeKey: string, peer: string): boolean => {
      const isPeerFull = (ofPeer.get(`${typeKey} ${peer}`) ?? 0) >= MOST_OF_PEER;
      if (!isPeerFull && (ofType.get(typeKey) ?? 0) < MOST_OF_TYPE && all < MOST) {
        count(typeKey, peer, 1);
        return true;
      }
      const turn = takeTurn();
      if (turn === undefined) return false;
      deps.log.warn('too many services in the network: new ones are left out', {
        type: wordsOf(typeKey),
        services: ofType.get(typeKey) ?? 0,
        ...(isPeerFull ? { announced_by: peer } : {}),
        ...(turn.withheld === 0 ? {} : { left_out_since_last_line: turn.withheld }),
      });
      return false;
    },
    /** One that had entered is gone. */
    leave: (typeKey: string, peer: string): void => count(typeKey, peer, -1),
  };
}

/** `_hue._tcp` of the key of `_hue._tcp.local`. */
function wordsOf(typeKey: string): string {
  return `${firstLabel(typeKey)}.${firstLabel(keyOfRest(typeKey))}`;
}
