import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSecretFiles, type SecretFiles } from '#base/secret-files.ts';
import type { InstanceRecord } from '#core/integration/instance.ts';
import type { InstanceStore } from '#integrations/instances/instance-book.ts';
import type { InstanceEvent, InstanceTokens } from '#integrations/instances/instance-parts.ts';
import type { FixedInstance } from '#integrations/instances/instance-view.ts';
import { type Instances, openInstances } from '#integrations/instances/instances.ts';
import { defineKind, type IntegrationKind } from '#integrations/kind.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const never = (): never => {
  throw new Error('no test loads the code of this kind');
};

/** For kinds that need none. */
export const NO_TOKENS: InstanceTokens = { isLive: never, make: never, end: never, made: () => [] };

/** Kinds with every type of field. */
export const BROKER = defineKind({
  id: 'mqtt',
  name: 'MQTT broker',
  about: 'A broker.',
  instances: 'many',
  settingsVersion: 1,
  settings: {
    address: {
      type: 'url',
      schemes: ['mqtt', 'mqtts'],
      originOnly: true,
      label: 'Address',
      default: 'mqtt://127.0.0.1:1883',
    },
    user: { type: 'text', label: 'User', optional: true },
    password: { type: 'secret', label: 'Password', boundTo: 'address', optional: true },
  },
  load: never,
});
export const LINKED = defineKind({
  id: 'zigbee2mqtt',
  name: 'Zigbee2MQTT',
  about: 'Devices behind a broker.',
  instances: 'many',
  settingsVersion: 1,
  settings: {
    broker: { type: 'link', kind: 'mqtt', label: 'Broker' },
    base_topic: { type: 'text', label: 'Topic', default: 'zigbee2mqtt' },
  },
  load: never,
});
export const BRIDGE = defineKind({
  id: 'bridge',
  name: 'Bridge',
  about: 'A bridge with a key and a certificate.',
  instances: 'many',
  settingsVersion: 2,
  upgradeSettings: ({ address }, from) => {
    if (from !== 1 || typeof address !== 'string') throw new Error('unknown settings');
    return { host: address, fingerprint: 'ab' };
  },
  settings: {
    host: { type: 'host', label: 'Address' },
    fingerprint: { type: 'text', label: 'Certificate', pattern: '[0-9a-f]{2,64}', advanced: true },
    poll_s: { type: 'integer', label: 'Pause', min: 1, max: 60, default: 5 },
    rooms: { type: 'boolean', label: 'Rooms', default: true },
    mode: {
      type: 'choice',
      label: 'Mode',
      options: [
        { id: 'fast', label: 'Fast' },
        { id: 'slow', label: 'Slow' },
      ],
      default: 'fast',
    },
    key: { type: 'secret', label: 'Key', boundTo: 'fingerprint' },
  },
  load: never,
});
export const ONLY_ONE = defineKind({
  id: 'only_one',
  firstId: 'only-one',
  name: 'The one',
  about: 'There is one.',
  instances: 'one',
  settingsVersion: 1,
  settings: {},
  load: never,
});
/** As kinds whose instances are named by their makers. */
export const NAMED = defineKind({
  id: 'named',
  name: 'Named',
  about: 'Has the id that its maker gives.',
  instances: 'many',
  settingsVersion: 1,
  settings: {},
  comesByItself: true,
  load: never,
});
export const TEST_KINDS: readonly IntegrationKind[] = [BROKER, LINKED, BRIDGE, ONLY_ONE, NAMED];

export type InstanceWorld = {
  readonly folder: string;
  /** As on disk. */
  readonly records: Map<string, InstanceRecord>;
  readonly files: SecretFiles;
  /** Called before each step on disk, in words; throws to fail it. */
  readonly disk: { before: (step: string) => void };
  readonly connected: Set<string>;
  readonly time: ReturnType<typeof createManualTime>;
  readonly events: InstanceEvent[];
  readonly lines: readonly string[];
  readonly open: (options?: OpenOptions) => Promise<Instances>;
};
export type OpenOptions = {
  readonly kinds?: readonly IntegrationKind[];
  readonly fixed?: readonly FixedInstance[];
  readonly store?: InstanceStore;
};

/** Instances on one disk, opened as often as the test likes. 192.168.1.x is the LAN, 192.168.1.1 the hub. */
export function createInstanceWorld(): InstanceWorld {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-instances-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const records = new Map<string, InstanceRecord>();
  const disk = { before: (_step: string): void => undefined };
  const inner = createSecretFiles(folder);
  const files: SecretFiles = {
    read: inner.read,
    write: async (name, bytes) => {
      disk.before(`write ${name}`);
      await inner.write(name, bytes);
    },
    remove: async (name) => {
      disk.before(`remove ${name}`);
      await inner.remove(name);
    },
  };
  const memory: InstanceStore = {
    loadInstances: async () => [...records.values()].map((record) => structuredClone(record)),
    saveInstance: async (record) => {
      records.set(record.id, structuredClone(record));
    },
    deleteInstance: async (id) => {
      records.delete(id);
    },
  };
  const onDisk = (store: InstanceStore): InstanceStore => ({
    loadInstances: store.loadInstances,
    saveInstance: async (record) => {
      disk.before(`save ${record.id}`);
      await store.saveInstance(record);
    },
    deleteInstance: async (id) => {
      disk.before(`delete ${id}`);
      await store.deleteInstance(id);
    },
  });
  const connected = new Set<string>();
  const time = createManualTime();
  const events: InstanceEvent[] = [];
  const { log, lines } = createRecordingLog();
  return {
    folder,
    records,
    files,
    disk,
    connected,
    time,
    events,
    lines,
    open: async ({ kinds = TEST_KINDS, fixed = [], store = memory } = {}) => {
      const instances = await openInstances({
        kinds,
        store: onDisk(store),
        secrets: files,
        fixed,
        rules: {
          isLanAddress: (address) => address.startsWith('192.168.1.') || address.startsWith('127.'),
          isOwnAddress: (address) => address === '192.168.1.1' || address.startsWith('127.'),
        },
        tokens: NO_TOKENS,
        reservedIds: ['group'],
        isConnected: (id) => connected.has(id),
        clock: time.clock,
        log,
      });
      instances.follow(async (event) => void events.push(event));
      return instances;
    },
  };
}

/** The failure of a change as `[code, pointers of its fields]`. */
export async function refusalOf(change: Promise<unknown>): Promise<unknown> {
  try {
    await change;
    return 'no refusal';
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const { errors = [] } =
      (error as { options?: { errors?: readonly { pointer: string; code: string }[] } }).options ?? {};
    return [error.code, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)];
  }
}
