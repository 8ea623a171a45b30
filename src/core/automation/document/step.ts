import type { DeviceId } from '#core/device/device.ts';
import type { Recipient, Severity } from '#core/notification/notification.ts';
import type { RoomId } from '#core/room/room.ts';
import type { SceneId } from '#core/scene/scene.ts';
import type { AutomationId, Condition, Operand } from './condition.ts';
import type { Selection, Trigger } from './trigger.ts';

/** At least one of these; a device that several name is meant once. */
type Targets = {
  readonly devices?: readonly DeviceId[];
  readonly group?: DeviceId;
  /** The room stands for the devices in it that can do all of the command. */
  readonly room?: RoomId;
  readonly any_of?: Selection;
  /** The device that started the run. */
  readonly trigger?: 'device';
};

type Sending = {
  readonly transition_ms?: number;
  readonly expires_in?: number;
  /** What the next step waits for; usually `none`. */
  readonly wait?: 'none' | 'sent' | 'finished';
  /** Again where it failed or nothing confirmed it. */
  readonly retry?: { readonly times: number; readonly after_s: number };
  /** Usually `continue`. */
  readonly on_failure?: 'continue' | 'stop';
  /** Does not send what is so already; usually `true`. */
  readonly skip_if_same?: boolean;
};
/** Either `set` or `do`. */
export type CommandStep = Sending & {
  readonly targets: Targets;
  readonly set?: Readonly<Record<string, Operand>>;
  readonly do?: string;
};
export type SceneStep = Sending & { readonly scene: SceneId };

/** `late_max_s`: how late it may go on after a restart. */
type DelayStep = { readonly late_max_s?: number } & ({ readonly s: Operand } | { readonly until: string });
export const LATE_MAX_S = 3600;
export const LONGEST_DELAY_S = 30 * 86_400;

/** Until any of the triggers fires, or the condition is met. */
export type WaitStep = {
  readonly timeout_s: number;
  readonly then?: 'continue' | 'stop';
  readonly late_max_s?: number;
} & ({ readonly triggers: readonly Trigger[] } | { readonly condition: Condition });

type ChooseStep = {
  readonly cases: readonly { readonly if: Condition; readonly then: readonly Step[] }[];
  readonly else?: readonly Step[];
};

/** One of `times`, `while`, `until` and `for_each`; at most `max` rounds. */
export type RepeatStep = {
  readonly times?: Operand;
  readonly while?: Condition;
  readonly until?: Condition;
  /** The name under which operands of the body find the value of the round. */
  readonly for_each?: { readonly variable: string; readonly in: readonly Operand[] };
  readonly max: number;
  readonly steps: readonly Step[];
};
type ParallelStep = { readonly branches: readonly (readonly Step[])[]; readonly end?: 'all' | 'any' };

/** In texts `{device.name}`, `{trigger.value}`, `{trigger.unit}`, `{operand:NAME}` and `{at}` are replaced. */
export type NotifyStep = {
  readonly severity: Severity;
  readonly title: string;
  readonly text?: string;
  readonly to?: readonly Recipient[];
  readonly key?: string;
  readonly resolve_key?: string;
  readonly repeat_s?: number;
  readonly operands?: Readonly<Record<string, Operand>>;
};

/** To a machine of the home. Values of `json` may be operands. */
export type RequestStep = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly json?: Readonly<Record<string, Operand>>;
  readonly wait?: boolean;
};

/** For so many seconds, or to the next time of the clock. */
type Until = { readonly for_s?: number; readonly until?: string };
type ModeStep = Until & { readonly mode: string; readonly value: string };
type VariableStep = { readonly variable: string; readonly value: Operand };
type PresenceNoteStep = { readonly person: string; readonly state: 'home' | 'away' };
type AutomationStep = {
  readonly automation: AutomationId;
  readonly do: 'enable' | 'disable' | 'run' | 'stop';
};
type StopStep = { readonly outcome: 'finished' | 'failed'; readonly reason?: string };
/** Puts back what this run changed, or all that was changed since its trigger, where it is still so. */
type RestoreStep = { readonly since?: 'run' | 'trigger' };

type StepBody =
  | { readonly command: CommandStep }
  | { readonly scene: SceneStep }
  | { readonly restore: RestoreStep }
  | { readonly delay: DelayStep }
  | { readonly wait_for: WaitStep }
  | { readonly choose: ChooseStep }
  | { readonly repeat: RepeatStep }
  | { readonly parallel: ParallelStep }
  | { readonly notify: NotifyStep }
  | { readonly request: RequestStep }
  | { readonly mode: ModeStep }
  | { readonly variable: VariableStep }
  | { readonly presence_note: PresenceNoteStep }
  | { readonly automation: AutomationStep }
  | { readonly stop: StopStep };

export type Step = StepBody & { readonly id: string };

type MemberOf<Union> = Union extends unknown ? keyof Union : never;
export type StepWord = MemberOf<StepBody>;
