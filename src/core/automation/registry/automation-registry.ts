import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Directory } from '#core/automation/check/directory.ts';
import { sensitiveUses } from '#core/automation/check/sensitive-use.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { ReferenceKind } from '#core/automation/document/shape.ts';
import type {
  Automation,
  AutomationDetails,
  AutomationRecord,
  AutomationState,
  AutomationVersion,
  Signer,
  UrlAuthors,
  VersionLine,
} from './automation-record.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type AutomationBook, type AutomationLook, createAutomationBook } from './automation-book.ts';
import {
  type AutomationTerms,
  createAdditions,
  createChanges,
  createTogether,
  type TogetherChange,
} from './automation-changes.ts';
import type { AutomationChange, NewAutomation } from './saved-change.ts';
import { createTrash } from './automation-trash.ts';
import type { AutomationSave, AutomationStore } from './automation-store.ts';
import { createMatchForeign, type MatchForeign } from './foreign-names.ts';
import type { Openings } from './openings.ts';
import { type AutomationHome, changedReference, createFindTarget, directoryOf, type FindTarget } from './references.ts';

/**
 * The automations of the home. Changes are on disk before they are visible. Each change throws HubError NOT_FOUND,
 * PRECONDITION_FAILED, and what `authorize` throws, which gets the automation as it was.
 */
export type AutomationRegistry = {
  /** By name, then id, without the trash. */
  readonly automations: () => readonly AutomationRecord[];
  readonly trash: () => readonly AutomationRecord[];
  /** Not in the trash. */
  readonly find: (idOrSelector: string) => AutomationRecord | undefined;
  readonly findInTrash: (idOrSelector: string) => AutomationRecord | undefined;
  /** Who wrote the requests of a version, by their URLs. */
  readonly authorsOf: (id: AutomationId, version: number) => Promise<UrlAuthors>;
  /** Newest first. */
  readonly versions: (id: AutomationId) => Promise<readonly VersionLine[]>;
  readonly findVersion: (id: AutomationId, version: number) => Promise<AutomationVersion | undefined>;
  /** Throws HubError LIMIT_REACHED. */
  readonly create: (wanted: NewAutomation, terms?: { readonly authorize?: () => void }) => Promise<AutomationRecord>;
  /** All of them or none. Their ids come from `newIds`, so that one can name another. Throws HubError LIMIT_REACHED. */
  readonly createAll: (
    wanted: readonly (NewAutomation & { readonly id: AutomationId })[],
    terms?: { readonly authorize?: () => void },
  ) => Promise<readonly AutomationRecord[]>;
  readonly newIds: (count: number) => readonly AutomationId[];
  /** Another definition makes a version, and who saves it is the signer. The same definition changes only details. */
  readonly save: (id: AutomationId, change: AutomationChange, terms?: AutomationTerms) => Promise<AutomationRecord>;
  /** Several at once, in the turn of all changes: `write` puts all of them on disk in one transaction. */
  readonly saveTogether: (
    changes: readonly TogetherChange[],
    write: (saves: readonly AutomationSave[]) => Promise<void>,
  ) => Promise<void>;
  readonly change: (
    id: AutomationId,
    details: Partial<AutomationDetails>,
    terms?: AutomationTerms,
  ) => Promise<AutomationRecord>;
  /** Makes a version with what an older one did. Throws HubError NOT_FOUND for a version that is not kept. */
  readonly revert: (
    id: AutomationId,
    wanted: { readonly version: number; readonly signer: Signer; readonly note: string | null },
    terms?: AutomationTerms,
  ) => Promise<AutomationRecord>;
  /** It acts with the rights of this signer from now on, and is suspended no more. */
  readonly sign: (id: AutomationId, signer: Signer, terms?: AutomationTerms) => Promise<AutomationRecord>;
  readonly suspend: (id: AutomationId, code: string) => Promise<AutomationRecord>;
  readonly remove: (id: AutomationId, terms?: AutomationTerms) => Promise<AutomationRecord>;
  /** Out of the trash. Throws HubError LIMIT_REACHED. */
  readonly restore: (id: AutomationId, terms?: AutomationTerms) => Promise<AutomationRecord>;
  /** Deletes what was in the trash for long enough. */
  readonly upkeep: () => Promise<void>;
  /** Looks again at people, integrations and all else whose end makes no event. */
  readonly review: () => void;
  readonly stateOf: (record: AutomationRecord) => AutomationState;
  /** Whether one may move something sensitive at the end: itself, or by others that its steps run or enable. */
  readonly opens: Openings['opens'];
  readonly opensAs: Openings['opensAs'];
  /** All that an automation in memory refers to, as `kind/id`. */
  readonly referencesOf: (id: AutomationId) => ReadonlySet<string>;
  /** As the engine gets it. */
  readonly asActive: (record: AutomationRecord) => Automation;
  readonly findTarget: FindTarget;
  readonly matchForeign: MatchForeign;
  readonly directory: (self?: AutomationId) => Directory;
  /** The listener is called when a change is on disk, and when an automation breaks or is whole again. */
  readonly subscribe: (listener: (change: AutomationNews) => void) => () => void;
  readonly stop: () => void;
};

export type AutomationNews =
  | { readonly kind: 'saved'; readonly automation: Automation; readonly record: AutomationRecord }
  | { readonly kind: 'removed'; readonly id: AutomationId };

type AutomationRegistryDeps = {
  readonly store: AutomationStore;
  readonly home: AutomationHome;
  readonly subscribe: (listener: (event: HomeEvent) => void) => () => void;
  readonly emit: (event: HomeEvent) => void;
  readonly newId: () => string;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** The clock of the hub, by which things leave the trash. */
  readonly nowMs: () => number;
  readonly log: Log;
};

export async function openAutomationRegistry(deps: AutomationRegistryDeps): Promise<AutomationRegistry> {
  const { store, home, emit } = deps;
  const find = (name: string): AutomationRecord | undefined => liveOnly(book.find(name));
  const findTarget = createFindTarget(home, find);
  const directory = (self?: AutomationId): Directory => directoryOf(home, { self, opens: (id) => book.opens(id) });
  const book = createAutomationBook(findTarget, directory);
  const subscribers = createSubscribers<[AutomationNews]>(deps.log);
  const stateOf = (record: AutomationRecord): AutomationState =>
    stateWith(record, book.lookOf(record.id), home.hasLocation());
  const asActive = (record: AutomationRecord): Automation => activeOf(record, stateOf(record), directory(record.id));

  const tellOf = (record: AutomationRecord): void =>
    subscribers.tell({ kind: 'saved', automation: asActive(record), record });
  const tellChanged = (record: AutomationRecord): void => {
    tellOf(record);
    emit({ type: 'automation.changed', automation: record, state: stateOf(record) });
  };
  const needsSun = ({ id }: AutomationRecord): boolean => (book.lookOf(id)?.faultsOfSun ?? []).length > 0;
  const reviewSun = createSunReview(home, () => book.list('live').filter(needsSun), tellChanged);
  const follower = createReferenceFollower(book, findTarget, (id) => {
    const record = book.renew(id) ? find(id) : undefined;
    if (record !== undefined) tellChanged(record);
  });
  const show = ({ record }: AutomationSave, type: 'added' | 'changed' | 'removed'): AutomationRecord => {
    book.put(record);
    if (type === 'removed') {
      subscribers.tell({ kind: 'removed', id: record.id });
      emit({ type: 'automation.removed', automation: record });
    } else {
      tellOf(record);
      emit({ type: `automation.${type}`, automation: record, state: stateOf(record) });
    }
    if (type !== 'changed') follower.renew(`automation/${record.id}`);
    return record;
  };
  const commit = async (save: AutomationSave, type: 'added' | 'changed' | 'removed'): Promise<AutomationRecord> => {
    await store.saveAutomations([save]);
    return show(save, type);
  };

  await loadAll(store, (record) => {
    book.put(record);
    book.selectors.reserve(record.selector);
  });
  // Automations that were loaded first could not find those loaded later.
  for (const key of book.keys())
    if (key.startsWith('automation/')) for (const id of book.referringTo(key)) book.renew(id);
  const unsubscribe = deps.subscribe(follower.note);
  const parts = { ...deps, turn: createTurnQueue(), book, find, findTarget, isOwner: home.isOwner, show, commit };
  return {
    automations: () => book.list('live'),
    trash: () => book.list('trash'),
    find,
    findInTrash: (name) => trashedOnly(book.find(name)),
    versions: store.loadVersions,
    findVersion: store.loadVersion,
    ...createChanges(parts),
    ...createTogether(parts),
    ...createAdditions(parts),
    ...createTrash(parts),
    review: () => {
      follower.renew(...book.keys());
      reviewSun();
    },
    stateOf,
    opens: book.opens,
    opensAs: book.opensAs,
    referencesOf: (id) => book.lookOf(id)?.keys ?? new Set(),
    asActive,
    findTarget,
    matchForeign: createMatchForeign(home, findTarget),
    directory,
    subscribe: subscribers.add,
    stop: unsubscribe,
  };
}

function trashedOnly(record: AutomationRecord | undefined): AutomationRecord | undefined {
  return record?.deletedAtMs === null ? undefined : record;
}

function liveOnly(record: AutomationRecord | undefined): AutomationRecord | undefined {
  return record?.deletedAtMs === null ? record : undefined;
}

/** Finds the automations that may be whole no more, or again. */
function createReferenceFollower(
  book: Pick<AutomationBook, 'referringTo' | 'lookOf'>,
  findTarget: FindTarget,
  look: (id: AutomationId) => void,
) {
  /** Others may name these: what leads to them now, or no more. */
  const renew = (...keys: readonly string[]): void => {
    const concerned = new Set<AutomationId>();
    for (const key of keys) {
      const isThere = leadsSomewhere(findTarget, key);
      // A mode is set more often than it is removed.
      for (const id of book.referringTo(key)) if (!isThere || book.lookOf(id)?.faults.length !== 0) concerned.add(id);
    }
    for (const id of concerned) look(id);
  };
  /** Each name leads to the abilities that it had at the last check. */
  const abilities = new Map<string, readonly unknown[]>();
  const renewUsing = (key: string, now: readonly unknown[]): void => {
    const using = book.referringTo(key);
    if (using.length === 0 || abilities.get(key) === now) return;
    abilities.set(key, now);
    for (const id of using) look(id);
  };
  return {
    renew,
    note: (event: HomeEvent): void => {
      const keys = changedReference(event) ?? [];
      renew(...keys);
      if (event.type === 'device.changed') {
        const { id, features } = event.device;
        for (const kind of ['device', 'group']) renewUsing(`${kind}/${id}`, features);
      } else if (event.type === 'mode.changed') renewUsing(`mode/${event.mode.key}`, event.mode.values);
      else if (event.type === 'device.removed') for (const key of keys) abilities.delete(key);
    },
  };
}

function leadsSomewhere(findTarget: FindTarget, key: string): boolean {
  const at = key.indexOf('/');
  return findTarget(key.slice(0, at) as ReferenceKind, key.slice(at + 1)) !== undefined;
}

/** Looks whether the home has a location now; reports the automations that need one when that changed. */
function createSunReview(
  { hasLocation }: Pick<AutomationHome, 'hasLocation'>,
  list: () => readonly AutomationRecord[],
  report: (record: AutomationRecord) => void,
): () => void {
  let hadLocation = hasLocation();
  return () => {
    if (hasLocation() === hadLocation) return;
    hadLocation = hasLocation();
    for (const record of list()) report(record);
  };
}

function stateWith(record: AutomationRecord, look: AutomationLook | undefined, hasLocation: boolean): AutomationState {
  if (!record.enabled) return { state: 'disabled' };
  if (record.suspended !== null) return { state: 'suspended', code: record.suspended.code };
  const { faults = [], faultsOfSun = [], misfits = [] } = look ?? {};
  const broken = hasLocation ? faults : [...faults, ...faultsOfSun];
  if (broken.length > 0) return { state: 'broken', faults: broken };
  return misfits.length > 0 ? { state: 'ready', misfits } : { state: 'ready' };
}

function activeOf(record: AutomationRecord, state: AutomationState, directory: Directory): Automation {
  const { id, version, definition, signer, enabledAtMs } = record;
  return {
    id,
    version,
    definition,
    state: state.state,
    broken: state.state === 'broken' ? state.faults.map(({ pointer }) => pointer) : [],
    // What passed while it was off was not missed.
    signedAtMs: Math.max(signer.signedAtMs, enabledAtMs),
    isDurable:
      definition.durable === 'always' ||
      definition.allow_sensitive.length > 0 ||
      sensitiveUses(definition, directory).length > 0,
  };
}

async function loadAll(store: AutomationStore, take: (record: AutomationRecord) => void): Promise<void> {
  for (let after = ''; ;) {
    const page = await store.loadAutomations(after);
    for (const record of page) take(record);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
