import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { problemWords } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** The device could not be reached: it may be forgotten anyway. */
const UNREACHED = new Set(['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'COMMAND_FAILED']);

/** Removes a device from the home: asks first, and asks again if the device does not answer. */
export function ForgetDevice({ device }: { readonly device: Device }) {
  const { client, messages, router } = useHub();
  const [asking, setAsking] = useState<{ readonly failure: string | null } | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const forget = async (isForced: boolean): Promise<void> => {
    setIsBusy(true);
    try {
      await client.call('DELETE', `/device/${device.id}${isForced ? '?force=true' : ''}`);
      messages.show(pageWords.forget.done(device.name));
      router.go('/');
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      const words = problemWords(cause, device.name);
      if (cause instanceof HubProblem && UNREACHED.has(cause.code) && !isForced) setAsking({ failure: words });
      else messages.show(words, 'danger');
    }
    setIsBusy(false);
  };
  return (
    <>
      <button
        type="button"
        class="button button-danger button-wide"
        disabled={isBusy}
        onClick={() => setAsking({ failure: null })}
      >
        <Icon name="trash" size={20} />
        {isBusy ? pageWords.forget.busy : pageWords.forget.title}
      </button>
      {asking === null ? null : (
        <ConfirmDialog
          key={asking.failure ?? ''}
          title={
            asking.failure === null
              ? pageWords.forget.question(device.name)
              : pageWords.forget.forceQuestion(device.name)
          }
          text={asking.failure === null ? pageWords.forget.text : pageWords.forget.forceText(asking.failure)}
          confirm={asking.failure === null ? pageWords.forget.confirm : pageWords.forget.forceConfirm}
          tone="danger"
          onConfirm={() => void forget(asking.failure !== null)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
