import type { FieldError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { UserId } from '#core/person/user.ts';
import type { RoomId } from '#core/room/room.ts';

/** An automation as it is kept: what it does, and what people call it. Only the automation registry writes it. */
export type AutomationRecord = {
  readonly id: AutomationId;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly roomId: RoomId | null;
  readonly labels: readonly string[];
  readonly enabled: boolean;
  readonly definition: Definition;
  /** Counts changes of the definition. */
  readonly version: number;
  /** Counts all changes. */
  readonly revision: number;
  /** `null` for one that follows no template. */
  readonly template: TemplateUse | null;
  readonly signer: Signer;
  readonly createdBy: Person;
  /** It does not run until somebody with the rights signs it again. */
  readonly suspended: { readonly code: string; readonly atMs: number } | null;
  /** What its references were called when it was last saved, to be shown after they are gone. */
  readonly names: ReferenceNames;
  /** Wall time, as the other times. */
  readonly enabledAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
};

export type Person = { readonly id: UserId; readonly name: string };

/** Who changed the logic last, and with what. */
export type Signer = {
  readonly user: Person;
  readonly via: { readonly type: 'session' | 'api_token'; readonly id: string };
  readonly signedAtMs: number;
};

export type TemplateUse = { readonly id: string; readonly version: number; readonly inputs: JsonObject };

/** By `kind/id`. */
export type ReferenceNames = Readonly<Record<string, ReferenceName>>;
export type ReferenceName = {
  readonly selector: string;
  readonly name: string;
  /** A device has an origin: where it comes from, by which another hub finds it. */
  readonly origin?: { readonly integration: string; readonly external_id: string };
};

/** A change of these details makes no version. */
export type AutomationDetails = Pick<AutomationRecord, 'name' | 'description' | 'roomId' | 'labels' | 'enabled'>;

/** Who wrote a request, by hand or with an API token; `null`: nobody knows, as of a file. */
export type UrlAuthor = { readonly user: UserId; readonly token: string | null } | null;

/** By URL: all who brought it, or changed what is sent there. */
export type UrlAuthors = Readonly<Record<string, readonly UrlAuthor[]>>;

/** A version keeps what an automation did at some time. */
export type AutomationVersion = VersionLine & { readonly definition: Definition };
/** Without the definition, for lists. */
export type VersionLine = {
  readonly version: number;
  readonly atMs: number;
  readonly by: Omit<Signer, 'signedAtMs'>;
  readonly note: string | null;
  /** The version that was taken again; `null` for a change of its own. */
  readonly revertedTo: number | null;
  /** Where it differs from the version before; at most `MAX_POINTERS`. */
  readonly pointers: readonly string[];
  /** Who wrote its requests. Absent without one, and for versions from before this was noted. */
  readonly urlAuthors?: UrlAuthors;
};

/**
 * `broken`: a reference leads nowhere, and the faults say which. `misfits`: what would be refused if it were saved now.
 * It runs all the same, because devices tell piece by piece what they are.
 */
export type AutomationState =
  | { readonly state: 'disabled' }
  | { readonly state: 'ready'; readonly misfits?: readonly FieldError[] }
  | { readonly state: 'suspended'; readonly code: string }
  | { readonly state: 'broken'; readonly faults: readonly FieldError[] };

export const AUTOMATION_LIMITS = {
  /** The trash is not counted. */
  automations: 500,
  trash: 500,
  name: 100,
  description: 2000,
  labels: 20,
  label: 40,
  note: 200,
  /** Versions beside the first one and those that were taken again. */
  versions: 100,
  trashDays: 30,
} as const;
export const MAX_POINTERS = 50;

/** An automation as the reducer gets it: the version that counts, and whether it may run. */
export type Automation = {
  readonly id: AutomationId;
  readonly version: number;
  readonly definition: Definition;
  readonly state: 'ready' | 'disabled' | 'broken' | 'suspended';
  /** The pointers of its faults, if it is broken: `/triggers/0/device`. */
  readonly broken: readonly string[];
  /** Wall time. Times of the clock before it were not missed. */
  readonly signedAtMs: number;
  /** It is written before its commands go out: asked for, or because it moves a sensitive device. */
  readonly isDurable: boolean;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** A change of the automation or of its state. */
    'automation.added': { readonly automation: AutomationRecord; readonly state: AutomationState };
    'automation.changed': { readonly automation: AutomationRecord; readonly state: AutomationState };
    /** It is in the trash. */
    'automation.removed': { readonly automation: AutomationRecord };
  }
}
