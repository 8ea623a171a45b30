import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { originFrom } from '#base/network/host-port.ts';
import type { LanWebSocket, OpenWebSocket } from '#base/network/lan-ports.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { PeerFault, PeerRefusal } from '#integrations/peer/peer-fault.ts';
import { noteStatuses, readComponents, type Statuses } from '#integrations/shelly/mapping/components.ts';
import { type DeviceInfo, readDeviceInfo } from '#integrations/shelly/mapping/shelly-device.ts';
import type { Sending } from './payload.ts';
import type { Reporting } from './reporting.ts';
import { type Call, createRpc, type Rpc } from '#integrations/shelly/rpc/rpc.ts';
import { deviceFault, deviceFaultFrom } from '#integrations/shelly/rpc/device-fault.ts';
import { waitForRoom } from '#integrations/peer/connection-run.ts';

/** Sends a request and reads what came of it. Throws PeerRefusal and PeerFault. */
export type Send = (sending: Sending) => Promise<void>;

export type SessionDeps = {
  /** Opens the connection, or takes one that the device has opened. Nothing is sent before it resolves. */
  readonly open: (onMessage: (text: string) => void, signal: AbortSignal) => Promise<LanWebSocket>;
  readonly password: string | null;
  /** The MAC address of the device as of the set-up. */
  readonly mac: string | null;
  readonly reporting: Reporting;
  readonly startTimer: StartTimer;
  /** A device that sleeps has no added parts, and says when it wakes again; `null` if it does not say. */
  readonly onWakeup?: (everyS: number | null) => void;
  /** Called once the device is read: it can be commanded from now on. */
  readonly onUp: (send: Send) => void;
  readonly onUnreadable: () => void;
  readonly signal: AbortSignal;
};

const OPEN_MS = 5_000;
/** A gateway with sixty sensors sends about 60 KB. */
const MAX_BYTES = 512 * 1024;
/** Says all that the device is; the other one, what has changed. */
const WHOLE = 'NotifyFullStatus';
const STATUSES: ReadonlySet<string> = new Set(['NotifyStatus', WHOLE]);
/** News that come before the device is read. */
const MAX_HELD = 32;
/** A person changes several settings at once. */
const SETTLE_MS = 1_000;

/** One connection to the device. Resolves when it ends; rejects with PeerFault. Leaves nothing behind. */
export async function runSession(deps: SessionDeps): Promise<void> {
  const { reporting, mac, onUp, onUnreadable, startTimer, signal } = deps;
  let socket: LanWebSocket | undefined;
  let failure: Error | undefined;
  let isStale = false;
  const end = (error: Error): void => {
    failure ??= error;
    rpc.end(error);
    socket?.close();
  };
  /** The news of a device that has called: they are believed once it has proved what can be proved. */
  let held: (() => void)[] | undefined = deps.onWakeup === undefined ? undefined : [];
  const readings = createReadings();
  const onNews = (method: string, params: JsonObject): void => {
    if (signal.aborted || failure !== undefined) return;
    if (STATUSES.has(method)) readings.note(params, method === WHOLE);
    if (held !== undefined) {
      if (held.length < MAX_HELD && method === 'NotifyEvent') held.push(() => onNews(method, params));
      return;
    }
    if (STATUSES.has(method)) reporting.takeStatus(params, method === WHOLE);
    else if (method === 'NotifyEvent' && reporting.takeEvents(params['events'])) readSoon();
  };
  const rpc: Rpc = createRpc({
    send: (text) => {
      if (socket === undefined) throw deviceFault('DEVICE_UNREACHABLE');
      socket.send(text);
    },
    password: deps.password,
    onNews,
    onUnreadable,
    startTimer,
  });
  const read = async (): Promise<boolean> => {
    const info = await readInfo(rpc.call);
    if (mac !== null && info.mac !== mac) throw deviceFault('OTHER_DEVICE');
    const config = await rpc.call('Shelly.GetConfig');
    const hasRoom = await readings.read(async (since) => {
      const parts = await readParts(rpc.call, config, deps.onWakeup);
      // A device with a password asks for its proof: what does not is another, or has it no more.
      if (deps.onWakeup !== undefined && deps.password !== null && !rpc.hasProved()) {
        throw deviceFault('PASSWORD_NOT_ASKED');
      }
      return reporting.begin(info, parts, since);
    });
    const news = held ?? [];
    held = undefined;
    for (const tell of news) tell();
    return hasRoom;
  };
  /** Reads the device anew a moment after it has changed; a change meanwhile is read after that. */
  const readSoon = (): void => {
    if (isStale) return;
    isStale = true;
    const readNow = async (): Promise<void> => {
      await waitMs(SETTLE_MS, startTimer, signal);
      isStale = false;
      if (!signal.aborted && failure === undefined) await read();
    };
    readNow().catch((cause: unknown) => end(deviceFaultFrom(cause)));
  };
  try {
    socket = await deps.open(rpc.onMessage, signal);
    void socket.ended.then(() => end(deviceFault('DEVICE_UNREACHABLE')));
    if (!(await read())) return await waitForRoom(startTimer, signal);
    onUp((sending) =>
      sendAndRead(rpc.call, reporting, sending).catch((cause: unknown) => {
        if (cause instanceof PeerFault) end(cause);
        throw cause;
      }),
    );
    await socket.ended;
    if (!signal.aborted && failure !== undefined) throw failure;
  } catch (cause) {
    throw failure ?? deviceFaultFrom(cause);
  } finally {
    end(deviceFault('DEVICE_UNREACHABLE'));
  }
}

/** Opens the connection to a device at an address. */
export function openAt(host: string, openWebSocket: OpenWebSocket): SessionDeps['open'] {
  return (onMessage, signal) =>
    openWebSocket({
      url: `${originFrom('ws', host)}/rpc`,
      timeoutMs: OPEN_MS,
      maxBytes: MAX_BYTES,
      onMessage: (data) => onMessage(typeof data === 'string' ? data : ''),
      signal,
    });
}

async function readInfo(call: Call): Promise<DeviceInfo> {
  const info = readDeviceInfo(await call('Shelly.GetDeviceInfo'));
  if (info === undefined) throw deviceFault('BAD_ANSWER');
  return info;
}

/** Reads of a device take a while. What it says meanwhile is newer, and is noted for each of them. */
function createReadings() {
  const running = new Set<Statuses>();
  return {
    note: (params: JsonObject, isWhole: boolean): void => {
      for (const since of running) noteStatuses(since, params, isWhole);
    },
    read: async <Result>(task: (since: Statuses) => Promise<Result>): Promise<Result> => {
      const since: Statuses = new Map();
      running.add(since);
      try {
        return await task(since);
      } finally {
        running.delete(since);
      }
    },
  };
}

async function readParts(call: Call, config: JsonValue, onWakeup: SessionDeps['onWakeup']) {
  const status = await call('Shelly.GetStatus');
  if (!isJsonObject(config) || !isJsonObject(status)) throw deviceFault('BAD_ANSWER');
  if (onWakeup === undefined) return readComponents(config, status, await readAdded(call));
  const everyS = isJsonObject(status['sys']) ? status['sys']['wakeup_period'] : undefined;
  onWakeup(typeof everyS === 'number' && everyS > 0 ? everyS : null);
  return readComponents(config, status, []);
}

const MAX_PAGES = 70;
const NO_SUCH_METHOD = 404;

/** Reads what owners have added: sensors by Bluetooth, values of their own. It comes in pages. */
async function readAdded(call: Call): Promise<readonly JsonValue[]> {
  const added: JsonValue[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const params = { dynamic_only: true, include: ['status', 'config'], offset: added.length };
    const page = await call('Shelly.GetComponents', params).catch((cause: unknown) => {
      // Firmware from before 2024 has none.
      if (cause instanceof PeerRefusal && cause.code === NO_SUCH_METHOD) return { components: [], total: 0 };
      throw cause;
    });
    const { components, total } = isJsonObject(page) ? page : {};
    if (!Array.isArray(components) || typeof total !== 'number') throw deviceFault('BAD_ANSWER');
    added.push(...(components as readonly JsonValue[]));
    if (components.length === 0 || added.length >= total) return added;
  }
  return added;
}

/** A device that was asked for what it already does says nothing more, so it is asked how it is. */
async function sendAndRead(call: Call, reporting: Reporting, { from, method, params }: Sending): Promise<void> {
  await call(method, params);
  const [type] = method.split('.');
  const id = params['id'];
  if (id === undefined) return;
  try {
    const status = await call(`${type}.GetStatus`, { id });
    if (isJsonObject(status)) reporting.takeStatus({ [from]: status }, false);
  } catch (cause) {
    // One that cannot be asked reports by itself.
    if (!(cause instanceof PeerRefusal)) throw cause;
  }
}
