import type { OpenWebSocket } from '#base/network/lan-ports.ts';
import { type Clock, systemClock } from '#base/time/clock.ts';
import { type StartTimer, startSystemTimer } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import type { Integration } from '#integrations/integration.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createWled } from '#integrations/wled/wled.ts';
import type { WledSettings } from '#integrations/wled/wled-settings.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createTestClient } from '#test/support/lan/lan-world.ts';
import { WLED_MAC } from './wled-light.ts';

/** What a WLED instance at this address gets, with the hub's own client of the LAN. */
export function createWledWorld(
  host: string,
  given: { readonly clock?: Clock; readonly startTimer?: StartTimer; readonly uniqueId?: string } = {},
) {
  const { log, lines } = createRecordingLog();
  const client = createTestClient();
  let open = 0;
  const never = (): never => {
    throw new Error('WLED has no use for this port');
  };
  const counted = async <Result>(
    call: Promise<Result>,
    ended: (result: Result) => Promise<unknown>,
  ): Promise<Result> => {
    open += 1;
    try {
      const result = await call;
      void ended(result).finally(() => (open -= 1));
      return result;
    } catch (cause) {
      open -= 1;
      throw cause;
    }
  };
  const openWebSocket: OpenWebSocket = (options) => counted(client.openWebSocket(options), ({ ended }) => ended);
  const ports: InstancePorts = {
    clock: given.clock ?? systemClock,
    startTimer: given.startTimer ?? startSystemTimer,
    random: () => 0,
    log,
    http: { ...client.http, request: (request) => counted(client.http.request(request), async () => undefined) },
    openWebSocket,
    openTcp: never,
    mqtt: never,
    secrets: { read: never, write: never },
    state: { load: never, save: never },
    knownDevices: () => [WLED_MAC],
    mayConnect: never,
    serveMqtt: never,
  };
  const instance: Instance<WledSettings> = {
    id: 'wled',
    kind: 'wled',
    name: 'Shelf',
    uniqueId: given.uniqueId ?? WLED_MAC,
    settings: { host },
    mayReachHub: true,
  };
  return {
    create: (): Integration => createWled(instance, ports),
    ports,
    lines,
    open: () => open,
    close: (): void => client.close(),
  };
}
