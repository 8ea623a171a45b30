import { HubError, requireThing, validationFailed } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { SecretFiles } from '#base/secret-files.ts';
import type { InstanceChange } from '#core/integration/instance.ts';
import type { SettingsRules } from '#core/integration/settings-check.ts';
import type { InstanceRight, IntegrationKind } from '#integrations/kind.ts';
import type { InstanceBook, InstanceStore } from './instance-book.ts';
import { type ReadChange, readInstanceChange } from './instance-change.ts';
import { boundText, type InstanceSecrets, secretName } from './instance-secrets.ts';
import { type FixedInstance, type KnownInstance, rightsOf } from './instance-view.ts';

export type DevicesOfRemoved = 'keep' | 'remove';

/**
 * The terms must hold for a change that came over the network; they are absent for changes that the hub makes by
 * itself.
 */
export type InstanceTerms = {
  readonly ifRevision?: number | undefined;
  /** Throws HubError if the caller may not make this change any more. */
  readonly authorize?: (() => void) | undefined;
  /** Whether the caller may have the hub speak to its own machine: only an owner may. */
  readonly mayReachHub?: boolean | undefined;
  /** Whose API token the instance gets, if it needs one. */
  readonly userId?: string | undefined;
};

/** API tokens that the hub makes for instances. People see and revoke them like all others. */
export type InstanceTokens = {
  readonly isLive: (id: string, rights: readonly InstanceRight[]) => boolean;
  /** Throws HubError LIMIT_REACHED, and what `authorize` throws. */
  readonly make: (wanted: {
    readonly name: string;
    readonly rights: readonly InstanceRight[];
    readonly userId: string;
    readonly authorize: () => void;
  }) => Promise<string>;
  readonly end: (id: string) => Promise<void>;
  /** All that it made and that have not ended. */
  readonly made: () => readonly string[];
};

export type InstanceEvent =
  | { readonly type: 'added' | 'changed'; readonly id: string; readonly needsRestart: boolean }
  | { readonly type: 'removed'; readonly id: string; readonly devices: DevicesOfRemoved };
export type InstanceListener = (event: InstanceEvent) => Promise<void>;

export type InstancesDeps = Pick<Runtime, 'clock' | 'log'> & {
  readonly kinds: readonly IntegrationKind[];
  readonly store: InstanceStore;
  readonly secrets: SecretFiles;
  readonly tokens: InstanceTokens;
  readonly fixed: readonly FixedInstance[];
  readonly rules: Pick<SettingsRules, 'isLanAddress' | 'isOwnAddress' | 'home'>;
  /** Ids that are no integrations and must not become one. */
  readonly reservedIds: readonly string[];
  readonly isConnected: (id: string) => boolean;
};

/** All changes of instances use these parts. They must not overlap. */
export type InstanceParts = InstancesDeps & {
  readonly book: InstanceBook;
  readonly files: InstanceSecrets;
  readonly tell: InstanceListener;
  /** The instance that is there. Throws HubError NOT_FOUND, PRECONDITION_FAILED, and what `authorize` throws. */
  readonly live: (id: string, terms?: InstanceTerms) => KnownInstance;
  readonly read: (instance: KnownInstance, change: InstanceChange, mode: ReadMode) => ReadChange;
  /** Whether the API token that the hub made for it is not there any more, or was never made. */
  readonly lacksToken: (instance: KnownInstance) => boolean;
  readonly commit: (instance: KnownInstance, read: ReadChange, terms?: InstanceTerms) => Promise<void>;
};

type ReadMode = { readonly mayReachHub?: boolean | undefined; readonly isWhole: boolean };

export function createInstanceParts(
  deps: Omit<InstanceParts, 'live' | 'read' | 'lacksToken' | 'commit'>,
): InstanceParts {
  const { book, files, store, tokens, log } = deps;
  const hasInstance: SettingsRules['hasInstance'] = (id, kind) => book.findLive(id)?.record.kind === kind;
  const lacksToken: InstanceParts['lacksToken'] = (known) => {
    const rights = rightsOf(known);
    return rights.length > 0 && !tokens.isLive(known.record.madeToken ?? '', rights);
  };
  const tokenFor = async (known: KnownInstance, { userId, authorize }: InstanceTerms): Promise<string | null> => {
    const rights = rightsOf(known);
    const { name, madeToken = null } = known.record;
    if (rights.length === 0) return null;
    if (userId === undefined || !lacksToken(known)) return madeToken;
    return tokens.make({ name, rights, userId, authorize: () => authorize?.() });
  };
  return {
    ...deps,
    lacksToken,
    live: (id, { ifRevision, authorize } = {}) => {
      const known = requireThing(book.findLive(id), 'integration');
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
    commit: async (known, { record, secrets }, terms = {}) => {
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
      const oldToken = known.record.madeToken ?? null;
      const madeToken = await tokenFor({ ...known, record }, terms);
      const next = {
        ...record,
        madeToken,
        secrets: Object.fromEntries(names),
        isChosen: true,
        removedAtMs: null,
        isForgetting: false,
        revision: record.revision + 1,
      };
      try {
        await store.saveInstance(next);
      } catch (cause) {
        if (madeToken !== null && madeToken !== oldToken) await tokens.end(madeToken);
        throw cause;
      }
      book.put({ ...known, record: next, boundTo });
      if (oldToken !== null && oldToken !== madeToken) {
        // It has ended, and leaves the disk later: the change is made, and who follows it must learn of it.
        const note = (cause: unknown): void => log.warn('an API token is still on disk', { cause });
        await tokens.end(oldToken).catch(note);
      }
      const dropped = Object.entries(record.secrets).filter(([field, file]) => names.get(field) !== file);
      for (const [, file] of dropped) await files.remove(file);
    },
  };
}
