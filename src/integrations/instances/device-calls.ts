import { HubError } from '#base/hub-error.ts';
import { isJsonObject, parseJson } from '#base/json.ts';
import { peerGroup } from '#base/ip-address.ts';
import type { AcceptWebSocket, UpgradeRequest } from '#base/network/lan-ports.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import type { DeviceCall, InstancePorts } from '#integrations/ports.ts';

/** The connections that devices open to the hub, because they sleep and cannot be connected to. */
export type DeviceCalls = {
  /** Throws HubError TOO_MANY_REQUESTS and OVERLOADED. */
  readonly admit: (peer: string) => void;
  /** Takes a call that was admitted. It ends by itself unless it is one of a device that somebody waits for. */
  readonly open: (upgrade: UpgradeRequest, peer: string, form: CallForm) => void;
  readonly awaitCalls: InstancePorts['awaitCalls'];
  readonly stop: () => void;
};

/** How the devices of a kind say who they are. */
type CallForm = Pick<NonNullable<IntegrationKind['calls']>, 'nameIn' | 'macIn'>;
type Caller = { readonly peer: string; readonly form: CallForm };

type DeviceCallsDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly accept: AcceptWebSocket;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** The places of an address where a device is waited for: nobody else takes them. */
const MAX_OPEN_PER_PEER = 4;
/** The places of all other addresses together. Nobody waits for them, and any program of the LAN may call. */
const MAX_STRANGERS = 8;
/** One peer may call so many times at once, then once per interval. */
const BURST = 8;
const REFILL_MS = 2_000;
const MAX_PEERS = 256;
const RETRY_AFTER_S = 5;
const NAME_WITHIN_MS = 5_000;
/** The whole state of a device with a battery is some 2 KB. */
const MAX_BYTES = 128 * 1024;
/** Messages that wait until somebody listens. */
const MAX_HELD = 16;
/** Callers that are logged by name; beyond them nobody is. */
const MAX_LOGGED = 100;
/** RFC 6455 §7.4.1. */
const POLICY_VIOLATION = 1008;

type Awaited = { readonly isAt: (peer: string) => boolean; readonly take: (call: DeviceCall) => void };
type Open = { readonly peer: string; readonly isStranger: boolean };

export function createDeviceCalls({ accept, clock, startTimer, log }: DeviceCallsDeps): DeviceCalls {
  const createRates = () => createTokenBuckets({ capacity: BURST, refillMs: REFILL_MS, maxNames: MAX_PEERS, ...clock });
  // Strangers with many addresses share a ration in the end; those that are waited for have none with them.
  const [rates, ratesOfStrangers] = [createRates(), createRates()];
  const awaited = new Map<string, Awaited>();
  /** Oldest first. */
  const open = new Map<AbortController, Open>();
  const logged = new Set<string>();
  let isStopped = false;

  const logUnknown = (name: string, peer: string): void => {
    if (logged.has(name) || logged.size >= MAX_LOGGED) return;
    logged.add(name);
    log.warn('a device calls that nobody has set up', { mac: name, peer });
  };
  /** Who it is that sends this first; `undefined` for nobody that is waited for. */
  const takerOf = (first: string, { peer, form: { nameIn, macIn } }: Caller): Awaited['take'] | undefined => {
    const message = parseJson(first);
    const source = isJsonObject(message) ? message[nameIn] : undefined;
    const mac = typeof source === 'string' ? macIn.exec(source)?.[1]?.toLowerCase() : undefined;
    const take = mac === undefined ? undefined : awaited.get(mac)?.take;
    if (take === undefined) logUnknown(mac ?? 'unreadable', peer);
    return take;
  };
  const follow = async (upgrade: UpgradeRequest, { peer, form }: Caller, ending: AbortController): Promise<void> => {
    const { onMessage, first, giveUp, listen } = createMailbox();
    const stopTimer = startTimer(NAME_WITHIN_MS, giveUp);
    const socket = await accept(upgrade, { maxBytes: MAX_BYTES, onMessage, signal: ending.signal });
    if (socket === undefined) return stopTimer();
    void socket.ended.then(giveUp);
    const said = await first;
    stopTimer();
    const take = said === undefined ? undefined : takerOf(said, { peer, form });
    if (take === undefined) {
      socket.close(POLICY_VIOLATION, said === undefined ? 'say who you are' : 'unknown device');
    } else {
      take({ peer, socket, listen });
    }
    await socket.ended;
  };
  const isStranger = (peer: string): boolean => ![...awaited.values()].some(({ isAt }) => isAt(peer));
  return {
    admit: (peer) => {
      if (!(isStranger(peer) ? ratesOfStrangers : rates).take(peer)) {
        throw new HubError('TOO_MANY_REQUESTS', 'This address calls too often.', { retryAfterS: RETRY_AFTER_S });
      }
      const own = [...open.values()].filter((one) => one.peer === peer && !one.isStranger).length;
      if (isStopped || own >= MAX_OPEN_PER_PEER) {
        throw new HubError('OVERLOADED', 'As many devices call as may.', { retryAfterS: RETRY_AFTER_S });
      }
    },
    open: (upgrade, peer, form) => {
      const ending = new AbortController();
      const isUnknown = isStranger(peer);
      if (isUnknown) makeRoom(open);
      open.set(ending, { peer, isStranger: isUnknown });
      follow(upgrade, { peer, form }, ending)
        .catch((cause: unknown) => {
          log.error('a call of a device could not be taken', { peer, cause });
          upgrade.socket.destroy();
        })
        .finally(() => open.delete(ending));
    },
    awaitCalls: ({ mac, isAt }, take, signal) => {
      const one = { isAt, take };
      awaited.set(mac, one);
      const end = (): void => {
        if (awaited.get(mac) === one) awaited.delete(mac);
      };
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    },
    stop: () => {
      isStopped = true;
      awaited.clear();
      for (const ending of open.keys()) ending.abort();
    },
  };
}

/** The oldest call of the network that has most goes: who is new is more likely to be somebody. */
function makeRoom(open: ReadonlyMap<AbortController, Open>): void {
  const strangers = [...open].filter(([ending, one]) => one.isStranger && !ending.signal.aborted);
  if (strangers.length < MAX_STRANGERS) return;
  const countOf = ({ peer }: Open): number =>
    strangers.filter(([, other]) => peerGroup(other.peer) === peerGroup(peer)).length;
  const most = Math.max(...strangers.map(([, one]) => countOf(one)));
  strangers.find(([, one]) => countOf(one) === most)?.[0].abort();
}

/** Keeps what a caller says until somebody listens. */
function createMailbox() {
  let held: string[] = [];
  let listener: ((text: string) => void) | undefined;
  let onFirst = (_first: string | undefined): void => undefined;
  const first = new Promise<string | undefined>((resolve) => (onFirst = resolve));
  const listen: DeviceCall['listen'] = (next) => {
    const early = held;
    held = [];
    listener = next;
    for (const text of early) next(text);
  };
  return {
    /** What it said first; `undefined` once that is given up. */
    first,
    giveUp: (): void => onFirst(undefined),
    listen,
    onMessage: (data: string | Uint8Array): void => {
      const text = typeof data === 'string' ? data : '';
      onFirst(text);
      if (listener !== undefined) listener(text);
      else if (held.length < MAX_HELD) held.push(text);
    },
  };
}
