import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import { eachInTurns } from '#base/work-slices.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { UserId } from '#core/person/user.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { AutomationBook } from './automation-book.ts';
import {
  type AutomationDetails,
  type AutomationRecord,
  type ReferenceNames,
  type Signer,
  type UrlAuthor,
  type UrlAuthors,
} from './automation-record.ts';
import type { AutomationSave, AutomationStore } from './automation-store.ts';
import { type FindTarget, lookAtReferences } from './references.ts';
import { refuseMore, requireRoom } from './shares.ts';
import {
  type AutomationChange,
  createSaveSource,
  isSameDetails,
  lineFor,
  newRecord,
  type NewAutomation,
  type Reverted,
} from './saved-change.ts';
import { authorOf, authorsAfter, authorsAgain, authorsNow, loadAuthors } from './url-authors.ts';

export type AutomationTerms = ChangeTerms<AutomationRecord>;

export type TogetherChange = {
  readonly id: AutomationId;
  readonly change: AutomationChange;
  readonly terms: AutomationTerms;
};

export type ChangeParts = {
  readonly store: AutomationStore;
  readonly newId: () => string;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** The clock of the hub, by which things leave the trash. */
  readonly nowMs: () => number;
  readonly turn: TurnQueue;
  readonly book: AutomationBook;
  readonly find: (name: string) => AutomationRecord | undefined;
  readonly findTarget: FindTarget;
  readonly isOwner: (person: UserId) => boolean;
  /** Makes visible what is on disk. */
  readonly show: (save: AutomationSave, type: 'added' | 'changed' | 'removed') => AutomationRecord;
  readonly commit: (save: AutomationSave, type: 'added' | 'changed' | 'removed') => Promise<AutomationRecord>;
  readonly log: Log;
};

/** The changes of what is not in the trash. */
export function createChanges(parts: ChangeParts) {
  const { store, clock, newId, turn, book, find, findTarget, isOwner, commit } = parts;
  const present = (id: AutomationId, terms: AutomationTerms = {}): AutomationRecord => checked(find(id), terms);
  const { namesOf, changed, saveOf } = createSaveSource({ clock, findTarget });
  const saveDefinition = async (old: AutomationRecord, change: AutomationChange & Reverted, urlAuthors: UrlAuthors) => {
    const save = saveOf(old, { ...change, urlAuthors });
    if (save === undefined) return old;
    requireRoom(book.list('live'), [save.record], isOwner);
    return commit(save, 'changed');
  };
  /** Read before the check, so that the check is right before the write. */
  const saved = async (id: AutomationId, change: AutomationChange, terms: AutomationTerms = {}) => {
    const { definition } = present(id);
    const authors = authorsAfter(
      change.definition,
      { definition, authors: await authorsNow(store, present(id)) },
      authorFor(change),
    );
    return saveDefinition(present(id, terms), change, authors);
  };
  return {
    create: (wanted: NewAutomation, terms: { readonly authorize?: () => void } = {}) =>
      turn(async () => {
        terms.authorize?.();
        refuseMore(book.list('live').length + 1);
        const { note, wroteUrl: _, ...rest } = wanted;
        const selector = book.selectors.take([wanted.name]);
        const made = { id: newId() as AutomationId, selector, names: namesOf(wanted.definition) };
        const record = { ...rest, ...made, ...newRecord(wanted.signer, clock.wallMs()) };
        try {
          requireRoom(book.list('live'), [record], isOwner);
          const urlAuthors = authorsAfter(wanted.definition, null, authorFor(wanted));
          return await commit({ record, version: { ...lineFor(record, note, null), urlAuthors } }, 'added');
        } catch (cause) {
          if (book.find(record.id) === undefined) book.selectors.giveBack([selector]);
          throw cause;
        }
      }),
    save: (id: AutomationId, change: AutomationChange, terms?: AutomationTerms) =>
      turn(async () => saved(id, change, terms)),
    authorsOf: (id: AutomationId, version: number) => {
      const record = find(id);
      return record?.version === version ? authorsNow(store, record) : loadAuthors(store, id, version);
    },
    change: (id: AutomationId, details: Partial<AutomationDetails>, terms?: AutomationTerms) =>
      turn(async () => {
        const old = present(id, terms);
        const next = changed(old, details);
        return isSameDetails(old, next) ? old : commit({ record: next, version: null }, 'changed');
      }),
    revert: (
      id: AutomationId,
      { version, signer, note }: { readonly version: number; readonly signer: Signer; readonly note: string | null },
      terms?: AutomationTerms,
    ) =>
      turn(async () => {
        const before = await store.loadVersion(id, version);
        const [then, now] = [await loadAuthors(store, id, version), await authorsNow(store, present(id))];
        // Behind the wait, so that the check is right before the write.
        const old = present(id, terms);
        if (before === undefined) throw new HubError('NOT_FOUND', 'This version is not kept.');
        const { definition } = before;
        const change = { definition, signer, note, revertedTo: version };
        return saveDefinition(old, change, authorsAgain(definition, then, now));
      }),
    sign: (id: AutomationId, signer: Signer, terms?: AutomationTerms) =>
      turn(async () => {
        const record = changed(present(id, terms), { signer, suspended: null });
        requireRoom(book.list('live'), [record], isOwner);
        return commit({ record, version: null }, 'changed');
      }),
    suspend: (id: AutomationId, code: string) =>
      turn(async () => {
        const old = present(id);
        if (old.suspended !== null) return old;
        const record = changed(old, { suspended: { code, atMs: clock.wallMs() } });
        return commit({ record, version: null }, 'changed');
      }),
  };
}

/** Several changes in one transaction, of which each may be checked against all others. */
export function createTogether(parts: ChangeParts) {
  const { store, turn, book, find, isOwner, show } = parts;
  const { saveOf } = createSaveSource(parts);
  return {
    saveTogether: (
      changes: readonly TogetherChange[],
      write: (saves: readonly AutomationSave[]) => Promise<void>,
    ): Promise<void> =>
      turn(async () => {
        const saves: AutomationSave[] = [];
        const authors = new Map<AutomationId, UrlAuthors>();
        for (const { id } of changes) authors.set(id, await authorsNow(store, checked(find(id))));
        await eachInTurns(changes, ({ id, change, terms }) => {
          const old = checked(find(id), terms);
          const before = { definition: old.definition, authors: authors.get(id) ?? {} };
          const save = saveOf(old, {
            ...change,
            urlAuthors: authorsAfter(change.definition, before, authorFor(change)),
          });
          if (save !== undefined) saves.push(save);
        });
        requireRoom(
          book.list('live'),
          saves.map(({ record }) => record),
          isOwner,
        );
        await write(saves);
        await eachInTurns(saves, (save) => show(save, 'changed'));
      }),
  };
}

/** Several at once, of which one may name another: all of them or none. */
export function createAdditions(parts: ChangeParts) {
  const { store, turn, book, clock, newId, findTarget, isOwner, show } = parts;
  const createAll = (
    wanted: readonly (NewAutomation & { readonly id: AutomationId })[],
    terms: { readonly authorize?: () => void } = {},
  ): Promise<readonly AutomationRecord[]> =>
    turn(async () => {
      refuseMore(book.list('live').length + wanted.length);
      const taken = wanted.map((one) => ({ ...one, selector: book.selectors.take([one.name]) }));
      const own: ReferenceNames = Object.fromEntries(
        taken.map(({ id, selector, name }) => [`automation/${id}`, { selector, name }]),
      );
      const saves: AutomationSave[] = [];
      try {
        await eachInTurns(taken, ({ note, wroteUrl, ...rest }) => {
          const { names } = lookAtReferences(rest.definition, findTarget, own);
          const record = { ...rest, names, ...newRecord(rest.signer, clock.wallMs()) };
          const urlAuthors = authorsAfter(rest.definition, null, authorFor({ signer: rest.signer, wroteUrl }));
          saves.push({ record, version: { ...lineFor(record, note, null), urlAuthors } });
        });
        const records = saves.map(({ record }) => record);
        requireRoom(book.list('live'), records, isOwner);
        // Behind the turns of others, so that the check is right before the write.
        terms.authorize?.();
        await store.saveAutomations(saves);
      } catch (cause) {
        book.selectors.giveBack(taken.map(({ selector }) => selector));
        throw cause;
      }
      await eachInTurns(saves, (save) => show(save, 'added'));
      return saves.map(({ record }) => record);
    });
  return {
    createAll,
    newIds: (count: number): readonly AutomationId[] => Array.from({ length: count }, () => newId() as AutomationId),
  };
}

function authorFor({ signer, wroteUrl }: Pick<NewAutomation, 'signer' | 'wroteUrl'>): (url: string) => UrlAuthor {
  return (url) => (wroteUrl?.(url) === false ? null : authorOf(signer));
}

/** Throws as each change does. */
export function checked(
  record: AutomationRecord | undefined,
  { ifRevision, authorize }: AutomationTerms = {},
): AutomationRecord {
  if (record === undefined) throw new HubError('NOT_FOUND', 'There is no such automation.');
  authorize?.(record);
  if (ifRevision !== undefined && ifRevision !== record.revision) {
    throw new HubError('PRECONDITION_FAILED', `The automation is at revision ${record.revision}.`);
  }
  return record;
}
