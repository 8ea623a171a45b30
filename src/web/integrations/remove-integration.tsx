import { useState } from 'preact/hooks';
import type { Device, Integration, IntegrationKind } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { Choice } from '#web/form/choice.tsx';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { problemWords } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = { readonly of: Integration; readonly kind: IntegrationKind | undefined };
type Asking = { readonly names: string | null } | null;

/** Devices keep the keys of this home. */
const KEYS_STAY = new Set(['DEVICE_OFFLINE', 'INTEGRATION_DOWN']);

/** Removes an integration: asks what becomes of its devices, and asks again if some of them do not answer. */
export function RemoveIntegration({ of: { id, name, devices, fixed_by: fixedBy }, kind }: Props) {
  const { client, messages, router } = useHub();
  /** `names`: of the devices that did not answer. */
  const [asking, setAsking] = useState<Asking>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [fate, setFate] = useState<Fate>('keep');
  const hint = kind?.removal_hint ?? null;
  if (fixedBy !== null) return <p class="soft">{settingsWords.integrations.fixedThere(fixedBy)}</p>;

  const call = async (isForced: boolean): Promise<void> => {
    const query = `devices=${fate}${isForced ? '&force=true' : ''}`;
    try {
      await client.call('DELETE', `/integration/${encodeURIComponent(id)}?${query}`);
      messages.show(settingsWords.integrations.removed(name));
      router.go('/settings/integrations', 'replace');
    } catch (cause) {
      if (!(cause instanceof HubProblem) || isForced || hint === null || !KEYS_STAY.has(cause.code)) throw cause;
      const left = await client.call<readonly Device[]>('GET', `/device?integration=${encodeURIComponent(id)}`);
      setAsking({ names: left.flatMap((one) => (one.parent === null ? [one.name] : [])).join(', ') });
    }
  };
  const remove = async (isForced: boolean): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      await call(isForced);
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      messages.show(problemWords(cause), 'danger');
    }
    setIsBusy(false);
  };
  const words = settingsWords.integrations;
  return (
    <>
      <button
        type="button"
        class="button button-danger button-wide"
        aria-disabled={isBusy}
        onClick={() => setAsking({ names: null })}
      >
        {isBusy ? words.removing : words.remove}
      </button>
      {asking === null || asking.names === null ? null : (
        <ConfirmDialog
          key="again"
          title={words.removeAnywayTitle(name)}
          text={words.keysStay(asking.names)}
          confirm={words.removeAnyway}
          tone="danger"
          onConfirm={() => void remove(true)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === null || asking.names !== null ? null : (
        <ConfirmDialog
          key="first"
          title={words.removeTitle(name)}
          text={[words.removeText, ...(hint === null || devices === 0 ? [] : [hint])].join(' ')}
          confirm={words.removeIt}
          tone="danger"
          onConfirm={() => void remove(false)}
          onClose={() => setAsking(null)}
        >
          {devices === 0 || hint !== null ? null : <FateChoice of={{ devices, fate, setFate }} />}
        </ConfirmDialog>
      )}
    </>
  );
}

type Fate = 'keep' | 'remove';
type Fates = { readonly devices: number; readonly fate: Fate; readonly setFate: (fate: Fate) => void };

function FateChoice({ of: { devices, fate, setFate } }: { readonly of: Fates }) {
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.integrations.devices(devices)}</legend>
      {(['keep', 'remove'] as const).map((one) => (
        <Choice
          key={one}
          type="radio"
          name="fate"
          label={settingsWords.integrations.fates[one]}
          note={settingsWords.integrations.fateNotes[one]}
          isChosen={fate === one}
          onChoice={() => setFate(one)}
        />
      ))}
    </fieldset>
  );
}
