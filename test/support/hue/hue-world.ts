import type { LanHttp } from '#base/network/lan-ports.ts';
import type { Clock } from '#base/time/clock.ts';
import { systemClock } from '#base/time/clock.ts';
import { type StartTimer, startSystemTimer } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import { createHue } from '#integrations/hue/hue.ts';
import type { HueSettings } from '#integrations/hue/hue-settings.ts';
import type { Integration } from '#integrations/integration.ts';
import type { InstancePorts, SetupPorts } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createTestClient } from '#test/support/lan/lan-world.ts';
import type { HueBridge } from './hue-bridge.ts';
import { NO_HOME } from '#test/support/kinds/no-home.ts';

/** What a Hue instance at this bridge gets, with the hub's own client of the LAN. */
export function createHueWorld(
  bridge: Pick<HueBridge, 'host' | 'bridgeId' | 'fingerprint' | 'key'>,
  given: {
    readonly clock?: Clock;
    readonly startTimer?: StartTimer;
    readonly key?: string | null;
    readonly settings?: Partial<Instance<HueSettings>['settings']>;
    readonly uniqueId?: string;
  } = {},
) {
  const { log, lines } = createRecordingLog();
  const client = createTestClient();
  const watched = watchHttp(client.http);
  const never = (): never => {
    throw new Error('Hue has no use for this port');
  };
  const ports: InstancePorts & Pick<SetupPorts, 'hubAddressFor'> = {
    clock: given.clock ?? systemClock,
    startTimer: given.startTimer ?? startSystemTimer,
    random: () => 0,
    log,
    http: watched.http,
    openWebSocket: never,
    openTcp: never,
    mqtt: never,
    secrets: {
      read: async () => (given.key === undefined ? bridge.key : given.key),
      write: never,
    },
    state: { load: never, save: never },
    knownDevices: () => [],
    knownFeatures: () => [],
    mayConnect: never,
    awaitCalls: never,
    hubAddressFor: () => null,
    serveMqtt: never,
    home: NO_HOME,
    joinProgram: never,
    file: { read: never, write: never, setAside: never },
    lanAddresses: never,
    noteServed: () => undefined,
    isStaying: () => true,
  };
  const instance: Instance<HueSettings> = {
    id: 'hue',
    kind: 'hue',
    name: 'Hue Bridge',
    uniqueId: given.uniqueId ?? bridge.bridgeId,
    settings: { host: bridge.host, fingerprint: bridge.fingerprint, take_rooms: true, ...given.settings },
    mayReachHub: true,
  };
  return {
    create: (): Integration => createHue(instance, ports),
    ports,
    lines,
    sent: watched.sent,
    open: watched.open,
    mostOpen: watched.mostOpen,
    close: (): void => client.close(),
  };
}

/** Notes the commands that go to the bridge, and counts what is open. */
function watchHttp(http: LanHttp) {
  const sent: string[] = [];
  let open = 0;
  let mostOpen = 0;
  const begin = (): void => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
  };
  const watched: LanHttp = {
    request: async (request) => {
      if ((request.method ?? 'GET') !== 'GET') sent.push(`${request.method} ${request.url} ${String(request.body)}`);
      begin();
      try {
        return await http.request(request);
      } finally {
        open -= 1;
      }
    },
    events: async function* (...request) {
      begin();
      try {
        yield* http.events(...request);
      } finally {
        open -= 1;
      }
    },
  };
  return { http: watched, sent, open: () => open, mostOpen: () => mostOpen };
}
