import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Evidence, OperandSeen, TriggerFacts } from '#core/automation/view.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { CommandStatus, Evidence as Proof } from '#core/command/command.ts';
import type { RunReason } from './run-reason.ts';

export type CommandTrace = {
  /** `null` until the hub accepted the command, and for one that it refused. */
  readonly id: string | null;
  readonly status: CommandStatus | 'refused' | 'skipped' | 'running';
  readonly evidence: Proof;
  readonly results: Readonly<Record<string, string>>;
};

export type StepTrace = {
  readonly pointer: string;
  readonly atMs: number;
  /** `null` while it is not over. */
  readonly ms: number | null;
  readonly outcome: 'running' | 'done' | 'skipped' | 'failed' | 'timed_out' | 'stopped';
  readonly command: CommandTrace | null;
  /** The conditions that decided the way, with what they saw. */
  readonly conditions: readonly Evidence[];
  /** The values that the operands used. */
  readonly values: readonly OperandSeen[];
  readonly reason: RunReason | null;
};

/** The record of one start, or of one refused start. */
export type AutomationRun = {
  readonly id: string;
  readonly automation: AutomationId;
  readonly version: number;
  readonly trigger: TriggerFacts;
  readonly conditions: readonly Evidence[];
  readonly steps: readonly StepTrace[];
  /** Further steps that there was no room for, as in a loop of a thousand rounds. */
  readonly stepsLeftOut: number;
  readonly variables: Readonly<Record<string, JsonValue>>;
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly cause: Cause | null;
  /** Equal ones that came after it and are not kept by themselves. */
  readonly merged: number;
};

export const MAX_STEP_TRACES = 200;

/** Whether nothing was done: such traces must not push out those that tell something. */
export function isDull({ outcome }: Pick<AutomationRun, 'outcome'>): boolean {
  return outcome === 'not_met' || outcome === 'skipped';
}

type RunPhase = {
  readonly automation: Pick<AutomationRecord, 'id' | 'selector' | 'name'>;
  readonly run: string;
  /** `finished`: it is over, however it ended. */
  readonly phase: 'started' | 'waiting' | 'finished';
  readonly outcome: RunOutcome;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** A run that did or does something. */
    'automation.run': RunPhase;
    /** A run that its conditions or a running run ended at its start. */
    'automation.run.dull': RunPhase;
  }
}
