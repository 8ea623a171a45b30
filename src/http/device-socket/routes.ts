import { HubError } from '#base/hub-error.ts';
import type { UpgradeRequest } from '#base/network/lan-ports.ts';
import type { RequestFacts } from '#http/edge/request-facts.ts';
import type { DispatchDeps } from '#http/routing/dispatch.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import * as notes from './notes.ts';

/** Where devices that sleep open a WebSocket to the hub. */
export const SOCKET_PATH = '/api/v1/shelly/socket';

export type DeviceSocket = {
  /** Throws HubError TOO_MANY_REQUESTS and OVERLOADED. */
  readonly admit: (peer: string) => void;
  readonly open: (upgrade: UpgradeRequest, peer: string) => void;
};

/** Sixteen bytes in base64 (RFC 6455 section 4.2.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/**
 * A request that asks for a WebSocket never comes here: the server hands it to `takeDeviceSocket`, after the guards.
 */
export function deviceSocketRoutes(): readonly Route[] {
  return [
    defineRoute({
      id: 'followSleepingDevice',
      method: 'GET',
      path: SOCKET_PATH,
      summary: 'Call the hub as a device that sleeps',
      tag: 'Integration',
      note: notes.followSleepingDevice,
      access: 'public',
      answers: { 101: null },
      handle: () => {
        throw noUpgrade();
      },
    }),
  ];
}

type SocketDeps = Pick<DispatchDeps, 'isClaimed'> & { readonly deviceSocket?: DeviceSocket };

/** Hands the socket over, or returns why not. */
export function takeDeviceSocket(
  { isClaimed, deviceSocket }: SocketDeps,
  facts: RequestFacts,
  upgrade: UpgradeRequest,
): HubError | undefined {
  const { header, peer, target } = facts;
  if (!isClaimed()) return new HubError('HUB_UNCLAIMED', 'The hub has no owner yet: set it up first.');
  if (deviceSocket === undefined) return new HubError('NOT_FOUND', 'There is nothing at this path.');
  if (target !== SOCKET_PATH) return new HubError('INVALID_QUERY', 'This call has no query parameters.');
  const isReadable = header('sec-websocket-version') === '13' && KEY.test(header('sec-websocket-key') ?? '');
  if (header('upgrade')?.toLowerCase() !== 'websocket' || !isReadable) return noUpgrade();
  try {
    deviceSocket.admit(peer);
  } catch (cause) {
    if (cause instanceof HubError) return cause;
    throw cause;
  }
  deviceSocket.open(upgrade, peer);
  return undefined;
}

function noUpgrade(): HubError {
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  return new HubError('UPGRADE_REQUIRED', 'Here devices open a WebSocket of version 13; nothing else is served.', {
    headers,
  });
}
