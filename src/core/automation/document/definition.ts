import type { DeviceId } from '#core/device/device.ts';
import type { Condition, Operand } from './condition.ts';
import type { Step } from './step.ts';
import type { Trigger } from './trigger.ts';

/**
 * The definition is the part of an automation that has versions. References are ids, every trigger and step has an id,
 * and all members of this type are there. Inside triggers, conditions and steps, only what people wrote is.
 */
export type Definition = {
  readonly mode: RunMode;
  /** For so long a feature that a hand moved is left alone. */
  readonly yield_to_hand_s: number;
  /** A change of the mode `home` ends that. */
  readonly release_on_mode: boolean;
  /** `always`: a run that waits is on disk before its next command goes out. */
  readonly durable: 'auto' | 'always';
  /** Whether the triggers that are whole go on while a reference leads nowhere. */
  readonly on_broken: 'stop' | 'run_rest';
  /** How many starts in a time are taken for a loop. */
  readonly limits: 'usual' | 'high';
  /** The sensitive devices that it may move. */
  readonly allow_sensitive: readonly DeviceId[];
  /** Evaluated once, when a run starts. */
  readonly variables: Readonly<Record<string, Operand>>;
  readonly triggers: readonly Trigger[];
  /** All must be met. */
  readonly conditions: readonly Condition[];
  readonly steps: readonly Step[];
};

/**
 * The mode decides about a trigger that fires while a run is under way. `max`: runs that are waiting (`queued`) or at
 * once (`parallel`).
 */
type RunMode = { readonly kind: RunKind; readonly max: number };
export const RUN_KINDS = ['single', 'restart', 'queued', 'parallel'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const DEFINITION_LIMITS = {
  triggers: 50,
  /** In all lists and bodies together, as the triggers and the steps. */
  conditions: 100,
  steps: 200,
  /** Levels of steps in steps, and of conditions in conditions. */
  depth: 8,
  /** The document as JSON. */
  bytes: 65_536,
  /** Nodes of one operand. */
  operandNodes: 32,
  branches: 8,
  rounds: 1000,
  eachValues: 200,
  queued: 50,
  parallel: 10,
  timeoutS: 7 * 86_400,
} as const;
