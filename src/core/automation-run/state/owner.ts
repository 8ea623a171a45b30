import type { AutomationId } from '#core/automation/document/condition.ts';

/**
 * Who watches a trigger in the index: a text whose order is that of the work on one happening. First the hands on what
 * an automation commands, then runs that wait, then automations by their id.
 */
export type Owner = string;

export const ownerOf = {
  hands: (automation: AutomationId): Owner => `0/${automation}`,
  thread: (run: string, thread: number): Owner => `1/${run}/${String(thread).padStart(6, '0')}`,
  automation: (automation: AutomationId): Owner => `2/${automation}`,
};
