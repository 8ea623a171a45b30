import type { Runtime } from '#base/time/runtime.ts';
import { createBudget } from '#base/token-buckets.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { DNS_TYPE, type DnsMessage, type DnsName } from '#lan/mdns/dns-message.ts';
import type { MdnsLink } from '#lan/mdns/mdns-links.ts';
import { MDNS_PORT } from '#lan/mdns/mdns-socket.ts';
import { createFoundServices, type FoundChange, type FoundServices } from './found-services.ts';
import { createLinkBrowser, type LinkBrowser, type LinkBrowserDeps, type OwnServices } from './link-browser.ts';
import { createServiceRoom } from './service-room.ts';
import { keyOfRest, typeName } from './service-text.ts';

/**
 * Finds the services of the network by mDNS and DNS-SD (RFC 6762, RFC 6763). Watchers of one type share its questions.
 * Nothing is asked, kept or timed while nobody watches.
 */
export type Browser = {
  /** Calls back with what is known of this type at once, then with each change, until the signal aborts. */
  readonly browse: (type: string, onChange: (change: FoundChange) => void, signal: AbortSignal) => void;
  readonly isActive: () => boolean;
  /** Whether a record of this name and type can be of use; cheap, since it is called for each one of a packet. */
  readonly isWanted: (key: string, type: number) => boolean;
  readonly receive: (
    link: Pick<MdnsLink, 'interface'>,
    message: DnsMessage,
    from: { readonly address: string; readonly port: number },
  ) => void;
  /** Drops what was heard, without a word to the watchers. */
  readonly stop: () => void;
  /** Goes on with the present links: forgets what was heard on an interface that is gone, asks on the others. */
  readonly follow: () => void;
};

type BrowserDeps = Pick<Runtime, 'random' | 'startTimer' | 'log'> & {
  readonly links: () => readonly MdnsLink[];
  /** Whether the hub may connect to this address, which it heard on this interface. */
  readonly mayConnect: (address: string, interfaceName: string) => boolean;
  /** What the hub itself says. */
  readonly own: OwnServices;
  /** The first watcher has come, or the last one has gone. */
  readonly onActive: () => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** Between two looks at what was heard: answers come in bursts. */
const LOOK_MS = 100;
const REPORT_EVERY_MS = 1_000;
/** Bytes of questions on one interface; enough to resolve 300 services at once, and a trifle for a Wi-Fi. */
const QUESTIONS = { burst: 30_000, perSecond: 6_000 };

export function createBrowser(deps: BrowserDeps): Browser {
  const { monotonicMs } = deps.clock;
  const found = new Map<string, Browsed>();
  const browsers = new Map<string, LinkBrowser>();
  const shared = {
    room: createServiceRoom({ log: deps.log, monotonicMs }),
    foundOf: (typeKey: string) => found.get(typeKey)?.services,
    monotonicMs,
  };
  let reportMs = Number.NEGATIVE_INFINITY;

  const isTouched = (): boolean => [...found.values()].some(({ services }) => services.isTouched());
  const look = createLook({ ...deps, everyMs: LOOK_MS }, (nowMs) => {
    const nextMs = Math.min(...[...browsers.values()].map((browser) => browser.look(nowMs)));
    if (nowMs >= reportMs && isTouched()) {
      for (const { services } of found.values()) services.report();
      reportMs = nowMs + (isTouched() ? LOOK_MS : REPORT_EVERY_MS);
    }
    return isTouched() ? Math.min(nextMs, reportMs) : nextMs;
  });
  const stop = (): void => {
    look.stop();
    for (const browser of browsers.values()) browser.forgetAll();
    browsers.clear();
  };
  const forget = (typeKey: string): void => {
    found.delete(typeKey);
    for (const browser of browsers.values()) browser.forget(typeKey);
    if (found.size > 0) return;
    stop();
    deps.onActive();
  };
  const follow = (): void => {
    if (found.size === 0) return;
    const links = new Map(deps.links().map((link) => [link.interface, link]));
    for (const [name, browser] of browsers) {
      if (links.has(name)) continue;
      browser.forgetAll();
      browsers.delete(name);
    }
    for (const [name, link] of links) {
      const browser = browsers.get(name) ?? createLinkBrowser({ ...deps, ...shared, ...outletOf(link, deps) });
      browsers.set(name, browser);
      for (const { name: type } of found.values()) look.at(browser.ask(type));
    }
    for (const { services } of found.values()) services.touchAll();
    look.at(monotonicMs() + LOOK_MS);
  };
  return {
    isActive: () => found.size > 0,
    isWanted: (key, type) => found.size > 0 && isWantedOf(found, key, type),
    follow,
    stop,
    receive: (link, message, from) => {
      // RFC 6762 section 6: an answer from another port is none.
      if (!message.isResponse || from.port !== MDNS_PORT) return;
      const records = [...message.answers, ...message.additionals];
      if (browsers.get(link.interface)?.hear(records, from.address) === true) look.at(monotonicMs() + LOOK_MS);
    },
    browse: (type, onChange, signal) => {
      const name = typeName(type);
      if (signal.aborted) return;
      const isFirst = found.size === 0;
      const known = found.get(name.key);
      const browsed = known ?? { name, services: createFoundServices({ ...deps, type }) };
      found.set(name.key, browsed);
      const unwatch = browsed.services.watch(onChange);
      const leave = (): void => {
        unwatch();
        if (browsed.services.watchers() === 0) forget(name.key);
      };
      // The watcher may have seen enough in its first call.
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      if (isFirst) deps.onActive();
      if (known !== undefined) return;
      for (const browser of browsers.values()) look.at(browser.ask(name));
    },
  };
}

/** Both families of an interface reach the same hosts. */
function outletOf(
  { interface: name }: MdnsLink,
  { links, clock }: Pick<BrowserDeps, 'links' | 'clock'>,
): Pick<LinkBrowserDeps, 'interface' | 'send' | 'budget'> {
  return {
    interface: name,
    budget: createBudget(QUESTIONS, clock.monotonicMs),
    send: (packet) => {
      for (const link of links()) if (link.interface === name) link.socket.send(packet);
    },
  };
}

type Browsed = { readonly name: DnsName; readonly services: FoundServices };

function isWantedOf(found: ReadonlyMap<string, unknown>, key: string, type: number): boolean {
  switch (type) {
    case DNS_TYPE.PTR:
      return found.has(key);
    case DNS_TYPE.SRV:
    case DNS_TYPE.TXT:
      return found.has(keyOfRest(key));
    // Which hosts matter is known only once the services of the packet are read.
    default:
      return type === DNS_TYPE.A || type === DNS_TYPE.AAAA;
  }
}

/** One timer for all that is to be done at some time. */
type Look = {
  /** Looks at this time, or earlier if that was asked for before. */
  readonly at: (atMs: number) => void;
  readonly stop: () => void;
};

type LookDeps = {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly startTimer: StartTimer;
  /** The least time between two looks. */
  readonly everyMs: number;
};

/** `look` returns the time of the next look; infinity for none. */
function createLook({ clock, startTimer, everyMs }: LookDeps, look: (nowMs: number) => number): Look {
  let timer: { readonly atMs: number; readonly stop: () => void } | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const stop = (): void => {
    timer?.stop();
    timer = undefined;
  };
  const at = (atMs: number): void => {
    const dueMs = Math.max(atMs, lookedMs + everyMs);
    if (dueMs === Number.POSITIVE_INFINITY || (timer !== undefined && timer.atMs <= dueMs)) return;
    stop();
    timer = { atMs: dueMs, stop: startTimer(Math.max(0, dueMs - clock.monotonicMs()), run) };
  };
  const run = (): void => {
    timer = undefined;
    lookedMs = clock.monotonicMs();
    at(look(lookedMs));
  };
  return { at, stop };
}
