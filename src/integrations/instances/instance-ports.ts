import type { Feature } from '#core/feature/feature.ts';
import { HubError } from '#base/hub-error.ts';
import { isSameJson, type JsonObject } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Integration } from '#integrations/integration.ts';
import type { MqttLinks } from '#integrations/mqtt-links.ts';
import type { HomePort, InstancePorts, KeptFile, Ports } from '#integrations/ports.ts';
import type { Instance } from '#core/integration/instance.ts';
import type { Instances } from './instances.ts';
import { noteCalls, noteFor } from './noted-ports.ts';

/** Each instance keeps a little for itself on disk. */
type InstanceStateStore = {
  readonly loadState: (id: string) => Promise<JsonObject>;
  readonly saveState: (id: string, state: JsonObject) => Promise<void>;
};

/** The ways of the network that one user of them has. */
type NetworkPorts = Pick<Ports, 'http' | 'openWebSocket' | 'openTcp'>;

type InstanceRunnerDeps = Pick<Ports, 'clock' | 'startTimer' | 'random'> & {
  readonly instances: Pick<Instances, 'find' | 'instanceOf' | 'kindOf' | 'readSecret' | 'writeSecret'>;
  readonly store: InstanceStateStore;
  readonly links: MqttLinks;
  readonly awaitCalls: InstancePorts['awaitCalls'];
  /** Everything that it opens ends with the signal. */
  readonly openNetwork: (instance: Instance, signal: AbortSignal) => NetworkPorts;
  readonly isOwnAddress: (address: string) => boolean;
  readonly knownDevices: (id: string) => readonly string[];
  readonly home: HomePort;
  readonly joinProgram: InstancePorts['joinProgram'];
  readonly lanAddresses: InstancePorts['lanAddresses'];
  readonly openFile: (name: string) => KeptFile;
  readonly knownFeatures: (id: string, externalId: string) => readonly Feature[];
  /** Its result tells safe mode that the instance is about to deal with what a stranger sent. */
  readonly noteOf: (id: string) => () => void;
  /** For the lines of one instance. */
  readonly logOf: (id: string) => Log;
};

/** In JSON. It is in every backup, and a restore brings the old one back: what must not go back is a secret. */
const MAX_STATE = 64 * 1024;

/**
 * Loads the code of an instance and makes the integration for one run, which ends with the signal. Throws HubError
 * INTEGRATION_DOWN if the code cannot be loaded: an upgrade or a broken disk is the fault of no other instance.
 */
export function createInstanceMaker(
  deps: InstanceRunnerDeps,
): (id: string, signal: AbortSignal) => Promise<Integration> {
  const { instances } = deps;
  return async (id, signal) => {
    const kind = instances.kindOf(id);
    const instance = instances.instanceOf(id);
    if (kind === undefined || instance === undefined) throw new Error(`${id} cannot run`);
    let code;
    try {
      code = await kind.load();
    } catch (cause) {
      const message = `The program of ${kind.name} cannot be loaded: restart the hub, or install it again.`;
      throw new HubError('INTEGRATION_DOWN', message, { cause });
    }
    return code.create(instance, portsOf(deps, instance, signal));
  };
}

function portsOf(deps: InstanceRunnerDeps, instance: Instance, signal: AbortSignal): InstancePorts {
  const { clock, startTimer, random, instances, store, links } = deps;
  const { id } = instance;
  const noteServed = deps.noteOf(id);
  return {
    random,
    log: deps.logOf(id),
    ...noteFor({ ...deps.openNetwork(instance, signal), clock, startTimer, mqtt: links.link }, noteServed),
    ...noteCalls(deps, noteServed),
    noteServed,
    mayConnect: (address) => instance.mayReachHub || !deps.isOwnAddress(address),
    serveMqtt: (broker) => links.serve(id, broker),
    knownDevices: () => deps.knownDevices(id),
    home: deps.home,
    lanAddresses: deps.lanAddresses,
    file: deps.openFile(instances.kindOf(id)?.file ?? `${id}.json`),
    isStaying: () => instances.find(id)?.enabled.value === true,
    knownFeatures: (externalId) => deps.knownFeatures(id, externalId),
    secrets: {
      read: (field) => instances.readSecret(id, field),
      write: (field, text) => instances.writeSecret(id, field, text),
    },
    state: createState(store, id),
  };
}

/** Writes what differs, one after the other; of those that wait only the newest, because each replaces the whole. */
function createState(store: InstanceStateStore, id: string): InstancePorts['state'] {
  const inTurn = createTurnQueue();
  let written: JsonObject | undefined;
  let next: JsonObject | undefined;
  const writeNext = async (): Promise<void> => {
    const state = next;
    if (state === undefined) return;
    next = undefined;
    if (written !== undefined && isSameJson(written, state)) return;
    await store.saveState(id, state);
    written = state;
  };
  return {
    load: async () => {
      written = await store.loadState(id);
      return written;
    },
    save: async (state) => {
      if (JSON.stringify(state).length > MAX_STATE) throw new Error(`the state of ${id} is larger than 64 KiB`);
      next = state;
      await inTurn(writeNext);
    },
  };
}
