import { HubError } from '#base/hub-error.ts';
import type { UpgradeRequest } from '#base/network/lan-ports.ts';
import { pathOfTarget, type RequestFacts } from '#http/edge/request-facts.ts';
import type { DispatchDeps } from '#http/routing/dispatch.ts';
import type { Note } from '#http/note/note.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';

/** Where devices of one kind that sleep open a WebSocket to the hub. */
export type DeviceSocket = {
  readonly path: string;
  /** Who opens it and when, for the documents. */
  readonly about: string;
  /** The member of the first message that names the device. */
  readonly nameIn: string;
  /** Throws HubError TOO_MANY_REQUESTS and OVERLOADED. */
  readonly admit: (peer: string) => void;
  readonly open: (upgrade: UpgradeRequest, peer: string) => void;
};

/** Sixteen bytes in base64 (RFC 6455 section 4.2.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/**
 * A request that asks for a WebSocket never comes here: the server hands it to `takeDeviceSocket`, after the guards.
 */
export function deviceSocketRoutes({ deviceSockets }: DeviceSockets): readonly Route[] {
  return deviceSockets.map((socket) =>
    defineRoute({
      id: 'followSleepingDevice',
      method: 'GET',
      path: socket.path,
      summary: 'Call the hub as a device that sleeps',
      tag: 'Integration',
      note: noteOf(socket),
      access: 'public',
      answers: { 101: null },
      handle: () => {
        throw noUpgrade();
      },
    }),
  );
}

const noteOf =
  ({ about, nameIn }: DeviceSocket): Note =>
  () => ({
    isInternal: true,
    description: `A WebSocket (RFC 6455) that ${about}. It needs no token, and serves only devices that were set up as ones that sleep: the first message must name one in \`${nameIn}\` within 5 s, or the hub closes with the code 1008. Messages have at most 128 KiB. An address may have 4 such connections, and open 8 at once and then one every 2 s; the hub has 64. It is for devices: clients follow events.`,
    problems: ['UPGRADE_REQUIRED', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
  });

export type DeviceSockets = { readonly deviceSockets: readonly DeviceSocket[] };

/** Hands the socket over, or returns why not. */
export function takeDeviceSocket(
  { isClaimed, deviceSockets }: DeviceSockets & Pick<DispatchDeps, 'isClaimed'>,
  facts: RequestFacts,
  upgrade: UpgradeRequest,
): HubError | undefined {
  const { header, peer, target } = facts;
  if (!isClaimed()) return new HubError('HUB_UNCLAIMED', 'The hub has no owner yet: set it up first.');
  const socket = deviceSockets.find(({ path }) => path === pathOfTarget(target));
  if (socket === undefined) return new HubError('NOT_FOUND', 'There is nothing at this path.');
  if (target !== socket.path) return new HubError('INVALID_QUERY', 'This call has no query parameters.');
  const isReadable = header('sec-websocket-version') === '13' && KEY.test(header('sec-websocket-key') ?? '');
  if (header('upgrade')?.toLowerCase() !== 'websocket' || !isReadable) return noUpgrade();
  try {
    socket.admit(peer);
  } catch (cause) {
    if (cause instanceof HubError) return cause;
    throw cause;
  }
  socket.open(upgrade, peer);
  return undefined;
}

function noUpgrade(): HubError {
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  return new HubError('UPGRADE_REQUIRED', 'Here devices open a WebSocket of version 13; nothing else is served.', {
    headers,
  });
}
