import type { AutomationRun } from '#core/automation-run/trace/trace.ts';

/** `stopped: by_automation a`: how a run or step ended, with the id of the reason and its values. */
export function outcomeLine({ outcome, reason }: Pick<AutomationRun, 'reason'> & { readonly outcome: string }): string {
  if (reason === null) return outcome;
  const said = typeof reason === 'string' ? [reason] : [reason.id, ...Object.values(reason.with)];
  return `${outcome}: ${said.join(' ')}`;
}
