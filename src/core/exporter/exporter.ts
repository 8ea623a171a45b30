import type { SampleValue, GapMark } from '#core/past/history/sample.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { RoomId } from '#core/room/room.ts';
import type { Wording } from '#words/texts.ts';

export type ExporterId = string & { readonly __brand: 'ExporterId' };

export const EXPORTER_TYPES = ['line_protocol', 'mqtt'] as const;
export type ExporterType = (typeof EXPORTER_TYPES)[number];

/** Selects series: one must pass each part that is not `null`. */
export type SeriesFilter = {
  readonly deviceIds: readonly DeviceId[] | null;
  /** The rooms in which devices are now. */
  readonly roomIds: readonly RoomId[] | null;
  readonly keys: readonly string[] | null;
};

export type ExporterSettings = {
  readonly type: ExporterType;
  readonly name: string | null;
  /** The URL of the receiver; `null` if it is the broker of an instance. */
  readonly url: string | null;
  /** The id of an instance of the kind `mqtt`. */
  readonly broker: string | null;
  /** An owner set the URL. Only an owner's URL may lead to this machine itself. */
  readonly mayReachHub: boolean;
  readonly filter: SeriesFilter;
  readonly enabled: boolean;
};

/** A receiver in the home that gets the samples of the history. */
export type Exporter = ExporterSettings & {
  readonly id: ExporterId;
  /** The file of its credentials, beside the database; `null` if it has none. */
  readonly secret: string | null;
  /** Samples from before `atMs` are left out, if their number is lower than `below`: later ones are all sent. */
  readonly start: { readonly atMs: number; readonly below: number } | null;
  /** Counts its changes; absent in records from before it was counted. */
  readonly revision?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type Credentials =
  | { readonly user: string; readonly password: string }
  /** Sent as `Authorization: Token …`, as InfluxDB takes it. */
  | { readonly token: string };

export type ExportErrorCode =
  | 'name_not_found'
  | 'address_refused'
  | 'redirect_refused'
  | 'connection_failed'
  | 'timeout'
  | 'bad_status'
  | 'sample_refused'
  | 'credentials_missing'
  | 'broker_down';

/** `detail` is what the receiver said. Only an owner sees it. */
export type ExportError = {
  readonly code: ExportErrorCode;
  readonly message: string;
  readonly detail: string | null;
  readonly reason?: Wording;
};

/** A sample that the receiver refuses although it takes others. */
export type SetAside = {
  readonly series: string;
  readonly atMs: number;
  readonly value: SampleValue | GapMark;
  readonly error: ExportError;
};

/** One request tried the receiver, and took so long. */
export type ExportTest = { readonly atMs: number; readonly ms: number; readonly error: ExportError | null };

export const EXPORTER_STATES = ['ok', 'waiting', 'failing', 'off'] as const;
type ExporterStatus = (typeof EXPORTER_STATES)[number];

export type ExporterState = {
  /** `waiting`: the receiver has taken nothing in this run of the hub yet, and refused nothing either. */
  readonly status: ExporterStatus;
  readonly failingSinceMs: number | null;
  readonly error: ExportError | null;
  /** Time of the last sample that the receiver has; `null` if it has none yet. */
  readonly ackedAtMs: number | null;
  /** How far the receiver is behind; `null` while that is not known. */
  readonly behindS: number | null;
  /** Samples a second, over the last minute. */
  readonly rate: number;
  /** How many samples were ever set aside. */
  readonly setAsideCount: number;
  /** The newest of them. */
  readonly setAside: readonly SetAside[];
  /** How often the history forgot samples before the receiver had them. */
  readonly gaps: number;
  /** How many samples that were at most. */
  readonly lostSamples: number;
};

export type KnownExporter = { readonly exporter: Exporter; readonly state: ExporterState };

/** Where in the history an exporter begins. */
export type ExportStart = 'now' | 'beginning' | { readonly atMs: number };

type Terms = Pick<ChangeTerms, 'authorize'>;

/** `credentials` absent: as they are, unless the receiver is another one now; `null`: none. */
export type ExporterChange = {
  readonly settings: ExporterSettings;
  readonly credentials?: Credentials | null | undefined;
};

/**
 * All exporters of the hub. Changes are on disk before they take effect. Each call runs `authorize` right before the
 * change or the test, and throws what it throws. Throws HubError NOT_FOUND for an unknown id.
 */
export type Exporters = {
  /** In the order in which they were added. */
  readonly exporters: () => readonly KnownExporter[];
  readonly findExporter: (id: string) => KnownExporter | undefined;
  /** Throws HubError LIMIT_REACHED. */
  readonly addExporter: (
    added: ExporterChange & { readonly from: ExportStart },
    terms?: Terms,
  ) => Promise<KnownExporter>;
  /** `change` makes the new settings from the present ones. Throws what `change` throws. */
  readonly updateExporter: (
    id: ExporterId,
    change: (old: ExporterSettings) => ExporterChange,
    terms?: Terms,
  ) => Promise<KnownExporter>;
  readonly removeExporter: (id: ExporterId, terms?: Terms) => Promise<void>;
  /** Sends one point that is no sample now, whether the exporter is enabled or not. */
  readonly testExporter: (id: ExporterId, terms?: Terms) => Promise<ExportTest>;
  /** Sends the history from there on again. */
  readonly replayExporter: (id: ExporterId, from: ExportStart, terms?: Terms) => Promise<KnownExporter>;
};

export type ExporterStore = {
  readonly loadExporters: () => Promise<readonly Exporter[]>;
  /** Inserts or replaces by id, together with a new mark unless that is `null`. */
  readonly saveExporter: (exporter: Exporter, mark: string | null) => Promise<void>;
  /** With all that is kept of it. */
  readonly deleteExporter: (id: ExporterId) => Promise<void>;
};

/** Where in `meta` it is kept how far an exporter has come. */
export function markKey(id: ExporterId): string {
  return `exporter.${id}`;
}

/** Where in `meta` the samples that were set aside are kept. */
export function asideKey(id: ExporterId): string {
  return `exporter.${id}.aside`;
}

/** Names the target that credentials are for: they are never sent anywhere else. */
export function targetOf({ url, broker }: Pick<ExporterSettings, 'url' | 'broker'>): string {
  return url ?? `broker ${broker ?? ''}`;
}

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** Its status, or its settings, which the event does not have. */
    'exporter.changed': { readonly exporter: string; readonly status: ExporterStatus | 'removed' };
    /** The history forgot samples before the receiver had them: at most so many, after this moment. */
    'exporter.gap': { readonly exporter: string; readonly samples: number; readonly fromMs: number | null };
  }
}
