import type { JsonObject } from '#base/json.ts';
import type { OpenTcp, OpenWebSocket } from '#base/network/lan-ports.ts';
import { type Clock, systemClock } from '#base/time/clock.ts';
import { type StartTimer, startSystemTimer } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import type { Integration } from '#integrations/integration.ts';
import type { InstancePorts, SetupPorts } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createTestClient } from './lan-world.ts';
import { NO_HOME } from '#test/support/kinds/no-home.ts';

/** What differs from one test to the next. */
export type WorldOptions = {
  readonly clock?: Clock;
  readonly startTimer?: StartTimer;
  readonly uniqueId?: string;
  readonly password?: string;
};

/** What an instance gets that speaks to one device alone, with the hub's own client of the LAN. */
export function createInstanceWorld<S extends SettingsShape>(
  instance: Instance<S>,
  create: (instance: Instance<S>, ports: InstancePorts) => Integration,
  { clock = systemClock, startTimer = startSystemTimer, uniqueId, password }: WorldOptions,
) {
  const { log, lines } = createRecordingLog();
  const client = createTestClient();
  let open = 0;
  const never = (): never => {
    throw new Error(`${instance.kind} has no use for this port`);
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
  const openTcp: OpenTcp = (options) => counted(client.openTcp(options), ({ ended }) => ended);
  let state: JsonObject = {};
  const ports: InstancePorts & Pick<SetupPorts, 'hubAddressFor'> = {
    hubAddressFor: () => null,
    clock,
    startTimer,
    random: () => 0,
    log,
    http: { ...client.http, request: (request) => counted(client.http.request(request), async () => undefined) },
    openWebSocket,
    openTcp,
    mqtt: never,
    secrets: { read: async () => password ?? null, write: never },
    state: { load: async () => state, save: async (next) => void (state = next) },
    knownDevices: () => (instance.uniqueId === null ? [] : [instance.uniqueId]),
    knownFeatures: () => [],
    mayConnect: never,
    awaitCalls: never,
    serveMqtt: never,
    home: NO_HOME,
    joinProgram: never,
    file: { read: never, write: never, setAside: never },
    lanAddresses: never,
    noteServed: () => undefined,
    isStaying: () => true,
  };
  const own = { ...instance, uniqueId: uniqueId ?? instance.uniqueId };
  return {
    create: (): Integration => create(own, ports),
    ports,
    lines,
    open: () => open,
    close: (): void => client.close(),
  };
}
