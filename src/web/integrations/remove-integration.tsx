import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { Choice } from '#web/form/choice.tsx';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import type { IntegrationShown, KindShown } from '#web/strings/kind-words.ts';
import { fixerWords } from './setting-values.ts';

type Props = { readonly of: IntegrationShown; readonly kind: KindShown | undefined };

/** Devices keep the keys of this home. */
const KEYS_STAY = new Set(['DEVICE_OFFLINE', 'INTEGRATION_DOWN']);

/** Removes an integration: asks what becomes of its devices, and asks again if some of them do not answer. */
export function RemoveIntegration({ of: { id, name, devices, fixed_by: fixedBy }, kind }: Props) {
  const { client, messages, questions, router } = useHub();
  const [isAsking, setIsAsking] = useState(false);
  const [fate, setFate] = useState<Fate>('keep');
  const hint = kind?.removal_hint ?? null;
  const words = settingsWords.integrations;
  const { run, isRunning } = useReportedTask(async (isForced: boolean) => {
    const query = `devices=${fate}${isForced ? '&force=true' : ''}`;
    try {
      await client.call('DELETE', `/integration/${encodeURIComponent(id)}?${query}`);
      messages.show(words.removed(name));
      router.go('/settings/integrations', 'replace');
    } catch (cause) {
      if (!(cause instanceof HubProblem) || isForced || hint === null || !KEYS_STAY.has(cause.code)) throw cause;
      const left = await client.call<readonly Device[]>('GET', `/device?integration=${encodeURIComponent(id)}`);
      const text = words.keysStay(left.flatMap((one) => (one.parent === null ? [one.name] : [])).join(', '));
      questions.ask({ title: words.removeAnywayTitle(name), text, confirm: words.removeAnyway, tone: 'danger' }, () =>
        run(true),
      );
    }
  });
  if (fixedBy !== null) return <p class="soft">{words.fixedThere(fixerWords(fixedBy))}</p>;
  return (
    <>
      <button
        type="button"
        class="button button-danger button-wide"
        aria-disabled={isRunning}
        onClick={() => setIsAsking(true)}
      >
        {isRunning ? words.removing : words.remove}
      </button>
      {isAsking ? (
        <ConfirmDialog
          title={words.removeTitle(name)}
          text={[words.removeText, ...(hint === null || devices === 0 ? [] : [hint])].join(' ')}
          confirm={words.removeIt}
          tone="danger"
          onConfirm={() => run(false)}
          onClose={() => setIsAsking(false)}
        >
          {devices === 0 || hint !== null ? null : <FateChoice of={{ devices, fate, setFate }} />}
        </ConfirmDialog>
      ) : null}
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
