import type { AutomationId } from '#core/automation/document/condition.ts';
import type { DeviceRecord } from '#core/device/device.ts';
import type { Scene } from '#core/scene/scene.ts';
import type { AutomationRecord, AutomationVersion, VersionLine } from './automation-record.ts';

/** Keeps the registry's data. A resolved promise means: on disk. */
export type AutomationStore = {
  /** The next ones behind this id, by id, the trash included; none after the last. */
  readonly loadAutomations: (afterId: string) => Promise<readonly AutomationRecord[]>;
  /** All of it in one transaction. */
  readonly saveAutomations: (saves: readonly AutomationSave[]) => Promise<void>;
  /** With its versions. */
  readonly deleteAutomations: (ids: readonly AutomationId[]) => Promise<void>;
  /** Newest first. */
  readonly loadVersions: (id: AutomationId) => Promise<readonly VersionLine[]>;
  readonly loadVersion: (id: AutomationId, version: number) => Promise<AutomationVersion | undefined>;
};

export type AutomationSave = {
  readonly record: AutomationRecord;
  /** The version that the record has from now on; `null` where its definition stays. */
  readonly version: VersionLine | null;
};

/** All that names a device, with another one in its place. */
export type Replaced = {
  readonly automations: readonly AutomationSave[];
  readonly scenes: readonly Scene[];
  /** Groups. */
  readonly devices: readonly DeviceRecord[];
};
