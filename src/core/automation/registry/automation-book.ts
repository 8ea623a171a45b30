import { compareNamed } from '#core/records/compare-named.ts';
import type { FieldError } from '#base/hub-error.ts';
import { misfitsOf } from '#core/automation/check/check-definition.ts';
import type { Directory } from '#core/automation/check/directory.ts';
import { createSelectorSource } from '#core/records/selector.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { AutomationRecord } from './automation-record.ts';
import { createOpenings } from './openings.ts';
import { type FindTarget, lookAtReferences, type ReferenceLook } from './references.ts';

export type AutomationLook = ReferenceLook & {
  /** What would be refused if it were saved now, although all that it names is there. */
  readonly misfits: readonly FieldError[];
};

/** All automations in memory, with what each refers to. */
export type AutomationBook = ReturnType<typeof createAutomationBook>;

export function createAutomationBook(findTarget: FindTarget, directory: (self: AutomationId) => Directory) {
  const byId = new Map<AutomationId, AutomationRecord>();
  const bySelector = new Map<string, AutomationId>();
  const looks = new Map<AutomationId, AutomationLook>();
  /** Automations by what they refer to: the home changes more often than automations do. */
  const index = new Map<string, Set<AutomationId>>();
  const selectors = createSelectorSource('automation');

  const { opens, opensAs, forget } = createOpenings({
    definitionOf: (id) => {
      const record = byId.get(id);
      return record?.deletedAtMs === null ? record.definition : undefined;
    },
    naming: (id) => index.get(`automation/${id}`) ?? [],
  });

  const unindex = (id: AutomationId): void => {
    for (const key of looks.get(id)?.keys ?? []) {
      const referring = index.get(key);
      referring?.delete(id);
      if (referring?.size === 0) index.delete(key);
    }
    looks.delete(id);
  };
  const look = (record: AutomationRecord): void => {
    unindex(record.id);
    if (record.deletedAtMs !== null) return;
    const { id, definition, names } = record;
    const found = lookAtReferences(definition, findTarget, names);
    looks.set(id, { ...found, misfits: found.faults.length > 0 ? [] : misfitsOf(definition, directory(id)) });
    for (const key of found.keys) {
      const referring = index.get(key) ?? new Set();
      referring.add(id);
      index.set(key, referring);
    }
  };
  return {
    selectors,
    /** By name, then id; without or only with the trash. */
    list: (of: 'live' | 'trash'): readonly AutomationRecord[] =>
      [...byId.values()].filter(({ deletedAtMs }) => (deletedAtMs === null) === (of === 'live')).toSorted(compareNamed),
    /** The trash included. */
    find: (name: string): AutomationRecord | undefined =>
      byId.get(name as AutomationId) ?? byId.get(bySelector.get(name) ?? ('' as AutomationId)),
    put: (record: AutomationRecord): void => {
      const old = byId.get(record.id);
      byId.set(record.id, record);
      bySelector.set(record.selector, record.id);
      // A name or a label leads nowhere else.
      if (old?.definition !== record.definition || old.deletedAtMs !== record.deletedAtMs) {
        forget(record.id);
        look(record);
      }
    },
    remove: (id: AutomationId): void => {
      const record = byId.get(id);
      if (record === undefined) return;
      unindex(id);
      forget(id);
      byId.delete(id);
      bySelector.delete(record.selector);
      selectors.giveBack([record.selector]);
    },
    lookOf: (id: AutomationId): AutomationLook | undefined => looks.get(id),
    /** Whether one, or a definition, opens something at the end: see `Openings`. */
    opens,
    opensAs,
    /** The automations that refer to a `kind/id` as of now: what is done with them may change the list. */
    referringTo: (key: string): readonly AutomationId[] => [...(index.get(key) ?? [])],
    /** All that is referred to. */
    keys: (): readonly string[] => [...index.keys()],
    /** Looks again; whether it differs in what is wrong with it. */
    renew: (id: AutomationId): boolean => {
      const record = byId.get(id);
      const before = looks.get(id);
      if (record === undefined || before === undefined) return false;
      look(record);
      return wrongIn(before) !== wrongIn(looks.get(id));
    },
  };
}

function wrongIn(look: AutomationLook | undefined): string {
  return JSON.stringify([look?.faults, look?.misfits]);
}
