import { apiRoutes, type App, createApp } from '#http/app.ts';
import { auditedRoutes } from '#http/routing/audited-routes.ts';
import type { DeviceSocket } from '#http/device-socket/routes.ts';
import { createDeviceList } from '#http/device/list.ts';
import { createEventStreams } from '#http/event/streams.ts';
import { onceRoutes } from '#http/routing/once.ts';
import { createRations } from '#http/routing/rations.ts';
import { createGuardChain, createCorsRule } from '#http/edge/guards.ts';
import { createRequestIds } from '#http/edge/request-facts.ts';
import type { HealthState } from '#http/system/json.ts';
import { type WebFile, webNotFoundPage, webUiRoutes } from '#http/page/web-ui.ts';
import { KINDS } from '#integrations/table.ts';
import { apiPorts } from './hub-api.ts';
import type { Hub } from './hub.ts';
import type { Restore } from './hub-keeper.ts';
import { createHubHealth } from './hub-health.ts';
import type { Network } from './hub-network.ts';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, hostname, release, totalmem, uptime } from 'node:os';
import { errnoOf } from '#base/errno.ts';
import type { JsonObject } from '#base/json.ts';
import { timeJson } from '#http/answer/time-json.ts';

type HubAppDeps = {
  readonly webFiles: readonly WebFile[];
  readonly network: Pick<Network, 'rule' | 'advertised'>;
  /** Replaces the state of this hub by a checked backup. */
  readonly restore: Restore;
};

export type HubApp = {
  readonly app: App;
  /** Ends the streams and the calls of devices, so that the end of the hub need not wait for them. */
  readonly stopStreams: () => void;
  /** The state that the last check found. */
  readonly healthStatus: () => HealthState;
};

/** Serves the hub: its routes, event streams and health. */
export function createHubApp(hub: Hub, { webFiles, network, restore }: HubAppDeps): HubApp {
  const { identity, events, devices, rooms, scenes, clock, startTimer, log, stops } = hub;
  const { accounts, audit, authenticate } = hub.people;
  const { supervisor, calls } = hub.integrations;
  const list = createDeviceList({
    registry: devices,
    findRoom: rooms.findRoom,
    monotonicMs: clock.monotonicMs,
    epoch: hub.epoch,
  });
  const eventStreams = createEventStreams({
    events,
    devices: devices.devices,
    rooms: rooms.rooms,
    scenes: () => scenes.scenes().map((scene) => [scene, scenes.activityOf(scene)] as const),
    deviceBytes: list.deviceBytes,
    clock,
    startTimer,
    log,
  });
  stops.add('event streams', eventStreams.stop);
  const health = createHubHealth({
    ...hub,
    supervisor,
    historyRoom: hub.past.historyRoom,
    areAutomationsPutOff: hub.runningAutomations.areAutomationsPutOff,
    advertised: network.advertised,
    eventClients: eventStreams.count,
    onLook: hub.notification.builtIns.noteStorage,
  });
  stops.add('the look at health', health.watch(startTimer, log.part('health')));
  const systemInfo = createSystemInfo({
    version: hub.version,
    stateDir: hub.config.stateDir,
    addresses: hub.addresses,
    wallMs: clock.wallMs,
    isClockSynced: hub.hubClock.isSynced,
  });
  const deviceSockets = deviceSocketsOf(calls);
  const routes = apiRoutes(apiPorts(hub, { list, eventStreams, health, systemInfo, deviceSockets, restore }));
  const httpLog = log.part('http');
  const app = createApp({
    routes: [...onceRoutes(auditedRoutes(routes, audit), hub.people), ...webUiRoutes(webFiles, identity)],
    notFoundPage: webNotFoundPage(webFiles, identity),
    guards: createGuardChain({ rule: network.rule, audit, log: httpLog, clock }),
    cors: createCorsRule(network.rule),
    takeRation: createRations(clock),
    isClaimed: accounts.hasOwner,
    deviceSockets,
    authenticate,
    log: httpLog,
    newRequestId: createRequestIds(hub.random),
  });
  const stopStreams = (): void => {
    calls.stop();
    eventStreams.stop();
  };
  return { app, stopStreams, healthStatus: health.status };
}

/** Tells where devices of each kind call the hub. */
function deviceSocketsOf({ admit, open }: Hub['integrations']['calls']): readonly DeviceSocket[] {
  return KINDS.flatMap(({ id, calls }) =>
    calls === undefined
      ? []
      : [{ ...calls, path: `/api/v1/${id}/socket`, admit, open: (upgrade, peer) => open(upgrade, peer, calls) }],
  );
}

type SystemInfoDeps = {
  readonly version: string;
  readonly stateDir: string;
  readonly addresses: () => readonly string[];
  readonly wallMs: () => number;
  readonly isClockSynced: () => boolean;
};

/** The hub's version and machine, as the API writes them. It does not use the storage, so it answers while that hangs. */
export function createSystemInfo(deps: SystemInfoDeps): () => Promise<JsonObject> {
  const { arch, version: node } = process;
  const machine = {
    model: readModel(),
    architecture: arch,
    operating_system: readOperatingSystem(),
    kernel: release(),
    node,
    processors: availableParallelism(),
    memory_bytes: totalmem(),
  };
  return async () => ({
    version: deps.version,
    uptime_seconds: Math.floor(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    machine: { hostname: hostname(), ...machine, uptime_seconds: Math.floor(uptime()) },
    addresses: deps.addresses(),
    clock: { now: timeJson(deps.wallMs()), synced: deps.isClockSynced() },
    disk: await readDisk(deps.stateDir),
  });
}

/** Small boards have it in the device tree, others in the firmware's tables. */
function readModel(): string | null {
  return readLine('/sys/firmware/devicetree/base/model') ?? readLine('/sys/class/dmi/id/product_name');
}

function readOperatingSystem(): string | null {
  const text = readText('/etc/os-release') ?? readText('/usr/lib/os-release') ?? '';
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? null;
}

function readLine(path: string): string | null {
  const [line = ''] = (readText(path) ?? '').split(/[\0\n]/);
  return line.trim() || null;
}

/** Reads a file of the machine; `null` where it has none or does not show it to this user. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) !== undefined) return null;
    throw error;
  }
}

async function readDisk(folder: string): Promise<JsonObject> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return { free_bytes: null, total_bytes: null };
  }
}
