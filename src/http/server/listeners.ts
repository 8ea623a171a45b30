import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { errnoOf } from '#base/errno.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createLogTurn } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';

export type ListenAddress = {
  /** With its zone if it is link-local; never a wildcard. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Index of the interface of a link-local address, else 0: it changes when the interface is created again. */
  readonly scopeId: number;
  readonly interface: string;
};

type BoundAddress = ListenAddress & { readonly port: number; readonly url: string };
type UnboundAddress = ListenAddress & { readonly reason: string };

export type ListenersDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  /** One server with the hub's limits for each address: a server's timeouts do not reach the sockets of another. */
  readonly createServer: () => Server;
  /** Reads the network again and returns the addresses to serve. */
  readonly addresses: () => readonly ListenAddress[];
  /** Called with each new connection before its first byte is parsed; a refused one is reset. */
  readonly admit: (socket: Socket, local: ListenAddress) => boolean;
  /** Called after each change of what is bound. */
  readonly onChange?: (bound: readonly BoundAddress[]) => void;
  readonly port: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

export type Listeners = Awaited<ReturnType<typeof startListeners>>;

type Slot = { readonly local: ListenAddress; server: Server | undefined; reason: string; failures: number };

const LOOK_EVERY_MS = 2_000;
/** An IPv6 address cannot be bound while the kernel checks whether another host has it. */
const RETRY_TENTATIVE_MS = 400;
const TENTATIVE_TRIES = 10;
const MINUTE_MS = 60_000;
/** The kernel drops what does not fit during a flood; a real client among it tries again after 1 s. */
const BACKLOG = 4_096;

/** Serves each address with its own server and follows the network; without any address it waits for one. */
export async function startListeners(deps: ListenersDeps) {
  const slots = new Map<string, Slot>();
  const inTurn = createTurnQueue();
  const closing = new Set<Promise<void>>();
  const ending = new Set<Server>();
  let stopTimer = (): void => undefined;
  let isClosed = false;
  let lookedMs = deps.clock.monotonicMs();

  const bound = (): BoundAddress[] =>
    [...slots.values()].flatMap(({ local, server }) => (server === undefined ? [] : [boundAddress(local, server)]));

  const look = async (): Promise<void> => {
    if (isClosed) return;
    stopTimer();
    const wanted = new Map(
      deps.addresses().map((local) => [`${local.address} ${local.interface} ${local.scopeId}`, local]),
    );
    const gone = [...slots].filter(([key]) => !wanted.has(key));
    for (const [key, slot] of gone) {
      slots.delete(key);
      if (slot.server === undefined) continue;
      deps.log.info('no longer listening: the address is gone', describe(slot.local));
      closeServer(slot.server, closing).closeAllConnections();
    }
    for (const [key, local] of wanted) {
      if (!slots.has(key)) slots.set(key, { local, server: undefined, reason: '', failures: 0 });
    }
    const missing = [...slots.values()].filter(({ server }) => server === undefined);
    await Promise.all(missing.map((slot) => openSlot(slot, deps)));
    const isOpened = missing.some(({ server }) => server !== undefined);
    if (isOpened || gone.some(([, { server }]) => server !== undefined)) deps.onChange?.(bound());
    const isTentative = missing.some(
      ({ reason, failures }) => reason === 'EADDRNOTAVAIL' && failures < TENTATIVE_TRIES,
    );
    lookedMs = deps.clock.monotonicMs();
    stopTimer = deps.startTimer(isTentative ? RETRY_TENTATIVE_MS : LOOK_EVERY_MS, () => void inTurn(look));
  };

  const stopAccepting = async (): Promise<void> => {
    isClosed = true;
    await inTurn(async () => stopTimer());
    const servers = [...slots.values()].flatMap(({ server }) => (server === undefined ? [] : [server]));
    slots.clear();
    for (const server of servers) {
      closeServer(server, closing).closeIdleConnections();
      ending.add(server);
    }
  };

  await inTurn(look);
  return {
    bound,
    /** Addresses that cannot be bound yet; retried. */
    unbound: (): readonly UnboundAddress[] =>
      [...slots.values()].flatMap(({ local, server, reason }) => (server === undefined ? [{ ...local, reason }] : [])),
    /** Time since the last reading of the network ended. */
    lookAgeMs: (): number => deps.clock.monotonicMs() - lookedMs,
    /** Reads the network now; resolves once every address that can be bound is bound. */
    reconcile: (): Promise<void> => inTurn(look),
    /** Takes no more connections and closes the idle ones; requests under way go on. */
    stopAccepting,
    /** The same, then waits this long for requests under way and cuts off the rest. */
    close: async (graceMs: number): Promise<void> => {
      await stopAccepting();
      const stopGrace = deps.startTimer(graceMs, () => {
        for (const server of ending) server.closeAllConnections();
      });
      await Promise.all(closing);
      stopGrace();
    },
  };
}

async function openSlot(slot: Slot, { createServer, admit, port, log, clock }: ListenersDeps): Promise<void> {
  const { local } = slot;
  const server = createServer();
  server.prependListener('connection', (socket: Socket) => {
    if (!admit(socket, local)) socket.resetAndDestroy();
  });
  try {
    await listen(server, local, port);
  } catch (cause) {
    const code = errnoOf(cause) ?? 'EUNKNOWN';
    slot.failures = slot.reason === code ? slot.failures + 1 : 1;
    slot.reason = code;
    // A tentative address becomes usable within a second or two: it is logged only if it does not.
    const isNews = code === 'EADDRNOTAVAIL' ? slot.failures === TENTATIVE_TRIES : slot.failures === 1;
    if (isNews) log.warn('cannot listen, trying again', { ...describe(local), port, cause });
    return;
  }
  // For example, the process has no free descriptor for the next connection. The server goes on.
  const takeTurn = createLogTurn(MINUTE_MS, clock.monotonicMs);
  server.on('error', (cause) => {
    if (takeTurn() !== undefined) log.error('cannot accept a connection', { ...describe(local), cause });
  });
  slot.server = server;
  slot.reason = '';
  slot.failures = 0;
  log.info('listening', { url: boundAddress(local, server).url, interface: local.interface });
}

function listen(server: Server, { address, family }: ListenAddress, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, ipv6Only: family === 6, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server, closing: Set<Promise<void>>): Server {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      closing.delete(closed);
      resolve();
    });
  });
  closing.add(closed);
  return server;
}

function boundAddress(local: ListenAddress, server: Server): BoundAddress {
  const { port } = server.address() as AddressInfo;
  const host = local.family === 6 ? `[${local.address.replace('%', '%25')}]` : local.address;
  return { ...local, port, url: `http://${host}:${port}` };
}

function describe({ address, interface: name }: ListenAddress): { address: string; interface: string } {
  return { address, interface: name };
}
