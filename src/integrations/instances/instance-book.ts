import type { InstanceRecord } from '#core/integration/instance.ts';
import type { InstanceSecrets } from './instance-secrets.ts';
import { type FixedInstance, type InstanceView, type KnownInstance, viewOf, withBoundFields } from './instance-view.ts';
import type { IntegrationKind } from '#integrations/kind.ts';

/** Each change is on disk when it resolves. */
export type InstanceStore = {
  /** In the order in which they were added, with the removed ones. */
  readonly loadInstances: () => Promise<readonly InstanceRecord[]>;
  readonly saveInstance: (record: InstanceRecord) => Promise<void>;
  readonly deleteInstance: (id: string) => Promise<void>;
};

/** All instances in memory, with what is shown of them. */
export type InstanceBook = Awaited<ReturnType<typeof openInstanceBook>>;

type BookDeps = {
  readonly kinds: readonly IntegrationKind[];
  readonly store: InstanceStore;
  readonly secrets: InstanceSecrets;
  readonly fixed: readonly FixedInstance[];
};

export async function openInstanceBook({ kinds, store, secrets, fixed }: BookDeps) {
  const known = new Map<string, KnownInstance>();
  /** A view depends on the instances that it links to: each change ends all of them. */
  let views = new WeakMap<KnownInstance, InstanceView>();

  const knownFrom = (record: InstanceRecord): KnownInstance => {
    const kind = kinds.find(({ id }) => id === record.kind);
    const own = fixed.find((one) => one.id === record.id && one.kind === record.kind);
    return { record, kind, fixed: own && withBoundFields(own, kind?.settings ?? {}), boundTo: {} };
  };
  const findLive = (id: string): KnownInstance | undefined => {
    const found = known.get(id);
    return found?.record.removedAtMs === null ? found : undefined;
  };
  const makeView = (one: KnownInstance): InstanceView =>
    viewOf(one, (id) => {
      const linked = findLive(id);
      if (linked === undefined) return undefined;
      const { kind, name, enabled, isChosen } = linked.record;
      const by = linked.fixed?.enabled ?? { value: enabled, by: null };
      const isUsed = isChosen || linked.fixed !== undefined;
      return { kind, name, enabled: { value: by.value, fixedBy: by.by }, isChosen: isUsed };
    });

  for (const record of await store.loadInstances()) {
    if (record.isOfConfig === true && knownFrom(record).fixed === undefined) continue;
    const boundTo: Record<string, string> = {};
    for (const [field, file] of Object.entries(record.secrets)) {
      const secret = await secrets.read(file);
      if (secret !== undefined) boundTo[field] = secret.boundTo;
    }
    known.set(record.id, { ...knownFrom(record), boundTo });
  }
  for (const { id, kind, enabled } of fixed) {
    const old = known.get(id);
    const found = kinds.find((one) => one.id === kind);
    if (found === undefined) continue;
    // A person who can write the configuration has the machine.
    const record =
      old?.record.kind === kind
        ? old.record
        : { ...newRecord(id, found), mayReachHub: true, isOfConfig: enabled?.value === true };
    known.set(id, { ...(old ?? knownFrom(record)), record: { ...record, removedAtMs: null, isForgetting: false } });
  }
  return {
    /** In the order in which they were added. */
    all: (): readonly KnownInstance[] => [...known.values()],
    find: (id: string): KnownInstance | undefined => known.get(id),
    /** The same without the removed ones. */
    live: (): readonly KnownInstance[] => [...known.values()].filter(({ record }) => record.removedAtMs === null),
    findLive,
    viewOf: (one: KnownInstance): InstanceView => {
      const view = views.get(one) ?? makeView(one);
      views.set(one, view);
      return view;
    },
    put: (one: KnownInstance): void => {
      known.set(one.record.id, one);
      views = new WeakMap();
    },
    drop: (id: string): void => {
      known.delete(id);
      views = new WeakMap();
    },
    /** With what the configuration fixes of it, and no secrets. */
    knownFrom,
  };
}

/** The record of an instance that nobody has set up yet. */
export function newRecord(id: string, kind: IntegrationKind): InstanceRecord {
  return {
    id,
    kind: kind.id,
    name: kind.name,
    enabled: true,
    uniqueId: null,
    settings: {},
    settingsVersion: kind.settingsVersion,
    secrets: {},
    mayReachHub: false,
    isChosen: false,
    revision: 0,
    removedAtMs: null,
    isForgetting: false,
  };
}
