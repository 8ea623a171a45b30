import { isSameJson } from '#base/json.ts';
import type { Clock } from '#base/time/clock.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { differencesOf } from '#core/automation/document/difference.ts';
import {
  type AutomationDetails,
  type AutomationRecord,
  MAX_POINTERS,
  type ReferenceNames,
  type Signer,
  type TemplateUse,
  type UrlAuthors,
  type VersionLine,
} from './automation-record.ts';
import type { AutomationSave } from './automation-store.ts';
import { type FindTarget, lookAtReferences } from './references.ts';

export type NewAutomation = AutomationDetails & {
  readonly definition: Definition;
  readonly template: TemplateUse | null;
  readonly signer: Signer;
  readonly note: string | null;
  /** Whether the signer wrote this URL, rather than took it from a file; absent: each. */
  readonly wroteUrl?: ((url: string) => boolean) | undefined;
};

export type AutomationChange = {
  readonly definition: Definition;
  readonly signer: Signer;
  readonly note: string | null;
  readonly details?: Partial<AutomationDetails>;
  /** Absent: as it was. */
  readonly template?: TemplateUse | null;
  readonly wroteUrl?: NewAutomation['wroteUrl'];
};

export type Reverted = { readonly revertedTo?: number | null };

type SaveDeps = { readonly clock: Pick<Clock, 'wallMs'>; readonly findTarget: FindTarget };

/** The record that a change makes. */
export function createSaveSource({ clock, findTarget }: SaveDeps) {
  const namesOf = (definition: Definition, old?: AutomationRecord): ReferenceNames =>
    lookAtReferences(definition, findTarget, old?.names).names;
  const changed = (old: AutomationRecord, change: Partial<AutomationRecord>): AutomationRecord => ({
    ...old,
    ...change,
    ...(change.enabled === true && !old.enabled && { enabledAtMs: clock.wallMs() }),
    revision: old.revision + 1,
    updatedAtMs: clock.wallMs(),
  });
  const saveOf = (
    old: AutomationRecord,
    {
      definition,
      signer,
      note,
      details,
      template = old.template,
      revertedTo = null,
      urlAuthors,
    }: AutomationChange & Reverted & { readonly urlAuthors: UrlAuthors },
  ): AutomationSave | undefined => {
    if (isSameJson(definition, old.definition)) {
      const next = changed(old, { ...details, template });
      return isSameDetails(old, next) ? undefined : { record: next, version: null };
    }
    const version = old.version + 1;
    const names = namesOf(definition, old);
    const record = changed(old, { ...details, definition, version, template, signer, suspended: null, names });
    return { record, version: { ...lineFor(record, note, old.definition), revertedTo, urlAuthors } };
  };
  return { namesOf, changed, saveOf };
}

/** Makes the line of the version that a record has, with where it differs from the one before. */
export function lineFor(
  { version, signer, updatedAtMs, definition }: AutomationRecord,
  note: string | null,
  from: Definition | null,
): VersionLine {
  const { user, via } = signer;
  const pointers = from === null ? [] : differencesOf(from, definition).map(({ pointer }) => pointer);
  return {
    version,
    atMs: updatedAtMs,
    by: { user, via },
    note,
    revertedTo: null,
    pointers: pointers.slice(0, MAX_POINTERS),
  };
}

/** Gives a new record its first version, revision, times and creator. */
export function newRecord({ user: createdBy }: Signer, nowMs: number) {
  const times = { enabledAtMs: nowMs, createdAtMs: nowMs, updatedAtMs: nowMs, deletedAtMs: null };
  return { version: 1, revision: 1, createdBy, suspended: null, ...times };
}

/** Whether a change would leave all that is not its document as it was. */
export function isSameDetails(old: AutomationRecord, next: AutomationRecord): boolean {
  const detailsOf = ({ name, description, roomId, labels, enabled, template }: AutomationRecord): string =>
    JSON.stringify([name, description, roomId, labels, enabled, template]);
  return detailsOf(old) === detailsOf(next);
}
