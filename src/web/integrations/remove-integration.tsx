import { useState } from 'preact/hooks';
import type { Integration } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { s } from '#web/strings/settings-strings.ts';

/** Removes an integration after asking what becomes of its devices. */
export function RemoveIntegration({ of: { id, name, devices, fixed_by: fixedBy } }: { readonly of: Integration }) {
  const { client, messages, router } = useHub();
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [fate, setFate] = useState<'keep' | 'remove'>('keep');
  if (fixedBy !== null) return <p class="soft">{s.integrations.fixedThere(fixedBy)}</p>;
  const remove = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    const path = `/integration/${encodeURIComponent(id)}?devices=${fate}`;
    const words = await wordsIfRefused(() => client.call('DELETE', path));
    setIsBusy(false);
    if (words !== undefined) return messages.show(words, 'danger');
    messages.show(s.integrations.removed(name));
    router.go('/settings/integrations', 'replace');
  };
  return (
    <>
      <button
        type="button"
        class="button button-danger button-wide"
        aria-disabled={isBusy}
        onClick={() => setIsAsked(true)}
      >
        {s.integrations.remove}
      </button>
      {isAsked ? (
        <ConfirmDialog
          title={s.integrations.removeTitle(name)}
          text={s.integrations.removeText}
          confirm={s.integrations.removeIt}
          tone="danger"
          onConfirm={() => void remove()}
          onClose={() => setIsAsked(false)}
        >
          {devices === 0 ? null : (
            <fieldset class="choice-list">
              <legend class="field-label">{s.integrations.devices(devices)}</legend>
              {(['keep', 'remove'] as const).map((one) => (
                <Choice
                  key={one}
                  type="radio"
                  name="fate"
                  label={s.integrations.fates[one]}
                  note={s.integrations.fateNotes[one]}
                  isChosen={fate === one}
                  onChoice={() => setFate(one)}
                />
              ))}
            </fieldset>
          )}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
