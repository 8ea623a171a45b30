import { useState } from 'preact/hooks';
import { HubProblem, problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { s } from '#web/strings/settings-strings.ts';

/** A backup that the hub keeps, or a file. */
export type RestoreSource = { readonly id: string } | { readonly file: Blob };
/** `waiting`: the backup is in place, and the hub is restarting with it. */
export type RestoreStep = 'idle' | 'sending' | 'waiting' | 'done';
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
  /** A starting hub answers 503 or not at all. If the login is not in the backup, the login page appears by itself. */
  const isBack = async (): Promise<boolean> => {
    try {
      await client.call('GET', '/hub');
      return true;
    } catch (cause) {
      if (cause instanceof HubProblem || cause instanceof TypeError) return false;
      throw cause;
    }
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
  return {
    step,
    fault,
    restore: async (source) => {
      // Earlier messages are about the home before the restore.
      for (const { id } of messages.list.peek()) messages.dismiss(id);
      setFault(undefined);
      setStep('sending');
      const words = await wordsIfRefused(() => send(source));
      if (words !== undefined) {
        setFault(words);
        setStep('idle');
        return;
      }
      setStep('waiting');
      for (let look = 0; look < LOOKS; look += 1) {
        if (await isBack()) {
          setStep('done');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      setFault(s.backup.notBack);
      setStep('idle');
    },
  };
}
