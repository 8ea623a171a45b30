import { t } from '#web/strings/strings.ts';

/** What integrations say of a device that does not answer: each protocol has its own word for it. */
const SILENT = new Set(['connectivity_issue', 'dead', 'disconnected', 'no_answer', 'no_response', 'unreachable']);
const SAME: Readonly<Record<string, string>> = { sleeping: 'asleep' };

/** Whether a person may find the cause at the device itself. */
export function isSilent(reason: string | null): boolean {
  return reason !== null && SILENT.has(reason);
}

/** Why a device is not online; `undefined` for a word that the page does not know. */
export function reasonWords(reason: string): string | undefined {
  return t.device.reasons[isSilent(reason) ? 'no_response' : (SAME[reason] ?? reason)];
}
