import { HubError, validationFailed } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { SecretFiles } from '#base/secret-files.ts';
import type { Clock } from '#base/time/clock.ts';
import type { InstanceChange } from '#core/integration/instance.ts';
import type { SettingsRules } from '#core/integration/settings-check.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import type { InstanceBook, InstanceStore } from './instance-book.ts';
import { type ReadChange, readInstanceChange } from './instance-change.ts';
import { boundText, type InstanceSecrets, secretName } from './instance-secrets.ts';
import type { FixedInstance, KnownInstance } from './instance-view.ts';

export type DevicesOfRemoved = 'keep' | 'remove';

/**
 * The terms must hold for a change that came over the network; they are absent for changes that the hub makes by
 * itself.
 */
export type InstanceTerms = {
  /** Revision on which the change is based. */
  readonly ifRevision?: number | undefined;
  /** Throws HubError if the caller may not make this change any more. */
  readonly authorize?: (() => void) | undefined;
  /** Whether the caller may have the hub speak to its own machine: only an owner may. */
  readonly mayReachHub?: boolean | undefined;
};

export type InstanceEvent =
  | { readonly type: 'added' | 'changed'; readonly id: string; readonly needsRestart: boolean }
  | { readonly type: 'removed'; readonly id: string; readonly devices: DevicesOfRemoved };
export type InstanceListener = (event: InstanceEvent) => Promise<void>;

export type InstancesDeps = {
  readonly kinds: readonly IntegrationKind[];
  readonly store: InstanceStore;
  readonly secrets: SecretFiles;
  readonly fixed: readonly FixedInstance[];
  readonly rules: Pick<SettingsRules, 'isLanAddress' | 'isOwnAddress' | 'home'>;
  /** Ids that are no integrations and must not become one. */
  readonly reservedIds: readonly string[];
  readonly isConnected: (id: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** All changes of instances use these parts. They must not overlap. */
export type InstanceParts = InstancesDeps & {
  readonly book: InstanceBook;
  readonly files: InstanceSecrets;
  readonly tell: InstanceListener;
  /** The instance that is there. Throws HubError NOT_FOUND, PRECONDITION_FAILED, and what `authorize` throws. */
  readonly live: (id: string, terms?: InstanceTerms) => KnownInstance;
  readonly read: (instance: KnownInstance, change: InstanceChange, mode: ReadMode) => ReadChange;
  readonly commit: (instance: KnownInstance, read: ReadChange) => Promise<void>;
};

type ReadMode = { readonly mayReachHub?: boolean | undefined; readonly isWhole: boolean };

export function createInstanceParts(deps: Omit<InstanceParts, 'live' | 'read' | 'commit'>): InstanceParts {
  const { book, files, store } = deps;
  const hasInstance: SettingsRules['hasInstance'] = (id, kind) => book.findLive(id)?.record.kind === kind;
  return {
    ...deps,
    live: (id, { ifRevision, authorize } = {}) => {
      const known = book.findLive(id);
      if (known === undefined) throw new HubError('NOT_FOUND', 'There is no such integration.');
      authorize?.();
      const { revision } = known.record;
      if (ifRevision === undefined || ifRevision === revision) return known;
      throw new HubError('PRECONDITION_FAILED', `The integration is at revision ${revision}.`);
    },
    read: (known, change, { mayReachHub = false, isWhole }) => {
      const rules = { ...deps.rules, mayReachHub, hasInstance };
      const checked = readInstanceChange({ ...known, view: book.viewOf(known) }, change, { rules, isWhole });
      if (checked.errors.length > 0) throw validationFailed(checked.errors);
      return checked;
    },
    // The new secrets first, then the record that names them, then the old ones: a power cut leaves old or new whole.
    commit: async (known, { record, secrets }) => {
      const names = new Map(Object.entries(record.secrets));
      const boundTo = { ...known.boundTo };
      const { settings } = book.viewOf({ ...known, record }).shown;
      for (const [field, text] of Object.entries(secrets)) {
        const old = names.get(field);
        names.delete(field);
        if (text === null) continue;
        const shape = known.kind?.settings[field];
        const bound = shape?.type === 'secret' ? settings[shape.boundTo] : undefined;
        const value = boundText(bound?.type === 'value' ? bound.value : null);
        names.set(field, await files.write({ name: secretName(record.id, field), old }, { text, boundTo: value }));
        boundTo[field] = value;
      }
      const next = {
        ...record,
        secrets: Object.fromEntries(names),
        isChosen: true,
        removedAtMs: null,
        isForgetting: false,
        revision: record.revision + 1,
      };
      await store.saveInstance(next);
      book.put({ ...known, record: next, boundTo });
      const dropped = Object.entries(record.secrets).filter(([field, file]) => names.get(field) !== file);
      for (const [, file] of dropped) await files.remove(file);
    },
  };
}
