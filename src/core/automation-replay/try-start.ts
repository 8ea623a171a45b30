import type { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Effect } from '#core/automation-run/engine.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Wish } from '#core/command/issued-request.ts';
import type { Device, DeviceId } from '#core/device/device.ts';

export type DryRunAsked = {
  /** The trigger that counts as the one that started it; `null` for none of them. */
  readonly trigger: string | null;
  readonly skipConditions: boolean;
  /** Names the caller; absent: no one. */
  readonly cause?: Cause;
  /** In place of what is so, by the names of series: `<device id>/<key>`, `mode/home`. */
  readonly given: ReadonlyMap<string, JsonValue>;
  /** Asked after each piece of work: `true` ends the dry run where it is. */
  readonly isLate: () => boolean;
};

export type DryCommand = Extract<Effect, { kind: 'command' }> & { readonly afterMs: number };
export const DRY_EFFECTS = [
  'notify',
  'request',
  'set_mode',
  'set_variable',
  'note_presence',
  'enable',
  'disable',
] as const;
export type OtherEffect = Extract<Effect, { kind: (typeof DRY_EFFECTS)[number] }>;
export type DryEffect = OtherEffect & { readonly afterMs: number };

/** Says what a start would do now, whatever the state of the automation. `undefined`: it would not even be refused. */
export type TryStart = (
  record: AutomationRecord,
  asked: Omit<DryRunAsked, 'isLate'>,
) => Promise<TriedStart | undefined>;

type TriedStart = {
  /** A trace that nobody keeps. */
  readonly run: AutomationRun;
  readonly isOver: boolean;
  readonly commands: readonly CheckedCommand[];
  readonly others: readonly CheckedEffect[];
};

/** What a command would come to at this moment. */
export type CommandCheck =
  | {
      readonly wishes: ReadonlyMap<Device, Wish>;
      /** Why each device that cannot be reached cannot be. */
      readonly unreachable: ReadonlyMap<DeviceId, HubError>;
    }
  | { readonly refused: string; readonly message: string };
export type CheckedCommand = { readonly command: DryCommand; readonly check: CommandCheck };
export type CheckedEffect = {
  readonly effect: DryEffect;
  readonly refused: 'SIGNER_GONE' | 'RIGHTS_MISSING' | null;
};
