import { HubError, requireThing } from '#base/hub-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Discovery, Instance, InstanceChange, NewInstance, ShownInstance } from '#core/integration/instance.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import { limit } from '#words/limits.ts';
import { newRecord, openInstanceBook } from './instance-book.ts';
import { idFor, isSameThing } from './instance-change.ts';
import {
  createInstanceParts,
  type DevicesOfRemoved,
  type InstanceTerms,
  type InstanceListener,
  type InstanceParts,
  type InstancesDeps,
} from './instance-parts.ts';
import { createInstanceSecrets } from './instance-secrets.ts';
import type { InstanceView, KnownInstance } from './instance-view.ts';
import { createMeeting, createRemoval, createSecretDoor } from './instance-upkeep.ts';

/** The configured uses of kinds. Every change is on disk, and followed, when it resolves. */
export type Instances = Awaited<ReturnType<typeof openInstances>>;

const MAX_INSTANCES = 500;

export async function openInstances(deps: InstancesDeps) {
  const inTurn = createTurnQueue();
  const files = createInstanceSecrets(deps.secrets, deps.log);
  const book = await openInstanceBook({ ...deps, secrets: files });
  let listener: InstanceListener = async () => undefined;
  const parts = createInstanceParts({ ...deps, book, files, tell: (event) => listener(event) });
  const { live, read, lacksToken, commit, tell } = parts;
  const viewOf = (id: string): InstanceView | undefined => {
    const known = book.findLive(id);
    return known && book.viewOf(known);
  };
  const add = createAdd(parts);
  const removal = createRemoval(parts);
  const meet = createMeeting(parts);
  const secretDoor = createSecretDoor(parts);
  return {
    /** The instances that are there, also the ones that cannot run, in the order in which they were added. */
    list: (): readonly ShownInstance[] => book.live().map((known) => book.viewOf(known).shown),
    find: (id: string): ShownInstance | undefined => viewOf(id)?.shown,
    /** As its code gets it; `undefined` while it has a problem. */
    instanceOf: (id: string): Instance | undefined => viewOf(id)?.instance,
    kindOf: (id: string): IntegrationKind | undefined => book.findLive(id)?.kind,
    linksOf: (id: string): readonly string[] => viewOf(id)?.links ?? [],
    /**
     * If the same thing is there already, that instance gets the settings; if it was removed, it returns with its id. An
     * instance that the hub made by itself and nobody has used gives its place. Throws HubError VALIDATION_FAILED,
     * SETTING_FIXED, NAME_TAKEN, LIMIT_REACHED, NOT_FOUND for an unknown kind, NOT_SUPPORTED for one that comes by itself
     * and was given no id, and what `authorize` throws.
     */
    add: (wanted: NewInstance, terms?: InstanceTerms): Promise<{ readonly id: string; readonly isNew: boolean }> =>
      inTurn(() => add(wanted, terms)),
    /**
     * Switching it on switches on what it speaks through. Throws HubError NOT_FOUND, PRECONDITION_FAILED,
     * VALIDATION_FAILED, SETTING_FIXED, and what `authorize` throws.
     */
    change: (id: string, change: InstanceChange, terms?: InstanceTerms): Promise<void> =>
      inTurn(async () => {
        const known = live(id, terms);
        const checked = read(known, change, { mayReachHub: terms?.mayReachHub, isWhole: false });
        if (change.enabled === true) await switchOnLinks(parts, id);
        const hasNewToken = change.settings !== undefined && lacksToken(known);
        if (!checked.isChange && !hasNewToken) return;
        await commit(known, checked, terms);
        await tell({ type: 'changed', id, needsRestart: checked.needsRestart || hasNewToken });
      }),
    /** Throws what `change` would throw now, and changes nothing. */
    check: (id: string, change: InstanceChange, terms?: InstanceTerms): void => {
      read(live(id, terms), change, { mayReachHub: terms?.mayReachHub, isWhole: false });
    },
    /** `keep` hides its devices until the same thing returns, `remove` forgets them. Throws as `change`. */
    remove: (id: string, devices: DevicesOfRemoved, terms?: InstanceTerms): Promise<void> =>
      inTurn(() => removal.remove(id, devices, terms)),
    /**
     * The instance that a discovered thing already is. Unless that is connected, it gets the address of the discovered
     * one, if that is in the LAN and no secret is bound to the address.
     */
    meet: (kind: string, discovery: Discovery): Promise<string | undefined> => inTurn(() => meet(kind, discovery)),
    /** To call when something has answered: from then on its silence is a fault. */
    noteUse: (id: string): Promise<void> =>
      inTurn(async () => {
        const known = book.findLive(id);
        if (known === undefined || known.record.isChosen) return;
        const record = { ...known.record, isChosen: true };
        await deps.store.saveInstance(record);
        book.put({ ...known, record });
      }),
    /** `null` if none is set. */
    readSecret: secretDoor.read,
    /** For what a device gives later. Does not restart the instance. */
    writeSecret: (id: string, field: string, text: string): Promise<void> =>
      inTurn(() => secretDoor.write(id, field, text)),
    /** The one listener is awaited after each change. */
    follow: (next: InstanceListener): void => {
      listener = next;
    },
    /** Goes on with removals that a power cut has interrupted, and ends API tokens that no instance has. */
    finishRemovals: (): Promise<void> => inTurn(removal.finish),
  };
}

function createAdd({ kinds, book, reservedIds, live, read, commit, tell }: InstanceParts): Instances['add'] {
  /** The instance whose place the wanted one takes: itself, an unused one, or itself as it was before its removal. */
  const placeOf = (kind: IntegrationKind, wanted: NewInstance): KnownInstance => {
    const same = book.all().filter((known) => isSameThing(known, wanted));
    const unused = book.live().find((known) => {
      return wanted.id === undefined && known.record.kind === kind.id && !book.viewOf(known).shown.isChosen;
    });
    const old = same.find(({ record }) => record.removedAtMs === null) ?? unused ?? same[0];
    if (old !== undefined) return old;
    const isOther = kinds.flatMap((one) => (one === kind ? [] : [one.id, one.firstId ?? one.id]));
    const isTaken = (id: string): boolean => {
      const isName = wanted.id !== undefined && (id === kind.id || id === kind.firstId);
      return isName || book.find(id) !== undefined || [...reservedIds, ...isOther].includes(id);
    };
    return book.knownFrom(newRecord(idFor(kind, wanted.id, isTaken), kind));
  };
  return async (wanted, terms = {}) => {
    terms.authorize?.();
    const kind = requireThing(
      kinds.find(({ id }) => id === wanted.kind),
      'kind of integration',
    );
    // It has the name of what it stands for as its id; without one, any that is there would be taken for it.
    if (kind.comesByItself === true && wanted.id === undefined) {
      throw new HubError('NOT_SUPPORTED', `Nobody sets up a ${kind.name}: it comes by itself.`);
    }
    const known = placeOf(kind, wanted);
    const isThere = book.findLive(known.record.id) !== undefined;
    const others = book.live().filter(({ record }) => record.id !== known.record.id);
    if (kind.instances === 'one' && others.some(({ record }) => record.kind === kind.id)) {
      throw new HubError('LIMIT_REACHED', `There can be only one ${kind.name}.`);
    }
    if (!isThere && others.length >= MAX_INSTANCES) {
      const reason = limit('most', { most: MAX_INSTANCES });
      throw new HubError('LIMIT_REACHED', `There can be at most ${MAX_INSTANCES} integrations.`, { reason });
    }
    if (isThere) live(known.record.id, terms);
    const { name, enabled = true, settings, uniqueId = known.record.uniqueId } = wanted;
    const wasUsed = known.record.isChosen;
    const change = { settings, enabled, ...(name === undefined || wasUsed ? {} : { name }) };
    const checked = read(known, change, { mayReachHub: terms.mayReachHub, isWhole: true });
    await commit(known, { ...checked, record: { ...checked.record, uniqueId } }, terms);
    const isNew = !isThere || !wasUsed;
    await tell({ type: isThere ? 'changed' : 'added', id: known.record.id, needsRestart: true });
    return { id: known.record.id, isNew };
  };
}

async function switchOnLinks({ book, read, commit, tell }: InstanceParts, id: string): Promise<void> {
  const known = book.findLive(id);
  for (const link of known === undefined ? [] : book.viewOf(known).links) {
    const linked = book.findLive(link);
    if (linked === undefined || linked.record.enabled || linked.fixed?.enabled) continue;
    await commit(linked, read(linked, { enabled: true }, { isWhole: false }));
    await tell({ type: 'changed', id: link, needsRestart: true });
  }
}
