import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Evidence } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { AutomationRun, StepTrace } from '#core/automation-run/trace/trace.ts';

export const AUTOMATION = 'a1' as AutomationId;

export const TRIGGER = {
  id: 't1',
  type: 'feature',
  device: 'hall-motion' as DeviceId,
  key: 'motion',
  from: false,
  value: true,
  quality: 'confirmed',
  action: null,
  atMs: 0,
  lateMs: 0,
  cause: null,
  body: null,
} as const;

export const DARK: Evidence = {
  pointer: '/conditions/0',
  result: true,
  operands: [
    {
      device: 'hall-lux' as DeviceId,
      key: 'illuminance',
      value: 12.5,
      quality: 'confirmed',
      changedAtMs: 3,
      unknown: null,
    },
  ],
};

/** A step whose command was confirmed. */
export function stepTrace(details: Partial<StepTrace> = {}): StepTrace {
  return {
    pointer: '/steps/0',
    atMs: 5,
    ms: 340,
    outcome: 'done',
    command: { id: 'c1', status: 'confirmed', evidence: 'state_report', results: { 'hall-lamp': 'confirmed' } },
    conditions: [],
    values: [],
    reason: null,
    ...details,
  };
}

/** A trace that began at this moment. */
export function trace(at: number, outcome: RunOutcome, details: Partial<AutomationRun> = {}): AutomationRun {
  return {
    id: `run-${String(at).padStart(12, '0')}`,
    automation: AUTOMATION,
    version: 1,
    trigger: TRIGGER,
    conditions: [],
    steps: [],
    stepsLeftOut: 0,
    variables: {},
    outcome,
    reason: null,
    startedAtMs: at,
    finishedAtMs: outcome === 'running' ? null : at,
    cause: null,
    merged: 0,
    ...details,
  };
}
