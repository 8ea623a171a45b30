import { useState } from 'preact/hooks';
import type { AuditEntry } from '#web/client/api.ts';
import { HubProblem, problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

/** A backup that the hub keeps, or a file. */
type RestoreSource = { readonly id: string } | { readonly file: Blob };
/** `waiting`: the backup is in place, and the hub is restarting with it. */
type RestoreStep = 'idle' | 'sending' | 'waiting' | 'done';
export type Restore = {
  readonly step: RestoreStep;
  readonly fault: string | undefined;
  readonly restore: (source: RestoreSource) => Promise<void>;
};

const SEND_MS = 300_000;
const LOOK_MS = 1_000;
const LOOKS = 60;

export function useRestore(): Restore {
  const { client, messages } = useHub();
  const [step, setStep] = useState<RestoreStep>('idle');
  const [fault, setFault] = useState<string>();
  /** The last restore that the hub has carried out; `null` before the first. */
  const lastRestore = async (): Promise<string | null> => {
    const [last] = await client.call<readonly AuditEntry[]>('GET', '/audit?types=backup.restored&limit=1');
    return last?.id ?? null;
  };
  /** A starting hub answers 503 or not at all. If the login is not in the backup, the login page appears by itself. */
  const isSoon = async (look: () => Promise<boolean>): Promise<boolean> => {
    for (let count = 0; count < LOOKS; count += 1) {
      try {
        if (await look()) return true;
      } catch (cause) {
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return false;
  };
  const send = async (source: RestoreSource): Promise<void> => {
    const headers = { 'Content-Type': 'application/octet-stream' };
    const [path, init] =
      'id' in source ? [`/${encodeURIComponent(source.id)}/restore`, {}] : ['/restore', { headers, body: source.file }];
    await within(SEND_MS, async (signal) => {
      const answer = await client.send(`/api/v1/backup${path}`, { ...init, method: 'POST', signal });
      if (!answer.ok) throw await problemFrom(answer);
    });
  };
  /** The hub may carry it out though its answer is lost on the way: then its audit log says so. */
  const carryOut = async (source: RestoreSource): Promise<void> => {
    const before = await lastRestore();
    try {
      await send(source);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      if (!(await isSoon(async () => (await lastRestore()) !== before))) throw cause;
    }
  };
  return {
    step,
    fault,
    restore: async (source) => {
      // Earlier messages are about the home before the restore.
      for (const { id } of messages.list.peek()) messages.dismiss(id);
      setFault(undefined);
      setStep('sending');
      const words = await wordsIfRefused(() => carryOut(source));
      if (words !== undefined) {
        setFault(words);
        setStep('idle');
        return;
      }
      setStep('waiting');
      const isBack = await isSoon(async () => {
        await client.call('GET', '/hub');
        return true;
      });
      if (!isBack) setFault(settingsWords.backup.notBack);
      setStep(isBack ? 'done' : 'idle');
    },
  };
}
